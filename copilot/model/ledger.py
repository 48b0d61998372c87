"""GPU memory as bookkeeping: rows with their origin."""

from pydantic import Field

from copilot.model.text import Frozen, Text
from copilot.model.words import Origin


class Row(Frozen):
    """One line of the ledger, in GiB."""

    name: str
    """total others free asked utilization weights non_torch activation graphs kv_available kv_needed shortfall ..."""
    gib: float
    origin: Origin
    line: int | None = None
    """Log line that states it."""
    low: float | None = None
    high: float | None = None
    note: str = ""


class Readings(Frozen):
    """The memory figures that the engine printed, last boot, each with its log line. GiB unless said."""

    values: dict[str, float] = Field(default_factory=dict)
    """Row name -> value; also `tokens` (KV tokens), `max_len_fits`, `concurrency`, `max_model_len`, `utilization`."""
    lines: dict[str, int] = Field(default_factory=dict)
    """Row name -> log line number."""
    wsl: bool | None = None
    """The engine runs under WSL2, where free memory moves with the desktop; None: not known."""


class Ledger(Frozen):
    """The table, what it says, and whether it fits (None: the figures do not decide)."""

    rows: tuple[Row, ...] = ()
    verdict: Text
    fits: bool | None = None
    conflicts: tuple[str, ...] = ()
    tokens: int | None = None
    """KV-cache tokens that fit."""

    def gib(self, name: str) -> float | None:
        """The value of a row, or None."""
        for row in self.rows:
            if row.name == name:
                return row.gib
        return None
