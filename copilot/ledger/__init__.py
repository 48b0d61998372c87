"""GPU memory: the ledger of a start that was tried, and the forecast of one that was not.

`build` keeps books after a start, `predict` before one; `architecture_of` knows the shapes of common models;
`utilization_that_fits`, `largest_model_len` and `smallest_change` compute what to turn. Sizes are GiB (2^30 bytes).
"""

from copilot.ledger.book import build
from copilot.ledger.changes import (
    MemoryChange,
    effect_of,
    largest_model_len,
    rounded_len,
    smallest_change,
    utilization_that_fits,
)
from copilot.ledger.effects import Effect, Tried, compared, effect_on
from copilot.ledger.forecast import Fit, predict
from copilot.ledger.plan import Card, Plan, plan_of
from copilot.ledger.table import architecture_of

__all__ = [
    "Card",
    "Effect",
    "Fit",
    "MemoryChange",
    "Plan",
    "Tried",
    "architecture_of",
    "build",
    "compared",
    "effect_of",
    "effect_on",
    "largest_model_len",
    "plan_of",
    "predict",
    "rounded_len",
    "smallest_change",
    "utilization_that_fits",
]
