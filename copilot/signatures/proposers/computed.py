"""What a proposer gives back, and how it is called."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from copilot.model.text import Text
from copilot.signatures.facts import Facts
from copilot.signatures.signature import Scalar


@dataclass(frozen=True, slots=True)
class Computed:
    """One value to try."""

    to: str | None
    """None removes the setting."""
    parameter: str | None = None
    """Where the function chooses the parameter; else the entry's own."""
    words: dict[str, str] = field(default_factory=dict)
    """Further `{names}` that the entry's texts may use."""
    note: Text | None = None
    """A sentence after the entry's reason."""


Proposer: TypeAlias = Callable[[Facts, Mapping[str, str], Mapping[str, Scalar]], tuple[Computed, ...]]
"""(facts, captures, args of the entry) -> values to try, the best first; empty where nothing can be computed."""
