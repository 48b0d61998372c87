"""Notice a new start of a container by itself, for `copilot next --wait`."""

import json
import time
from collections.abc import Callable

from copilot.errors import CopilotError, UsageError
from copilot.model.request import Sources
from copilot.ports import Containers, RawContainer

INTERVAL = 2.0
"""Seconds between two looks."""
SETTLED = 3
"""Looks without a new log line after which a running start is read as it is."""
SERVING = (b"Application startup complete", b"Uvicorn running on", b"Listening on ")


def wait_for_boot(
    containers: Containers, sources: Sources, known: str, pause: Callable[[float], None] = time.sleep
) -> None:
    """Return when the container has started after `known` (its State.StartedAt) and that start ended or serves.

    UsageError for a session that was begun from files: there is no container to watch.
    """
    if sources.container is None and sources.explicit:
        raise UsageError("This session was begun from files.", "Give the new log: copilot next --log FILE.")
    name = sources.container or _first(containers)
    seen = 0
    size = -1
    while True:
        container = _look(containers, name)
        if container is not None and _started(container) not in ("", known):
            if container.state != "running" or any(mark in container.log for mark in SERVING):
                return
            seen = seen + 1 if len(container.log) == size else 0
            size = len(container.log)
            if seen >= SETTLED * 20:
                return
        pause(INTERVAL)


def _first(containers: Containers) -> str:
    """The newest ill container."""
    ill = containers.ill()
    if not ill:
        raise UsageError("There is no ill container to watch.", "Name one: copilot ask CONTAINER.")
    return ill[0].name


def _look(containers: Containers, name: str) -> RawContainer | None:
    """The container, or None while it is being created anew."""
    try:
        return containers.read(name, 200)
    except CopilotError:
        return None


def _started(container: RawContainer) -> str:
    """State.StartedAt."""
    found = json.loads(container.inspect)
    first = found[0] if isinstance(found, list) else found
    return str((first.get("State") or {}).get("StartedAt") or "")
