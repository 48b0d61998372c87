"""The rows of the leaderboard: who answers, and with what before its eyes."""

from typing import Literal

from copilot.model.text import Frozen

Kind = Literal["playbook", "model", "last line", "most frequent", "oracle"]


class Row(Frozen):
    """One row. A model has two: with our findings in the prompt, and without them."""

    name: str
    kind: Kind
    provider: str | None = None
    model: str | None = None
    findings: bool = True

    @property
    def calls(self) -> bool:
        """Whether it asks an endpoint."""
        return self.kind == "model"


CODE_ROWS = (
    Row(name="playbook", kind="playbook"),
    Row(name="last line", kind="last line"),
    Row(name="most frequent", kind="most frequent"),
    Row(name="oracle", kind="oracle"),
)
"""Always there: the product without a model, two baselines that must be beaten, and the answer key."""


def rows_of(provider: str, model: str | None = None) -> tuple[Row, Row]:
    """The two rows of a provider."""
    told = Row(name=provider, kind="model", provider=provider, model=model)
    return told, told.model_copy(update={"name": f"{provider}, no findings", "findings": False})
