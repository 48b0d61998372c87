"""What code found in the evidence, and what it would try."""

from pydantic import Field

from copilot.model.architecture import Architecture
from copilot.model.evidence import Service
from copilot.model.ledger import Ledger
from copilot.model.text import Frozen, Text
from copilot.model.words import Category, Confidence, Phase, Role, SourceName, Topic, Verdict, VersionFrom


class LineRef(Frozen):
    """A line of some source with the parameter it concerns and the role it plays."""

    source: SourceName
    line: int
    text: str
    """Verbatim."""
    role: Role
    parameter: str | None = None
    topic: Topic = "other"
    why: Text
    file: str = ""


class Proposal(Frozen):
    """One change (or one observation) that a finding would try."""

    kind: str = "change"
    """`change` or `observe`."""
    parameter: str | None = None
    to: str | None = None
    """The new value; None with kind `change` means: remove the setting."""
    replaces: str | None = None
    """A written setting that gives way to this one in the same edit: a misspelt or renamed parameter."""
    observe: Text | None = None
    """With kind `observe`: what to look at, and how."""
    why: Text
    if_right: Text
    if_wrong: Text
    watch: tuple[str, ...] = ()
    """Texts to look for in the next log."""
    cost: int = 0
    """Order among the proposals of a finding: the least cost first."""


class Finding(Frozen):
    """One thing that code is sure it saw."""

    id: str
    """Signature id, or `setting:...`, `ledger:...`, `container:...`."""
    origin: str = "signature"
    """signature, setting, ledger, container, comparison"""
    category: Category
    topic: Topic = "other"
    parameters: tuple[str, ...]
    """Ordered; the first is the one the user would turn."""
    confidence: Confidence
    blocking: bool = True
    """It stops the start (or the request); false: a silent or harmless-for-now fault."""
    boot: int = 0
    """Index of the last boot in which it was seen."""
    phase: Phase = "none"
    """Where in the start it strikes: what blocks first, first."""
    title: Text
    cause: Text
    lines: tuple[LineRef, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    captures: dict[str, str] = Field(default_factory=dict)
    supersedes: tuple[str, ...] = ()
    """Ids of findings that are only symptoms or wrappers of this one."""
    weight: int = 0
    """Tie-breaker: the more specific signature wins the same line."""


class CompareLine(Frozen):
    """A line of one side of a comparison."""

    line: int
    text: str
    topic: Topic = "other"


class ChangedLine(Frozen):
    """The same message with another value."""

    a: CompareLine
    b: CompareLine


class Comparison(Frozen):
    """Two boots side by side; A is the earlier."""

    verdict: Verdict
    phase_a: Phase
    phase_b: Phase
    same: int = 0
    """Lines that both have."""
    gone: tuple[CompareLine, ...] = ()
    new: tuple[CompareLine, ...] = ()
    changed: tuple[ChangedLine, ...] = ()
    note: Text | None = None
    """How far off the last round's prediction was."""


class Findings(Frozen):
    """All that the find node knows about one evidence."""

    engine: str | None = None
    version: str | None = None
    version_from: VersionFrom | None = None
    service: Service = Service()
    """The service with the settings that the engine itself printed."""
    architecture: Architecture | None = None
    """The model's shape, from the evidence or by the name that the engine printed."""
    found: tuple[Finding, ...] = ()
    ledger: Ledger | None = None
    comparison: Comparison | None = None
    healthy: bool = False
    """The last boot serves (or ended by request) and nothing failed."""
    failed: bool = False
    """Something failed, recognised or not."""
    centres: tuple[int, ...] = ()
    """Log lines that matter, most important first: windows are cut around them."""
    structural: tuple[int, ...] = ()
    """Log lines that the structure of the log marks as causes, most important first (known signature or not)."""
    noise: tuple[int, ...] = ()
    """Log lines that are known wrappers, shutdown noise or harmless warnings: never a cause."""
    phase: Phase = "none"
    """How far the last boot got."""
    late: bool = False
    """The log begins after the start's own beginning: its cause may stand above the first line."""
    patient: bool = False
    """The provider is the very server that failed."""
    notes: tuple[Text, ...] = ()
    """Remarks for `missing`: an unknown version and what it costs, an unpinned image ..."""
