"""What each source gives, before redaction. These values live and die inside the gather node."""

import contextlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial

from copilot.errors import CopilotError, NothingCollected, UsageError
from copilot.logs import decode, is_binary
from copilot.model.architecture import Architecture
from copilot.model.request import Sources
from copilot.model.words import SourceName
from copilot.ports import RawContainer
from copilot.workflow.folder import read_folder
from copilot.workflow.state import Ports

DEADLINE = 8.0
"""Seconds after which a source that has not answered is left out and named."""


@dataclass(frozen=True)
class RawTextOf:
    """One unredacted text."""

    source: SourceName
    file: str
    text: str


@dataclass
class RawBundle:
    """Everything one round collected, unredacted."""

    texts: list[RawTextOf] = field(default_factory=list)
    engine: str | None = None
    version: str | None = None
    image: str | None = None
    service: str | None = None
    host: str = ""
    model_config: str = ""
    """A config.json."""
    architecture: Architecture | None = None
    """What a saved round kept of one."""
    resolved: str | None = None
    secrets: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def add(self, source: SourceName, file: str, text: str) -> None:
        """Keep a text that holds anything."""
        if text.strip():
            self.texts.append(RawTextOf(source, file, text))


def collect(ports: Ports, sources: Sources) -> RawBundle:
    """Ask every source that `sources` names; with none named, this machine's Docker and GPU."""
    bundle = RawBundle(image=sources.image, service=sources.service, engine=sources.engine)
    if sources.directory:
        read_folder(ports.files.within(sources.directory), sources.directory, bundle)
    _files(ports, sources, bundle)
    if not sources.explicit:
        _machine(ports, sources, bundle)
    return bundle


def _text(ports: Ports, path: str) -> str:
    """A file as text; UsageError for a binary."""
    data = ports.files.read(path)
    if is_binary(data):
        raise UsageError(f"{ports.files.show(path)} is not a text file.", "Give the container's log as text.")
    return decode(data)


def _files(ports: Ports, sources: Sources, bundle: RawBundle) -> None:
    """The files named by options; an explicit file wins over what a container or folder says."""
    named: tuple[tuple[SourceName, str | None], ...] = (
        ("log", sources.log),
        ("compose", sources.compose),
        ("inspect", sources.inspect),
        ("gpu", sources.gpu),
    )
    for source, path in named:
        if path is None:
            continue
        bundle.texts[:] = [text for text in bundle.texts if text.source != source]
        shown = "server.log" if path == "-" else ports.files.show(path)
        bundle.add(source, shown, _text(ports, path))
    if sources.log is not None and not any(text.source == "log" for text in bundle.texts):
        bundle.left_out.append(f"the log {'on standard input' if sources.log == '-' else sources.log} is empty")
    if sources.compose is not None:
        _beside(ports, sources.compose, bundle, follow=not sources.explicit)
    if sources.command is not None:
        bundle.texts[:] = [text for text in bundle.texts if text.source != "command"]
        is_file = "\n" not in sources.command and ports.files.exists(sources.command)
        bundle.add("command", "command.txt", _text(ports, sources.command) if is_file else sources.command)


def _beside(ports: Ports, compose: str, bundle: RawBundle, *, follow: bool) -> None:
    """The `.env` beside a compose file, and the project as its own resolver sees it.

    A file that came from elsewhere (`follow` false) is not resolved: it could name any file of this machine.
    """
    folder = compose.rpartition("/")[0]
    env = f"{folder}/.env" if folder else ".env"
    if ports.files.exists(env):
        bundle.add("compose", ports.files.show(env), _text(ports, env))
    if follow:
        bundle.resolved = ports.resolver.resolve([compose], folder or None)


def _machine(ports: Ports, sources: Sources, bundle: RawBundle) -> None:
    """Docker, GPU and host of this machine, asked at the same time."""
    pool = ThreadPoolExecutor(max_workers=3, thread_name_prefix="collect")
    asked: dict[str, Callable[[], RawContainer | str]] = {
        "container": partial(_container, ports, sources),
        "gpu": ports.gpus.read,
        "host": ports.host.read,
    }
    jobs = {name: pool.submit(source) for name, source in asked.items()}
    wait(jobs.values(), timeout=DEADLINE)
    pool.shutdown(wait=False, cancel_futures=True)
    for name, job in jobs.items():
        if not job.done():
            bundle.left_out.append(f"the {name} did not answer within {DEADLINE:.0f} s")
            continue
        try:
            _take(ports, name, job.result(), bundle)
        except NothingCollected as error:
            bundle.left_out.append(error.message.rstrip("."))
            if name == "container" and sources.container:
                raise


def _container(ports: Ports, sources: Sources) -> RawContainer:
    """The container named, else the newest ill one of a known engine."""
    if sources.container:
        return ports.containers.read(sources.container, sources.tail)
    ill = ports.containers.ill()
    if not ill:
        raise NothingCollected("no container of a known engine looks ill", "Name one: copilot ask CONTAINER.")
    return ports.containers.read(ill[0].id, sources.tail)


def _take(ports: Ports, name: str, result: RawContainer | str, bundle: RawBundle) -> None:
    """Put what one source gave into the bundle."""
    if isinstance(result, RawContainer):
        _take_container(ports, result, bundle)
    elif name == "gpu" and not any(text.source == "gpu" for text in bundle.texts):
        bundle.add("gpu", "gpus.csv", result)
    elif name == "host":
        bundle.host = _merge_json(result, bundle.host)


def _take_container(ports: Ports, container: RawContainer, bundle: RawBundle) -> None:
    """Log, inspect and the compose files that the container's labels name; files named by options have won already."""
    have = {text.source for text in bundle.texts}
    if "log" not in have:
        bundle.add("log", "server.log", decode(container.log))
    if "inspect" not in have:
        bundle.add("inspect", "inspect.json", container.inspect)
    bundle.image = bundle.image or container.image
    bundle.left_out.extend(container.left_out)
    bundle.host = _merge_json(container.host, bundle.host)
    if "compose" in have:
        return
    files, service, folder = _labels(container.inspect)
    bundle.service = bundle.service or service
    for path in files:
        try:
            bundle.add("compose", ports.files.show(path), _text(ports, path))
        except UsageError as error:
            bundle.left_out.append(error.message.rstrip("."))
    env = f"{folder}/.env" if folder else ""
    if env and ports.files.exists(env):
        with contextlib.suppress(CopilotError):
            bundle.add("compose", ports.files.show(env), _text(ports, env))
    if files:
        bundle.resolved = ports.resolver.resolve(files, folder)


def _labels(inspect: str) -> tuple[list[str], str | None, str | None]:
    """(compose files, service, project folder) from the labels that compose puts on a container."""
    try:
        found = json.loads(inspect)
    except json.JSONDecodeError:
        return [], None, None
    first = found[0] if isinstance(found, list) and found else found
    labels = (first.get("Config") or {}).get("Labels") or {} if isinstance(first, dict) else {}
    files = [path for path in labels.get("com.docker.compose.project.config_files", "").split(",") if path]
    return files, labels.get("com.docker.compose.service"), labels.get("com.docker.compose.project.working_dir")


def _merge_json(new: str, old: str) -> str:
    """Two JSON objects as one; the newer text wins only where the older is silent."""
    merged: dict[str, object] = {}
    for text in (new, old):
        with contextlib.suppress(json.JSONDecodeError):
            value = json.loads(text or "{}")
            if isinstance(value, dict):
                merged.update({key: item for key, item in value.items() if item not in (None, "", [])})
    return json.dumps(merged)
