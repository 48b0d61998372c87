"""A log after reading: numbered lines, their prefixes taken apart, and the boots they belong to."""

from dataclasses import dataclass

from copilot.model.words import Phase


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the stored log. `text` is what is stored and cited; `message` is what the program said."""

    number: int
    """From 1, in the stored log; the same everywhere."""
    text: str
    message: str
    """`text` without compose, timestamp, process and logger prefixes."""
    process: str | None = None
    """The engine process that wrote it, as printed: `EngineCore_DP0`, `APIServer`, `Worker_TP1` ..."""
    pid: int | None = None
    level: str | None = None
    """DEBUG, INFO, WARNING, ERROR, CRITICAL where the line states one."""
    stamp: str | None = None
    """The time as printed, if any."""
    place: str | None = None
    """The `[file.py:123]` of the logger, without the brackets."""
    boot: int = 0
    service: str | None = None
    """The compose service or pod that a log collector put before the line, if any."""


@dataclass(frozen=True, slots=True)
class Boot:
    """One start of the server inside the log."""

    index: int
    """From 0, in log order."""
    first: int
    """Number of the first line."""
    last: int
    phase: Phase = "none"
    """How far it got."""
    ready: bool = False
    """It answered, or said that it serves."""


@dataclass(frozen=True, slots=True)
class Log:
    """The parsed log."""

    lines: tuple[Line, ...]
    boots: tuple[Boot, ...] = ()
    service: str | None = None
    """In a log of several services: the one that runs the engine, where that can be told."""

    def line(self, number: int) -> Line:
        """The line with this number; IndexError where there is none."""
        index = number - self._start
        if not 0 <= index < len(self.lines):
            raise IndexError(number)
        return self.lines[index]

    def of_boot(self, index: int) -> tuple[Line, ...]:
        """The lines of one boot."""
        return self.between(self.boots[index])

    def between(self, boot: Boot) -> tuple[Line, ...]:
        """The lines of a boot of this log."""
        return self.lines[boot.first - self._start : boot.last - self._start + 1]

    def last_boot(self) -> "Log":
        """The log cut to its last boot; its lines keep their numbers."""
        if not self.boots:
            return self
        return Log(self.between(self.boots[-1]), self.boots[-1:], self.service)

    @property
    def _start(self) -> int:
        """The number of the first line: 1, or more where the log is cut to a boot."""
        return self.lines[0].number if self.lines else 1


@dataclass(frozen=True, slots=True)
class Decisive:
    """A line that the structure of the log (not a signature) marks as important."""

    number: int
    kind: str
    """`exception`, `argparse`, `pydantic`, `fatal`, `signal`, `http`, `daemon`, `wrapper`, or `hint` (words only)."""
    weight: int
    """Higher decides more: the innermost cause over its wrapper, the last boot over earlier ones."""
    also: tuple[int, ...] = ()
    """Other lines that print the same thing (the other processes' copies)."""
