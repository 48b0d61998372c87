"""The forecast of one start, schema `copilot.fit/1` of the contract. Keys are only added, never renamed."""

from typing import Literal

from pydantic import ConfigDict, Field

from copilot.model.answer import LedgerRow
from copilot.model.text import Frozen


class Tokens(Frozen):
    """Tokens that the KV cache holds, with the interval."""

    value: int
    low: int
    high: int


class FitChange(Frozen):
    """The smallest change that makes it fit; `then` is a second one, where one is not enough."""

    parameter: str
    to: str
    effect: str
    sure: bool
    then: "FitChange | None" = None


class FitDocument(Frozen):
    """The whole document."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Literal["copilot.fit/1"] = Field(default="copilot.fit/1", alias="schema")
    model: str
    engine: str
    engine_version: str
    gpu: str
    starts: bool
    sure: bool
    """False: within the interval it could also go the other way."""
    verdict: str
    rows: tuple[LedgerRow, ...]
    kv_tokens: Tokens
    max_model_len: int
    smallest_change: FitChange | None
    layers_on_gpu: tuple[int, int] | None = None
    """Ollama: layers on the GPU, of how many."""
    advice: tuple[str, ...] = ()
    assumptions: tuple[str, ...]
