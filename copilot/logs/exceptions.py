"""Exceptions as Python prints them: the last line of a traceback, and what it was raised from."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from copilot.model.log import Line

_NAMED = re.compile(
    r" ?(?P<name>(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*"
    r"(?:Error(?:_\w+)?|Exception|Exit|Interrupt|Expired|Died|Fault|NotFound|IsEnabled|Warning))"
    r"(?:\([\w.]+\))?(?::(?= |$)(?P<text>.*)|$)"
)
_DOTTED = re.compile(r"(?P<name>(?:[A-Za-z_]\w*\.)*[A-Z]\w+)(?::(?P<text> .*)|$)")
_FRAME = re.compile(r'\s*File ".+", line \d+|\s{2,}\S|\s+\^')
_TRACEBACK = re.compile(r"Traceback \(most recent call last\)|Stack \(most recent call")
_DIRECT = "The above exception was the direct cause of the following exception"
_DURING = "During handling of the above exception, another exception occurred"
LINK = (_DIRECT, _DURING)
"""Sentences that Python prints between the exceptions of a chain."""
_NOT_RAISED = re.compile(r"\w*Warning(?::|$)")


@dataclass(frozen=True, slots=True)
class Raised:
    """One exception line."""

    line: Line
    name: str
    """Class, with its module where printed."""
    text: str
    cause: "Raised | None" = None
    """What it was raised from, or while handling what."""
    direct: bool = False
    """Raised from `cause` on purpose, not while handling it."""

    @property
    def short(self) -> str:
        """The class without its module."""
        return self.name.rpartition(".")[2]


@dataclass(slots=True)
class _Stream:
    """What one process is in the middle of printing."""

    in_frames: bool = False
    last: Raised | None = None
    link: str | None = None


def raised(lines: Iterable[Line]) -> list[Raised]:
    """All exception lines in log order, with their chains, told apart by the process that prints them."""
    streams: dict[tuple[str | None, int | None, str | None], _Stream] = {}
    found: list[Raised] = []
    for line in lines:
        stream = streams.setdefault((line.process, line.pid, line.place if line.level else None), _Stream())
        exception = _read(line, stream)
        if exception:
            found.append(exception)
    return found


def _read(line: Line, stream: _Stream) -> Raised | None:
    message = line.message
    if _TRACEBACK.match(message):
        stream.in_frames = True
        return None
    if message.startswith(LINK):
        stream.link, stream.in_frames = message, True
        return None
    if _FRAME.match(message):
        stream.in_frames = True
        return None
    named = _NAMED.match(message) or (_DOTTED.match(message) if stream.in_frames else None)
    if named is None or _NOT_RAISED.match(named["name"].rpartition(".")[2]):
        stream.in_frames = stream.in_frames and not message.strip()
        return None
    cause = stream.last if stream.link else None
    direct = stream.link is not None and stream.link.startswith(_DIRECT)
    exception = Raised(line, named["name"], (named["text"] or "").strip(), cause, direct)
    stream.last, stream.link, stream.in_frames = exception, None, False
    return exception
