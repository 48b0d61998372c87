"""The answer, schema `copilot.answer/1` of the contract. Keys are only added, never renamed."""

from typing import Literal

from pydantic import ConfigDict, Field

from copilot.model.text import Frozen
from copilot.model.words import Category, Confidence, Role, SourceName, Status, Topic, VersionFrom


class EngineInfo(Frozen):
    """Which engine failed, and how its version is known."""

    name: str | None
    version: str | None
    version_from: VersionFrom | None


class AnsweredBy(Frozen):
    """Who worded the answer, at which cost."""

    provider: str
    model: str | None = None
    fallback_from: str | None = None
    prompt: str | None = None
    """Fingerprint of the prompt file."""
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0


class Fault(Frozen):
    """One independent cause."""

    id: str
    category: Category
    title: str
    cause: str
    parameters: tuple[str, ...]
    blocking: bool
    confidence: Confidence


class MappedLine(Frozen):
    """One decisive line, or one setting on a fault's path, with its parameter and role."""

    source: SourceName
    line: int
    text: str
    parameter: str | None
    role: Role
    fault: str | None
    topic: Topic
    why: str
    file: str = ""


class LedgerRow(Frozen):
    """A row of the ledger; `from` says where the number comes from."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    name: str
    gib: float
    origin: str = Field(alias="from")
    low: float | None = None
    high: float | None = None
    note: str = ""


class LedgerView(Frozen):
    """The ledger as the answer shows it."""

    rows: tuple[LedgerRow, ...]
    verdict: str
    fits: bool | None
    conflicts: tuple[str, ...] = ()


class Change(Frozen):
    """One parameter, from what to what; `to` null removes it."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    parameter: str
    before: str | None = Field(alias="from")
    to: str | None


class Expect(Frozen):
    """What the next start shows if the idea is right, and if it is wrong."""

    if_right: str
    if_wrong: str
    watch: tuple[str, ...] = ()


class Predicted(Frozen):
    """What the ledger expects of the next start, in GiB."""

    kv_available: float
    kv_needed: float | None
    text: str


class Experiment(Frozen):
    """ONE change, or one observation."""

    fault: str | None
    kind: Literal["change", "observe"]
    revert: tuple[Change, ...] = ()
    change: Change | None
    replaces: str | None = None
    """The renamed, removed or misspelt setting that the change stands in for; it goes in the same edit."""
    observe: str | None = None
    why: str
    predicted: Predicted | None = None
    """Only where the change touches GPU memory and the ledger tells."""
    diff: str | None = None
    commands: tuple[str, ...] = ()
    expect: Expect
    undo: str = ""


class CheckResult(Frozen):
    """One rule the answer was held against."""

    check: str
    passed: bool
    detail: str = ""


class ComparedLine(Frozen):
    """A line that came or went."""

    line: int
    text: str
    topic: Topic


class ComparedChange(Frozen):
    """The same message with another value."""

    a: ComparedLine
    b: ComparedLine


class Compared(Frozen):
    """The boot of this round against the last round's."""

    verdict: Literal["fixed", "moved", "same", "worse", "unclear"]
    same: int
    gone: tuple[ComparedLine, ...]
    new: tuple[ComparedLine, ...]
    changed: tuple[ComparedChange, ...] = ()
    phase: dict[str, str] = Field(default_factory=dict)
    note: str = ""


class Answer(Frozen):
    """The whole document."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Literal["copilot.answer/1"] = Field(default="copilot.answer/1", alias="schema")
    session: str
    round: int
    status: Status
    engine: EngineInfo
    answered_by: AnsweredBy
    faults: tuple[Fault, ...]
    lines: tuple[MappedLine, ...]
    ledger: LedgerView | None
    experiment: Experiment | None
    verify: tuple[str, ...]
    checks: tuple[CheckResult, ...]
    missing: tuple[str, ...]
    redactions: dict[str, int]
    compared: Compared | None = None
