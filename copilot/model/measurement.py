"""A measurement of a running server: what was asked, what came of it, and on what. `copilot.measurement/1`."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from copilot.model.text import Frozen

PhaseName = Literal["cold", "alone", "together"]
"""The first request to an idle server; one request at a time; several at once."""


@dataclass(frozen=True, slots=True)
class Timed:
    """One streamed answer. Times are seconds of one monotonic clock."""

    start: float
    end: float
    first: float | None = None
    """The first piece of answer or reasoning; None: there was none."""
    last: float | None = None
    """The last chunk with a choice, with or without text."""
    pieces: int = 0
    output_tokens: int | None = None
    """As the server counted (usage); None: it does not."""
    prompt_tokens: int | None = None
    problem: str = ""
    """Why it failed, in one sentence without secrets; empty: it did not."""

    @property
    def tokens(self) -> int:
        """Output tokens: the server's count, else the pieces."""
        return self.pieces if self.output_tokens is None else self.output_tokens


class Shape(Frozen):
    """The load: part of the record, because two measurements of different shape cannot be compared."""

    prompt_tokens: int = Field(256, ge=1)
    """Tokens of each prompt, as nearly as can be written; what the server counted stands in the phase."""
    output_tokens: int = Field(128, ge=2)
    """Tokens asked for (max_tokens; kept exact with ignore_eos where the server knows it)."""
    concurrency: int = Field(4, ge=1)
    repeats: int = Field(5, ge=1)


class Spread(Frozen):
    """Several values of one figure: median and quartiles, least and most."""

    median: float
    low: float
    """First quartile."""
    high: float
    """Third quartile."""
    least: float
    most: float
    count: int


class Phase(Frozen):
    """One way of loading the server."""

    name: PhaseName
    first_token_s: Spread | None = None
    """Seconds from the request to the first piece of answer or reasoning."""
    per_token_s: Spread | None = None
    """Seconds between two tokens of one answer, its first token left out."""
    request_s: Spread | None = None
    tokens_per_s: Spread | None = None
    """Output tokens over the wall time of each repeat; with several requests at once, all of them together."""
    prompt_tokens: int | None = None
    """Median, as the server counted; None: it does not count."""
    output_tokens: int | None = None
    requests: int = 0
    failed: int = 0
    problem: str = ""
    """Of the first request that failed."""


class GpuUse(Frozen):
    """One GPU while the measurement ran, sampled through NVML."""

    name: str
    total_mib: int
    used_before_mib: int
    used_most_mib: int
    utilization_mean: float | None = None
    """Per cent."""


class Surroundings(Frozen):
    """What ran where: everything that may explain a difference."""

    engine: str | None = None
    version: str | None = None
    model: str
    revision: str | None = None
    quantization: str | None = None
    image: str | None = None
    image_digest: str | None = None
    settings: dict[str, str] = Field(default_factory=dict)
    """Flags and variables of the service, in the contract's spelling; secrets are placeholders."""
    driver: str | None = None
    system: str | None = None
    kv_tokens: int | None = None
    """Tokens of the KV cache, from vLLM's /metrics."""
    kv_tokens_predicted: int | None = None
    """What `copilot fit` predicts for the same settings, where the model's shape is known."""


class Measurement(Frozen):
    """The record."""

    schema_: Literal["copilot.measurement/1"] = Field("copilot.measurement/1", alias="schema")
    id: str
    taken: str
    """UTC, ISO 8601."""
    base_url: str
    surroundings: Surroundings
    shape: Shape
    phases: tuple[Phase, ...] = ()
    gpus: tuple[GpuUse, ...] = ()
    counted: Literal["usage", "pieces"] = "usage"
    """Who counted the output tokens: the server's usage, or the pieces of the stream (about one token each)."""
    complete: bool = True
    """False: it was interrupted; what stands here was measured."""
    reload_s: float | None = None
    """Seconds by which the first token of the first request came later than that of a warm one: the model was loaded
    for it. None where that cannot be told from the spread."""
    session: str | None = None

    def phase(self, name: PhaseName) -> Phase | None:
        """The phase of that name, if it was measured."""
        return next((phase for phase in self.phases if phase.name == name), None)


class Compared(Frozen):
    """One figure of two measurements."""

    phase: PhaseName
    figure: str
    a: Spread
    b: Spread
    ratio: float
    """B's median over A's."""
    beyond_spread: bool
    """The two interquartile ranges do not overlap: more than chance from one run to the next."""
    better: Literal["a", "b", "same"]


class Differing(Frozen):
    """A setting that the two do not share."""

    name: str
    a: str | None
    b: str | None


class MeasurementComparison(Frozen):
    """`copilot measure compare A B --json`."""

    schema_: Literal["copilot.measurements/1"] = Field("copilot.measurements/1", alias="schema")
    a: str
    b: str
    same_shape: bool
    rows: tuple[Compared, ...]
    differing: tuple[Differing, ...]
