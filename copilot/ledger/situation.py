"""One start as the verdict sees it: rows, settings, card, and who else held memory."""

from collections.abc import Mapping
from dataclasses import dataclass

from copilot.ledger.forecast import Fit
from copilot.ledger.plan import Card, Plan
from copilot.ledger.tenants import Holder
from copilot.model.architecture import Architecture
from copilot.model.ledger import Row


@dataclass(frozen=True)
class Situation:
    """All that the verdict is made of."""

    rows: Mapping[str, Row]
    plan: Plan
    architecture: Architecture | None
    tokens: int | None
    length: int | None
    longest: int | None
    fit: Fit | None
    card: Card | None
    holder: Holder
    layers: tuple[int, int] | None = None
    """Ollama: layers on the GPU, of how many."""

    def gib(self, name: str) -> float | None:
        """The value of a row, or None."""
        row = self.rows.get(name)
        return row.gib if row else None

    def measured(self, name: str) -> bool:
        """Whether the log states this row."""
        row = self.rows.get(name)
        return row is not None and row.origin == "log"

    @property
    def refused(self) -> bool:
        """The start check found less free memory than the share asks for."""
        asked, free = self.gib("asked"), self.gib("free")
        return asked is not None and free is not None and asked > free and self.plan.release.checks_free_memory

    @property
    def fits(self) -> bool | None:
        """Whether it fitted; None where the figures do not decide."""
        available, needed = self.gib("kv_available"), self.gib("kv_needed")
        if self.gib("oom_tried") is not None or self.refused:
            return False
        if self.measured("kv_available") and available is not None and available <= 0:
            return False
        if self.measured("kv_needed") and needed is not None and available is not None and needed > available:
            return False
        if self.layers is not None:
            return self.layers[0] >= self.layers[1]
        return None if self.tokens is None else self.length is None or self.tokens >= self.length
