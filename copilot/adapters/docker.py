"""Containers through Docker's own SDK, over whatever socket answers: Docker, Docker Desktop, rootless, Podman."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from copilot.adapters import docker_logs
from copilot.adapters.docker_endpoint import Endpoint, endpoints
from copilot.adapters.docker_errors import FILES, translated
from copilot.adapters.docker_state import engine_by_name, illness, newest
from copilot.errors import CopilotError, NothingCollected, UsageError
from copilot.model.programs import engine_of_log
from copilot.ports import ContainerSummary, RawContainer

_ASKED = 40
"""Containers inspected when looking for an ill one, newest first."""
_TAIL = 20_000
"""Lines at most: a line is 16 KiB at most, so the memory is bounded."""


@contextmanager
def _sdk() -> Iterator[None]:
    """Every error of the SDK (requests' are OSErrors) becomes one of ours."""
    from docker.errors import DockerException, StreamParseError

    try:
        yield
    except (DockerException, StreamParseError, OSError) as error:
        raise translated(error) from error


@dataclass
class DockerContainers:
    """The engine that the docker client would use; `seconds` is the time limit of one question."""

    seconds: float = 5.0
    where: Sequence[Endpoint] | None = None
    _client: Any = field(default=None, repr=False)

    def ill(self) -> Sequence[ContainerSummary]:
        """Ill containers of a known engine, the worst kind first, within a kind the newest first.

        A known engine that ended with 0 or by a stop signal comes last: vLLM also ends with 0 after its engine died.
        """
        found: list[tuple[int, str, ContainerSummary]] = []
        deadline = time.monotonic() + 2 * self.seconds
        with _sdk():
            listed = self._api().containers(all=True)
            for entry in sorted(listed, key=lambda e: e.get("Created", 0), reverse=True)[:_ASKED]:
                if time.monotonic() > deadline:
                    break
                summary = self._summary(entry["Id"])
                if summary is not None:
                    found.append(summary)
        ordered = sorted(found, key=lambda one: one[1], reverse=True)
        return [summary for _, _, summary in sorted(ordered, key=lambda one: one[0])]

    def read(self, name: str, tail: int) -> RawContainer:
        """A container by name, id, or compose service: inspect JSON, the end of its log, and the engine's facts.

        UsageError where there is none. What is late (info, events, even the log) is left out and named.
        """
        with _sdk():
            attrs = self._inspect(name)
            tail = min(max(1, tail), _TAIL)
            answers, left_out = self._together(
                {
                    "log": lambda: self._log(attrs, tail),
                    "docker info": self._api().info,
                    "docker events": lambda: self._events(attrs),
                    "image digests": lambda: self._digests(attrs),
                }
            )
        attrs["RepoDigests"] = answers.get("image digests", [])
        return _container(attrs, answers, left_out)

    def _api(self) -> Any:
        """The SDK's low-level client of the first endpoint that answers."""
        if self._client is not None:
            return self._client
        places = endpoints() if self.where is None else self.where
        problem: CopilotError | None = None
        for place in places:
            try:
                with _sdk():
                    self._client = _connect(place, self.seconds)
                    return self._client
            except CopilotError as error:
                problem = problem or error
        raise problem or NothingCollected("No Docker engine runs here.", "Start Docker. " + FILES)

    def _summary(self, identifier: str) -> tuple[int, str, ContainerSummary] | None:
        from docker.errors import NotFound

        try:
            attrs = self._api().inspect_container(identifier)
        except NotFound:
            return None  # removed meanwhile
        rank = illness(attrs)
        if rank is None:
            return None
        engine = engine_by_name(attrs)
        if engine is None and rank == 0:
            engine = engine_of_log(self._log(attrs, 200)[0].decode("utf-8", "replace"))
        if engine is None:
            return None
        state, when = attrs["State"], newest(attrs)
        name, image = attrs["Name"].lstrip("/"), attrs["Config"]["Image"]
        return rank, when, ContainerSummary(attrs["Id"], name, image, state["Status"], when, engine)

    def _inspect(self, name: str) -> dict[str, Any]:
        from docker.errors import NotFound

        try:
            found: dict[str, Any] = self._api().inspect_container(name)
        except NotFound:
            label = {"label": f"com.docker.compose.service={name}"}
            same = self._api().containers(all=True, filters=label)
            if not same:
                message = f"There is no container named {name}."
                raise UsageError(message, "`docker ps -a` shows the names.") from None
            found = self._api().inspect_container(max(same, key=lambda e: e["Created"])["Id"])
        return found

    def _log(self, attrs: Mapping[str, Any], tail: int) -> tuple[bytes, tuple[int, ...]]:
        """Always a tail: without one, or with `since`, the engine reads the whole file from its start."""
        ask, name = self._api().logs, attrs["Id"]
        if attrs["Config"].get("Tty"):
            return docker_logs.unstamped(ask(name, timestamps=True, tail=tail)), ()
        out = ask(name, stderr=False, timestamps=True, tail=tail)
        if docker_logs.whole_seconds(out):
            return ask(name, tail=tail), ()
        return docker_logs.merge(out, ask(name, stdout=False, timestamps=True, tail=tail), tail)

    def _events(self, attrs: Mapping[str, Any]) -> list[str]:
        """What happened to the container in the last hour, oldest first."""
        now = int(time.time())
        # whole seconds: what happened in this very second lies after `now`
        stream = self._api().events(since=now - 3600, until=now + 1, decode=True, filters={"container": attrs["Id"]})
        told = []
        for event in stream:
            action = event.get("Action", event.get("status", ""))
            code = event.get("Actor", {}).get("Attributes", {}).get("exitCode", "")
            if action.partition(":")[0] in {"oom", "die", "kill", "start", "restart", "health_status", "destroy"}:
                told.append(f"{action} {code}".strip())
        return told[-20:]

    def _digests(self, attrs: Mapping[str, Any]) -> list[str]:
        digests: list[str] = self._api().inspect_image(attrs["Image"]).get("RepoDigests") or []
        return digests

    def _together(self, questions: Mapping[str, Callable[[], Any]]) -> tuple[dict[str, Any], tuple[str, ...]]:
        """All questions at once; what is late or refused is left out and named, a log that cannot be read too."""
        from docker.errors import DockerException

        pool = ThreadPoolExecutor(len(questions))
        running = {name: pool.submit(ask) for name, ask in questions.items()}
        answers: dict[str, Any] = {}
        left_out: list[str] = []
        end = time.monotonic() + 2 * self.seconds
        for name, future in running.items():
            try:
                answers[name] = future.result(timeout=max(0.0, end - time.monotonic()))
            except TimeoutError:
                left_out.append(f"{name}: no answer in {2 * self.seconds:.0f} s")
            except (DockerException, OSError, ValueError) as error:
                left_out.append(f"{name}: {translated(error).message}")
        pool.shutdown(wait=False, cancel_futures=True)
        return answers, tuple(left_out)


def _connect(place: Endpoint, seconds: float) -> Any:
    import docker
    from docker.tls import TLSConfig

    tls: Any = False
    if place.tls is not None:
        client = (str(place.tls / "cert.pem"), str(place.tls / "key.pem"))
        has_client = (place.tls / "cert.pem").exists()
        tls = TLSConfig(client if has_client else None, str(place.tls / "ca.pem"), verify=place.verify)
    ssh = place.address.startswith("ssh://")
    timeout: Any = seconds  # the stubs want whole seconds, requests takes any number
    return docker.APIClient(place.address, version="auto", timeout=timeout, tls=tls, use_ssh_client=ssh)


def _container(attrs: Mapping[str, Any], answers: Mapping[str, Any], left_out: tuple[str, ...]) -> RawContainer:
    log, stderr = answers.get("log", (b"", ()))
    return RawContainer(
        id=attrs["Id"],
        name=attrs["Name"].lstrip("/"),
        image=attrs["Config"]["Image"],
        inspect=json.dumps(attrs, indent=4, ensure_ascii=False),
        log=log,
        state=attrs["State"]["Status"],
        ill=illness(attrs) == 0,
        host=json.dumps(_host(answers.get("docker info", {}), answers.get("docker events", []))),
        stderr=stderr,
        left_out=left_out,
    )


def _host(info: Mapping[str, Any], events: Sequence[str]) -> dict[str, Any]:
    """`HostFacts` as far as the engine knows them."""
    facts = {
        "docker_version": info.get("ServerVersion"),
        "docker_os": info.get("OperatingSystem"),
        "kernel": info.get("KernelVersion"),
        "cgroup_driver": info.get("CgroupDriver"),
        "runtimes": sorted(info.get("Runtimes") or {}),
        "events": list(events),
    }
    if info.get("MemTotal"):
        facts["memory_gib"] = round(info["MemTotal"] / (1 << 30), 2)
    return {key: value for key, value in facts.items() if value}
