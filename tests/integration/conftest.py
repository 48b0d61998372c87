"""A real container engine, and containers that print real logs and end as servers do."""

import fcntl
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LABEL = "log2fix.test"
SERVER = """#!/bin/sh
# stands for the server's program: prints a recorded log to stderr, then ends as told
cat /server.log >&2
exit ${CODE:-1}
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker has all of them: more would only wait for each other (see `lab`)."""
    for item in items:
        if Path(item.path).parent == Path(__file__).parent:
            item.add_marker(pytest.mark.engine)
            item.add_marker(pytest.mark.xdist_group("engine"))


@pytest.fixture(scope="session")
def engine() -> Iterator[Any]:
    """Docker's SDK against the engine of `ci/start_engine.sh`; in CI its absence fails, elsewhere it skips."""
    import docker
    from docker.errors import DockerException

    client = None
    try:
        client = docker.from_env(timeout=60)
        client.ping()
    except DockerException as error:
        if os.environ.get("CI"):
            pytest.fail(f"no container engine, start one with ci/start_engine.sh: {error}")
        pytest.skip("no container engine here; `ci/start_engine.sh start` gives one")
    yield client
    client.close()


@dataclass
class Lab:
    """Makes containers, runs the product's command against them, and removes them."""

    client: Any
    folder: Path
    home: Path
    _made: list[Any] = field(default_factory=list)

    def server(self, name: str, log: str, code: int = 1, **options: Any) -> Any:
        """A container that prints a log and ends with a code; `vllm` and `ollama` are programs in it."""
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "server.log").write_text(log, encoding="utf-8")
        (folder / "program").write_text(options.pop("program", SERVER), encoding="utf-8")
        (folder / "program").chmod(0o755)
        options["volumes"] = [f"{folder / 'server.log'}:/server.log:ro"]
        options["volumes"] += [f"{folder / 'program'}:/bin/{called}:ro" for called in ("vllm", "ollama", "serve.sh")]
        options.setdefault("image", "vllm/vllm-openai:v0.25.0")
        options.setdefault("command", ["vllm", "serve", "Qwen/Qwen2.5-3B-Instruct", "--max-model-len", "4096"])
        options["environment"] = {"CODE": str(code), **options.pop("environment", {})}
        return self.create(name=name, **options)

    def create(self, **options: Any) -> Any:
        """A container that is started; a start that fails leaves it created."""
        from docker.errors import APIError

        container = self.client.containers.create(network_mode="none", labels={LABEL: "1"}, **options)
        self._made.append(container)
        try:
            container.start()
        except APIError as error:
            if not options.get("name", "").startswith("never"):
                raise AssertionError(error) from error
        return container

    def ended(self, container: Any) -> Any:
        """The container once it has ended."""
        container.wait(timeout=60)
        container.reload()
        return container

    def cli(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """The product's command, offline, with folders of its own."""
        ours = {"PYTHONPATH": str(ROOT), "HOME": str(self.home), "LANG": "C.UTF-8"}
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            ours[name] = str(self.home / name.lower())
        return subprocess.run(
            [sys.executable, "-m", "copilot.cli", *words],
            env={**os.environ, **ours, **env},
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def ask(self, *words: str) -> dict[str, Any]:
        """The answer as JSON."""
        done = self.cli("ask", *words, "--json", "--offline")
        assert done.returncode in {0, 5}, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def clear(self) -> None:
        """Remove every container of the tests."""
        for container in self.client.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True):
            container.remove(force=True, v=True)


@pytest.fixture
def lab(engine: Any, tmp_path: Path) -> Iterator[Lab]:
    """An engine without other tests' containers: one test at a time, whatever runs beside it on this machine.

    `copilot ask` without a name looks at every container, so two tests on one engine see each other's.
    """
    (tmp_path / "home").mkdir()
    made = Lab(engine, tmp_path, tmp_path / "home")
    with (Path(tempfile.gettempdir()) / f"log2fix-engine-tests-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made.clear()
        yield made
        made.clear()


@pytest.fixture
def recorded() -> Callable[[str], str]:
    """The log of a recorded case."""

    def read(case: str) -> str:
        return (ROOT / "cases" / case / "round-1" / "server.log").read_text(encoding="utf-8")

    return read
