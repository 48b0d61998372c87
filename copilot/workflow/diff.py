"""The diff of the person's own file, computed at the very end from the text that a port reads then."""

from collections.abc import Iterable

from copilot.compose import change as change_compose
from copilot.errors import UsageError
from copilot.logs import decode
from copilot.model.answer import Change
from copilot.workflow.state import Ports, State


def diff_for(ports: Ports, state: State, changes: Iterable[Change]) -> str | None:
    """A unified diff for all changes of one restart; None where there is no compose file of the person's.

    Raises UsageError when the file cannot be read any more or the change cannot be made in it.
    """
    service = state["findings"].service
    if service.compose_file is None or service.name is None:
        return None
    raw = _raw(ports, state, service.compose_file)
    edits = tuple((change.parameter, change.to) for change in changes)
    return change_compose(raw, service.compose_file, service.name, edits).diff or None


def _raw(ports: Ports, state: State, file: str) -> str:
    """The file as it is on disk now; for a collected folder the redacted copy is all there is."""
    sources = state["sources"]
    if sources.directory is None and ports.files.exists(file):
        return decode(ports.files.read(file))
    stored = state["evidence"].text("compose", file)
    if stored is None:
        raise UsageError(f"{file} cannot be read any more.", "Give it with --compose.")
    return stored.text
