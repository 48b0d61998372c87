"""`copilot.comparison/1`: two boots side by side."""

from typing import Literal

from pydantic import ConfigDict, Field

from copilot.model.answer import ComparedChange, ComparedLine, Experiment
from copilot.model.text import Frozen
from copilot.model.words import Phase, Verdict

Effect = Literal["none", "some", "not_read", "unknown"]


class Phases(Frozen):
    """How far each side got."""

    a: Phase
    b: Phase


class SwitchEffect(Frozen):
    """Whether a switch did anything, why that can be said, and what else touches its path."""

    name: str
    effect: Effect
    because: str
    same_path: tuple[str, ...] = ()


class ComparisonDocument(Frozen):
    """The whole document; A is the earlier boot."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Literal["copilot.comparison/1"] = Field(default="copilot.comparison/1", alias="schema")
    verdict: Verdict
    phase: Phases
    same: int = 0
    gone: tuple[ComparedLine, ...] = ()
    new: tuple[ComparedLine, ...] = ()
    changed: tuple[ComparedChange, ...] = ()
    parameter: SwitchEffect | None = None
    experiment: Experiment | None = None
