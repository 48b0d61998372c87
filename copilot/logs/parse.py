"""Stored text to numbered lines with their prefixes apart, split into boots."""

import re
from collections import Counter
from dataclasses import replace

from copilot.logs.boots import starts
from copilot.logs.margin import margin
from copilot.logs.prefixes import service_of, split
from copilot.model.log import Boot, Line, Log
from copilot.model.programs import engine_of_image

_FEW = 3
"""In a log of so few lines one mention of a compose service is enough."""


_REPLICA = re.compile(r"[-_]\d+$")
"""The number that compose puts behind a service's name."""


def parse(text: str) -> Log:
    r"""The log of a cleaned text. Line numbers count from 1 and only `\n` ends a line."""
    if not text:
        return Log(())
    texts = text.split("\n")
    if not texts[-1]:
        texts.pop()
    before = margin(texts)
    said = (
        texts if before is None else [before.sub("", text, count=1) if before.match(text) else text for text in texts]
    )
    services = _services(said)
    lines = [_line(number, text, said[number - 1], services) for number, text in enumerate(texts, 1)]
    own = _engine_service(lines)
    firsts = starts(lines, own)
    return _in_boots(lines, firsts, own)


def _line(number: int, text: str, said: str, services: frozenset[str]) -> Line:
    parts = split(said, services)
    return Line(
        number=number,
        text=text,
        message=parts.message,
        process=parts.process,
        pid=parts.pid,
        level=parts.level,
        stamp=parts.stamp,
        place=parts.place,
        service=parts.service,
    )


def _services(texts: list[str]) -> frozenset[str]:
    """Names before a bar that occur more than once, or are numbered as compose does: `x | y` alone may be anything."""
    names = Counter(name for name in map(service_of, texts) if name)
    least = 1 if len(texts) <= _FEW else 2
    return frozenset(name for name, count in names.items() if count >= least or _REPLICA.search(name))


def _engine_service(lines: list[Line]) -> str | None:
    """In a log of several services, the one that prints like an engine, else the one that is called like one."""
    if len({line.service for line in lines}) <= 1:
        return None
    votes = Counter(line.service for line in lines if line.service and (line.process or line.place))
    named = [line.service for line in lines if line.service and engine_of_image(line.service)]
    return votes.most_common(1)[0][0] if votes else next(iter(named), None)


def _in_boots(lines: list[Line], firsts: list[int], own: str | None) -> Log:
    lasts = [first - 1 for first in firsts[1:]] + [len(lines)]
    boots = tuple(Boot(index, first, last) for index, (first, last) in enumerate(zip(firsts, lasts, strict=True)))
    numbered = [
        line if boot.index == 0 else replace(line, boot=boot.index)
        for boot in boots
        for line in lines[boot.first - 1 : boot.last]
    ]
    return Log(tuple(numbered), boots, own)
