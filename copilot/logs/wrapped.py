"""Lines that a terminal broke at its right edge, put together again."""

import re

_NARROWEST, _WIDEST = 60, 250
"""Widths of terminals, in characters."""
_USUAL = (80, 100, 120, 132, 160, 200)
_SHORT = 8
"""Lines of a paste in which a single broken line is believed."""
_OFTEN = 0.04
"""Share of the lines that reach the edge in a log that was broken there; in others the longest line is nearly alone."""
_MOST = 0.75
"""Share of the lines at the edge that go on: the rest just have that length."""
_BEGINS = re.compile(
    r"\s*$|\([A-Z]\w+ (?:rank=\d+ )?pid=|\[?(?:INFO|WARN|ERROR|DEBUG|CRITICAL)|\[?\d{4}[-/]\d\d[-/]\d\d|time=|\[GIN|"
    r'Traceback \(|\s+File "|\s{2,}(?:For further|Value error)|[\w.-]+ +\| |[|+│├╭╰]'
)
"""What only the beginning of a line looks like."""
_FRAMED = re.compile(r"[|+│┤╮╯]\s*$")
_ALIKE = 16
"""Characters that two lines of one list or progress bar share at their beginning."""


def rejoined(lines: list[str]) -> list[str]:
    """The lines as the program printed them; the same ones where nothing was broken."""
    width = max(map(len, lines), default=0)
    if not _NARROWEST <= width <= _WIDEST:
        return lines
    full = [index for index in range(len(lines) - 1) if len(lines[index]) == width]
    broken = {index for index in full if _goes_on(lines[index], lines[index + 1])}
    if not broken or not _by_a_terminal(len(lines), len(full), len(broken), width):
        return lines
    whole: list[str] = []
    for index, line in enumerate(lines):
        if index and index - 1 in broken:
            whole[-1] += line
        else:
            whole.append(line)
    return whole


def _goes_on(line: str, following: str) -> bool:
    """Whether the next line can be the rest of this one."""
    return (
        not _FRAMED.search(line)
        and not _BEGINS.match(following)
        and (line[:_ALIKE] != following[:_ALIKE] or len(set(line[:_ALIKE])) == 1)
    )


def _by_a_terminal(lines: int, full: int, broken: int, width: int) -> bool:
    """Whether an edge broke the lines that reach it: otherwise it is the length of what was said."""
    if broken < _MOST * full:
        return False
    usual = width in _USUAL
    if lines <= _SHORT:
        return usual or broken > 1
    return broken >= (2 if usual else 5) and broken >= _OFTEN * lines
