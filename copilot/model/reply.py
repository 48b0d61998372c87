"""What a provider (a model, or the playbook) replies. Field order is made for reasoning before concluding."""

from pydantic import Field

from copilot.model.text import Frozen
from copilot.model.words import Category, Confidence, Role, SourceName, Topic


class ReplyLine(Frozen):
    """One entry of the line map; the text is looked up by number, never taken from the model."""

    source: SourceName = "log"
    line: int
    file: str = ""
    why: str = ""
    parameter: str | None = None
    role: Role = "context"
    fault: str | None = None
    topic: Topic = "other"


class ReplyFault(Frozen):
    """One independent cause."""

    id: str
    cause: str
    title: str
    parameters: tuple[str, ...]
    category: Category
    blocking: bool = True
    confidence: Confidence


class ReplyExperiment(Frozen):
    """One change or one observation. `revert` and commands are ours, not the model's."""

    fault: str | None = None
    why: str
    kind: str = "change"
    parameter: str | None = None
    to: str | None = None
    observe: str | None = None
    if_right: str = ""
    if_wrong: str = ""
    watch: tuple[str, ...] = ()


class Reply(Frozen):
    """A whole reply, before the checks."""

    lines: tuple[ReplyLine, ...] = ()
    faults: tuple[ReplyFault, ...] = ()
    experiment: ReplyExperiment | None = None
    status: str = "diagnosed"
    missing: tuple[str, ...] = Field(default=())


class Objection(Frozen):
    """What a check has against a reply. `where` points at the part that must go if it is not mended."""

    check: str
    detail: str
    where: str = ""
    """`lines.3`, `faults.f1`, `faults.f1.parameters.--x`, `experiment` ..."""
