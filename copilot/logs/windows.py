"""The part of a log worth reading: ±30 lines around what matters, within a budget, with the gaps marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from copilot.model.log import Line, Log

_FRAME = 12
"""Characters of a rendered line besides its text: number, bar, newline."""
_GAP = 40
"""Characters of a marker for lines left out."""
_HEAD = 12
"""Lines of the last boot's beginning: banner, version, arguments."""
_HEAD_SHARE = 4
"""The beginning may take at most this part of the budget (one over)."""


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive lines of the log, `first` to `last`, both included."""

    first: int
    last: int
    lines: tuple[Line, ...]


def windows(log: Log, centres: Sequence[int], radius: int = 30, budget_chars: int = 60_000) -> tuple[Window, ...]:
    """The lines around `centres` (most important first) that fit into `budget_chars` when rendered.

    A centre's own line comes before its surroundings, those nearest first; then the next centre's. The beginning of
    the last boot is kept where it is cheap. Numbers outside of the log are ignored.
    """
    order = _by_importance(log, centres, radius)
    kept: set[int] = set()
    spent = 2 * _GAP
    for number in order:
        if number in kept:
            continue
        cost = _cost(log, number, kept)
        if spent + cost <= budget_chars:
            kept.add(number)
            spent += cost
    return _runs(log, kept)


def render_windows(log: Log, cut: Sequence[Window]) -> str:
    """The windows as text: `  42 | line`, and `[12 lines left out]` for every gap, at the ends too."""
    width = len(str(len(log.lines)))
    parts: list[str] = []
    after = 0
    for window in cut:
        parts += _gap(window.first - after - 1)
        parts += [f"{line.number:>{width}} | {line.text}" for line in window.lines]
        after = window.last
    return "\n".join([*parts, *_gap(len(log.lines) - after)])


def _gap(count: int) -> list[str]:
    if count <= 0:
        return []
    return ["[1 line left out]" if count == 1 else f"[{count} lines left out]"]


def _by_importance(log: Log, centres: Sequence[int], radius: int) -> list[int]:
    inside = [centre for centre in centres if 1 <= centre <= len(log.lines)]
    order = list(inside)
    if log.boots:
        first = log.boots[-1].first
        order += range(first, min(first + _HEAD, log.boots[-1].last + 1))
    for centre in inside:
        for distance in range(1, radius + 1):
            order += (centre - distance, centre + distance)
    return [number for number in order if 1 <= number <= len(log.lines)]


def _cost(log: Log, number: int, kept: set[int]) -> int:
    """Characters that this line adds; a line beside no kept one opens another gap."""
    beside = number - 1 in kept or number + 1 in kept
    return len(log.lines[number - 1].text) + _FRAME + (0 if beside else _GAP)


def _runs(log: Log, kept: set[int]) -> tuple[Window, ...]:
    found: list[Window] = []
    first = last = 0
    for number in [*sorted(kept), 0]:
        if last and number == last + 1:
            last = number
            continue
        if last:
            found.append(Window(first, last, log.lines[first - 1 : last]))
        first = last = number
    return tuple(found)
