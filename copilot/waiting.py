"""Notice a new start of a container by itself: for `copilot next --wait`, and while a person is asked on a terminal."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass

from copilot.errors import CopilotError, UsageError
from copilot.model.request import Sources
from copilot.ports import Containers, RawContainer

INTERVAL = 2.0
"""Seconds between two looks."""
SETTLED = 60
"""Looks without a new log line after which a running start is read as it is."""
SERVING = (b"Application startup complete", b"Uvicorn running on", b"Listening on ")


@dataclass
class Watch:
    """A container, and the start of it that is known already."""

    containers: Containers
    name: str
    known: str
    """State.StartedAt of the known start; any other start is new."""
    looks: int = 0
    """Looks since the log last grew."""
    size: int = -1

    def again(self) -> bool:
        """Whether a new start has ended, serves, or stands still."""
        container = self._look()
        if container is None or started(container) in ("", self.known):
            return False
        if container.state != "running" or any(mark in container.log for mark in SERVING):
            return True
        self.looks = self.looks + 1 if len(container.log) == self.size else 0
        self.size = len(container.log)
        return self.looks >= SETTLED

    def _look(self) -> RawContainer | None:
        """The container, or None while it is being created anew."""
        try:
            return self.containers.read(self.name, 200)
        except CopilotError:
            return None


def wait_for_boot(
    containers: Containers, sources: Sources, known: str, pause: Callable[[float], None] = time.sleep
) -> None:
    """Return when the container has started after `known` (its State.StartedAt) and that start ended or serves.

    UsageError for a session that was begun from files: there is no container to watch.
    """
    if sources.container is None and sources.explicit:
        raise UsageError("This session was begun from files.", "Give the new log: copilot next --log FILE.")
    watch = Watch(containers, sources.container or _first(containers), known)
    while not watch.again():
        pause(INTERVAL)


def _first(containers: Containers) -> str:
    """The newest ill container."""
    ill = containers.ill()
    if not ill:
        raise UsageError("There is no ill container to watch.", "Name one: copilot ask CONTAINER.")
    return ill[0].name


def started(container: RawContainer) -> str:
    """State.StartedAt; empty where inspect does not tell."""
    found = json.loads(container.inspect)
    first = found[0] if isinstance(found, list) and found else found
    return str((first.get("State") or {}).get("StartedAt") or "") if isinstance(first, dict) else ""
