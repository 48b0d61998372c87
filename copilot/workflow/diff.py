"""The diff of the person's own file, computed at the very end from the text that a port reads then."""

from collections.abc import Iterable
from dataclasses import replace

from copilot.compose import ComposeFile
from copilot.compose import change as change_compose
from copilot.errors import UsageError
from copilot.logs import decode
from copilot.model.answer import Change
from copilot.model.evidence import Service
from copilot.workflow.state import Ports, State


def diff_for(ports: Ports, state: State, changes: Iterable[Change]) -> str | None:
    """A unified diff of each file that the changes of one restart touch; None where no file of the person's does.

    Raises UsageError when the file cannot be read any more or the change cannot be made in it.
    """
    service = state["findings"].service
    if service.compose_file is None:
        return None
    files: dict[str, ComposeFile] = {}
    diffs = []
    for change in changes:
        name = _home(service, change.parameter) or service.compose_file
        compose = files.get(name) or _file(ports, state, name)
        found = change_compose(compose, service.name, change.parameter, change.to)
        if found.diff is None:
            return None
        diffs.append(found.diff)
        files[name] = _after(compose, found.file, found.text_after)
    return "".join(diffs) or None


def _home(service: Service, parameter: str) -> str | None:
    """The file that decides the value, of several; for a new flag the one with the command that counts."""
    known = [s for s in service.settings if s.source == "compose" and s.file]
    places = [s.file for s in known if s.parameter == parameter]
    if not places and parameter.startswith("-"):
        places = [s.file for s in known if s.parameter == "docker:command"]
    return places[-1] if places else None


def _after(compose: ComposeFile, file: str, text: str) -> ComposeFile:
    """The file (or its `.env`) with one change made, for the next one."""
    if file == compose.env_name:
        return replace(compose, env_raw=text, env_redacted="")
    return replace(compose, raw=text, redacted="")


def _file(ports: Ports, state: State, name: str) -> ComposeFile:
    """The compose file and the `.env` beside it, as they are now."""
    redacted = state["evidence"].text("compose", name)
    env_name = next(
        (t.file for t in state["evidence"].texts if t.source == "compose" and t.file.endswith(".env")), None
    )
    env = state["evidence"].text("compose", env_name) if env_name else None
    return ComposeFile(
        name=name,
        raw=_raw(ports, state, name),
        redacted=redacted.text if redacted else "",
        env_name=env_name or ".env",
        env_raw=_raw(ports, state, env_name) if env_name else None,
        env_redacted=env.text if env else "",
    )


def _raw(ports: Ports, state: State, file: str) -> str:
    """The file as it is on disk now; for a collected folder the redacted copy is all there is."""
    sources = state["sources"]
    if sources.directory is None and ports.files.exists(file):
        return decode(ports.files.read(file))
    stored = state["evidence"].text("compose", file)
    if stored is None:
        raise UsageError(f"{file} cannot be read any more.", "Give it with --compose.")
    return stored.text
