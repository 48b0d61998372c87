"""What one sample leaves behind: the answers, and everything that the scores and the report need beside them."""

from pydantic import Field

from copilot.model.answer import Answer
from copilot.model.text import Frozen


class Trial(Frozen):
    """One case answered once by one row."""

    answers: tuple[Answer, ...]
    """One per round."""
    alone: Answer | None = None
    """The model's first reply as it came, before the checks; None where no model was asked."""
    caught: dict[str, str] = Field(default_factory=dict)
    """Check -> what it objected to in the first reply."""
    left: dict[str, str] = Field(default_factory=dict)
    """The same for what was finally answered: must be empty."""
    format_first: bool | None = None
    """The first reply was in our schema; None where no model was asked."""
    replaced: bool = False
    """The playbook answered instead of the model."""
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    """Wall time of the workflow, all rounds."""
    cost: float | None = None
    currency: str | None = None
    leaks: tuple[str, ...] = ()
    """Rules of redaction that would still find something in what was sent or answered: must be empty."""
    messages: tuple[tuple[str, str], ...] = ()
    """(role, text) of the first question and reply, for the log viewer."""
