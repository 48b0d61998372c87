"""How far a start got: the furthest phase that any of its lines proves to have been entered."""

import re
from collections.abc import Iterable, Sequence
from typing import get_args

from copilot.model.log import Line
from copilot.model.words import Phase

ORDER: tuple[Phase, ...] = get_args(Phase)
Marks = Sequence[tuple[Phase, re.Pattern[str]]]


def furthest(lines: Iterable[Line], marks: Marks) -> Phase:
    """The last phase in order of which one of the lines is a mark."""
    reached = 0
    pending = [(ORDER.index(phase), pattern) for phase, pattern in marks]
    for line in lines:
        for rank, pattern in pending:
            if rank > reached and pattern.search(line.message):
                reached = rank
    return ORDER[reached]
