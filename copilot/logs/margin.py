"""What a mail, an issue or an editor puts before every line of a pasted log: quote marks, indentation, line numbers."""

import re
from collections.abc import Sequence
from itertools import pairwise

_QUOTED = re.compile(r" ?> ?")
_NUMBERED = re.compile(r"\s{0,8}(\d{1,7})(?:[:|.] ?|\t|  )")
_LOOKS_LIKE = 400
"""Lines that are looked at: a margin is there from the first line on."""
_FEWEST = 3
_NEARLY_ALL = 0.95
_START = re.compile(
    r"\([A-Z]\w+ (?:rank=\d+ )?pid=|\[?(?:INFO|WARN|ERROR|DEBUG|CRITICAL)\b|\d{4}[-/]\d\d[-/]\d\d|time=\S+ level=|"
    r"\[GIN\]|Traceback \(|[\w.-]+ +\| "
)
"""A line that a program prints from the first column on."""


def margin(texts: Sequence[str]) -> re.Pattern[str] | None:
    """A pattern for what stands before each line and is not the log's; None where there is nothing."""
    lines = [text for text in texts[:_LOOKS_LIKE] if text.strip()]
    if len(lines) < _FEWEST:
        return None
    if _share(_QUOTED, lines) >= _NEARLY_ALL:
        return _QUOTED
    if _counts_up(lines):
        return _NUMBERED
    width = min(len(line) - len(line.lstrip(" ")) for line in lines)
    if width >= 1 and any(_START.match(line[width:]) for line in lines):
        return re.compile(f" {{{width}}}")
    return None


def _share(pattern: re.Pattern[str], lines: Sequence[str]) -> float:
    return sum(pattern.match(line) is not None for line in lines) / len(lines)


def _counts_up(lines: Sequence[str]) -> bool:
    """Whether the lines carry numbers, each larger than the one before."""
    found = [_NUMBERED.match(line) for line in lines]
    numbers = [int(match[1]) for match in found if match]
    rising = sum(a < b for a, b in pairwise(numbers))
    return len(numbers) >= _NEARLY_ALL * len(lines) and rising >= _NEARLY_ALL * (len(numbers) - 1)
