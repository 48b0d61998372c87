"""A stretch of text that must go."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """`text[start:end]` holds a secret of the type `kind`; `value` is the secret without what broke it apart."""

    start: int
    end: int
    kind: str
    value: str
    rank: int = 0
    """Where spans overlap, the lowest names the placeholder: shapes know more than names, names more than chance."""
    part: bool = False
    """A further piece of a secret that is already counted (a key over lines)."""
