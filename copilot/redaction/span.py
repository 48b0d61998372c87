"""A stretch of text that must go."""

import sys
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """`text[start:end]` holds a secret of the type `kind`; `value` is the secret without what broke it apart."""

    start: int
    end: int
    kind: str
    value: str
    rank: int = 0
    """Where spans overlap, the lowest names the placeholder: shapes know more than names, names more than chance."""
    part: bool = False
    """A further piece of a secret that is already counted (a key over lines)."""


def inside(start: int, end: int, stretches: Sequence[tuple[int, int]]) -> bool:
    """All of it lies in the last of the stretches, which are in order, that begins before it."""
    following = bisect_right(stretches, (start, sys.maxsize))
    return following > 0 and stretches[following - 1][1] >= end
