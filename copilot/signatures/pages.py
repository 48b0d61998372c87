"""The texts of one evidence as pages of lines, made for many quick searches."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from copilot.model.evidence import SourceText
from copilot.model.log import Line, Log
from copilot.model.words import SourceName
from copilot.signatures.literal import literals
from copilot.signatures.signature import Condition, Look

MOST = 40
"""Lines of one pattern that are looked at: a fault that is printed more often is the same fault."""
_FRAME = re.compile(r'(?P<indent>\s*)File ".+", line \d+')
_RAISED = re.compile(r"\s+(?:raise [\w.]+\b|\^[\^~]*\s*$)")


@dataclass(frozen=True, slots=True)
class Page:
    """A boot of the log, or another text of the evidence."""

    source: SourceName
    file: str
    lines: tuple[Line, ...]
    lowered: str
    starts: tuple[int, ...]
    """Where each line starts in `lowered`."""
    boot: int | None = None
    code: frozenset[int] = frozenset()
    """Numbers of the lines that a traceback prints from the source: what could be said there, not what was said."""

    def may_hold(self, needles: tuple[str, ...]) -> Iterator[Line]:
        """The lines that hold one of the texts, in order; every line where there is none to look for."""
        if not needles:
            yield from self.lines
            return
        seen: set[int] = set()
        for needle in needles:
            at = self.lowered.find(needle)
            while at >= 0:
                index = bisect_right(self.starts, at) - 1
                seen.add(index)
                following = index + 1
                at = self.lowered.find(needle, self.starts[following]) if following < len(self.starts) else -1
        for index in sorted(seen):
            yield self.lines[index]


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that a pattern matched."""

    page: Page
    line: Line
    captures: dict[str, str]
    before: str = ""
    """What the line says before the match."""

    @property
    def key(self) -> tuple[str, str, int]:
        """Where it is."""
        return (self.page.source, self.page.file, self.line.number)


def page(source: SourceName, file: str, lines: tuple[Line, ...], boot: int | None = None) -> Page:
    """A page of these lines."""
    lowered = [line.message.lower() for line in lines]
    starts = tuple(accumulate((len(text) + 1 for text in lowered), initial=0))[:-1]
    return Page(
        source, file, lines, "\n".join(lowered), starts, boot, source_echoes(lines) if source == "log" else frozenset()
    )


def source_echoes(lines: Iterable[Line]) -> frozenset[int]:
    """Numbers of the lines that hold source code: below a traceback's frame, or a `raise` whose frame was cut off."""
    found = set()
    frames: dict[object, int] = {}
    for line in lines:
        writer = (line.process, line.pid, line.place)
        frame = _FRAME.match(line.message)
        depth = len(line.message) - len(line.message.lstrip())
        if frame:
            frames[writer] = len(frame["indent"])
        elif depth > frames.get(writer, depth) or _RAISED.match(line.message):
            found.add(line.number)
        else:
            frames.pop(writer, None)
    return frozenset(found)


def boots(log: Log) -> tuple[Page, ...]:
    """One page per boot, in log order."""
    if not log.boots:
        return (page("log", "", log.lines, 0),) if log.lines else ()
    return tuple(page("log", "", log.of_boot(boot.index), boot.index) for boot in log.boots)


def other(texts: Iterable[SourceText]) -> tuple[Page, ...]:
    """One page per text that is not the log."""
    return tuple(page(t.source, t.file, _lines(t)) for t in texts if t.source != "log")


def _lines(text: SourceText) -> tuple[Line, ...]:
    plain = _unescaped if text.source == "inspect" else str
    return tuple(Line(number, line, plain(line)) for number, line in enumerate(text.text.split("\n"), 1))


def _unescaped(line: str) -> str:
    """A line of inspect's JSON with the escapes of its string undone."""
    if "\\" not in line:
        return line
    return re.sub(r'"(?:[^"\\]|\\.)*"', lambda m: '"' + _decoded(m.group()) + '"', line)


def _decoded(quoted: str) -> str:
    try:
        return " ".join(str(json.loads(quoted)).split())
    except ValueError:
        return quoted[1:-1]


@cache
def _compiled(pattern: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    return re.compile(pattern), literals(pattern)


def find(look: Look | Condition, pages: Iterable[Page]) -> Iterator[Hit]:
    """The lines that a pattern matches, page by page, in order; `MOST` at the most.

    Source code that a traceback shows counts only where no line says the same: `raise X("…")` is not the message.
    """
    echoes: list[Hit] = []
    count = 0
    for hit in _hits(look, pages):
        if hit.line.number in hit.page.code:
            echoes.append(hit)
            continue
        yield hit
        count += 1
        if count >= MOST:
            return
    if not count:
        yield from echoes[:MOST]


def _hits(look: Look | Condition, pages: Iterable[Page]) -> Iterator[Hit]:
    regex, needles = _compiled(look.pattern or "")
    for place in pages:
        if place.source not in look.sources:
            continue
        for line in place.may_hold(needles):
            if look.level and line.level not in look.level:
                continue
            found = regex.search(line.message)
            if found:
                captures = {k: v for k, v in found.groupdict().items() if v is not None}
                yield Hit(place, line, captures, line.message[: found.start()])
