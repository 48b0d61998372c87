"""What to turn so that a start fits: the share, the length, or the cheapest change that does it."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor

from copilot.ledger.activation import WSL_MARGIN
from copilot.ledger.forecast import Fit, parts_of, predict
from copilot.ledger.plan import GIB, Card, Plan
from copilot.ledger.table import smaller_models
from copilot.model.architecture import Architecture
from copilot.model.text import Text

_MARGIN = 0.05
"""GiB kept clear of what was free."""
_VARIES = 0.005
"""Share of the card by which free memory varies between two starts."""
_SHARE = "--gpu-memory-utilization"
_SHORTEST = 1024
_FEW = (64, 16)
_FEW_TOKENS = 2048


@dataclass(frozen=True)
class MemoryChange:
    """One setting, its new value, and what it does to the ledger."""

    parameter: str
    value: str
    effect: Text
    fit: Fit
    then: "MemoryChange | None" = None
    """A second change, where the first alone is not enough."""


def utilization_that_fits(free: float, total: float, *, wsl: bool = False) -> float | None:
    """The largest share, in hundredths, that leaves a margin below what was free (GiB); None below 0.05."""
    if total <= 0:
        return None
    margin = max(WSL_MARGIN if wsl else _MARGIN, _VARIES * total)
    share = floor((free - margin) / total * 100 + 1e-9) / 100
    return min(share, 0.99) if share >= 0.05 else None  # noqa: PLR2004 - below, no engine starts


def largest_model_len(architecture: Architecture, kv_available: float, plan: Plan, card: Card) -> int:
    """The longest context whose cache fits into `kv_available` GiB; 0 where none does."""
    parts = parts_of(architecture, card, plan)
    return parts.cache.longest(kv_available * GIB, parts.load.tokens, architecture.max_position or parts.length)


def rounded_len(tokens: int) -> int:
    """A length to write into a file: a power of two or a multiple of 1,024 below what fits (256 below that)."""
    step = 1024 if tokens >= 2048 else 256  # noqa: PLR2004 - keeps short contexts usable
    return tokens // step * step


def smallest_change(architecture: Architecture, card: Card, plan: Plan) -> MemoryChange | None:
    """The cheapest change that makes the start fit; None where none does or none is needed.

    Cheap is, in this order: cards that are there and unused, a shorter context, another share, fewer sequences, no CUDA
    graphs, an 8-bit cache, a 4-bit checkpoint, a smaller model of the family. A change that surely fits goes before one
    that may.
    """
    now = predict(architecture, card, plan)
    if now.starts:
        return None
    tried = [step for step in _steps(architecture, card, plan, now) if step.fit.starts]
    best = next((step for step in tried if step.fit.sure), tried[0] if tried else None)
    return _change(now, best) if best else _dearer(architecture, card, plan, now)


def _dearer(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> MemoryChange | None:
    """The share where the start check refused it, all cards, another model: each perhaps with a second change."""
    steps = (_first_share, _all_cards, _smaller)
    for step in (step for of in steps for step in of(architecture, card, plan, now)):
        if step.fit.starts:
            return _change(now, step)
        if step.parameter == _SHARE:
            then = smallest_change(step.architecture, card, step.plan)
        else:
            then = _best(step.fit, _steps(step.architecture, card, step.plan, step.fit))
        if then is not None:
            return _change(now, step, then)
    return None


def _first_share(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> tuple["_Step", ...]:
    return tuple(_share(architecture, card, plan, now))[-1:] if now.reason == "free" else ()


def _all_cards(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> tuple["_Step", ...]:
    return tuple(_split(architecture, card, plan, now))[-1:]


def _best(before: Fit, steps: Iterator["_Step"]) -> MemoryChange | None:
    step = next((step for step in steps if step.fit.starts), None)
    return _change(before, step) if step else None


def _change(before: Fit, step: "_Step", then: MemoryChange | None = None) -> MemoryChange:
    return MemoryChange(step.parameter, step.value, effect_of(before, step.fit), step.fit, then)


def effect_of(before: Fit, after: Fit) -> Text:
    """The predicted effect in one sentence, as `KV cache 0.52 GiB → 1.31 GiB, 4,096 needs 0.14`."""
    numbers = {
        "was": f"{before.gib('kv_available'):.2f}",
        "will": f"{after.gib('kv_available'):.2f}",
        "length": f"{after.length:,}",
        "needs": f"{after.gib('kv_needed'):.2f}",
    }
    return Text(
        en="KV cache {was} GiB → {will} GiB, {length} tokens need {needs} GiB",
        zh="KV 缓存 {was} GiB → {will} GiB，{length} 个 token 需要 {needs} GiB",
    ).fill(**numbers)


@dataclass(frozen=True)
class _Step:
    parameter: str
    value: str
    architecture: Architecture
    plan: Plan
    fit: Fit


def _steps(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> Iterator[_Step]:
    for candidates in (_split, _shorter, _share, _fewer, _leaner):
        yield from candidates(architecture, card, plan, now)


def _step(parameter: str, value: str, architecture: Architecture, card: Card, plan: Plan) -> _Step:
    return _Step(parameter, value, architecture, plan, predict(architecture, card, plan))


def _split(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> Iterator[_Step]:
    """The cards that are there and unused, as few as do it; the heads must divide evenly."""
    del now
    for shards in range(plan.tensor_parallel + 1, card.count + 1):
        groups = architecture.kv_heads
        if architecture.heads % shards == 0 and (groups % shards == 0 or shards % groups == 0):
            changed = plan.with_(tensor_parallel=shards)
            yield _step("--tensor-parallel-size", str(shards), architecture, card, changed)


def _shorter(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> Iterator[_Step]:
    """A context that fits even at the lower end of the interval, else at the expected value."""
    if now.reason != "cache":
        return
    row = now.row("kv_available")
    for available in (row.low if row else None, row.gib if row else None):
        longest = rounded_len(min(now.length, largest_model_len(architecture, available or 0.0, plan, card)))
        if longest >= _SHORTEST:
            yield _step("--max-model-len", str(longest), architecture, card, plan.with_(max_model_len=longest))


def _share(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> Iterator[_Step]:
    """The largest share below what is free, and one that leaves room for graphs outside it."""
    parts = parts_of(architecture, card, plan)
    outside = 0.0 if parts.graphs_counted else max(0.0, parts.graphs.value - parts.activation.value)
    for kept in sorted({0.0, outside}):
        share = utilization_that_fits(parts.free.value - kept, card.total, wsl=card.wsl)
        if share is not None and abs(share - now.utilization) >= 0.01:  # noqa: PLR2004 - a hundredth is the step
            changed = plan.with_(utilization=share)
            yield _step(_SHARE, f"{share:.2f}", architecture, card, changed)


def _fewer(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> Iterator[_Step]:
    del now
    load = parts_of(architecture, card, plan).load
    for sequences in _FEW:
        if sequences < load.sequences:
            changed = plan.with_(max_num_seqs=sequences)
            yield _step("--max-num-seqs", str(sequences), architecture, card, changed)
    if load.tokens > _FEW_TOKENS:
        changed = plan.with_(max_num_batched_tokens=_FEW_TOKENS)
        yield _step("--max-num-batched-tokens", str(_FEW_TOKENS), architecture, card, changed)


def _leaner(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> Iterator[_Step]:
    del now
    if not plan.enforce_eager:
        yield _step("--enforce-eager", "true", architecture, card, plan.with_(enforce_eager=True))
    eight_bit = float(card.compute_capability) >= 8.9 if card.compute_capability else True  # noqa: PLR2004 - Ada
    if plan.kv_cache_dtype in ("auto", "") and eight_bit:
        yield _step("--kv-cache-dtype", "fp8", architecture, card, plan.with_(kv_cache_dtype="fp8"))


def _smaller(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> Iterator[_Step]:
    """A 4-bit checkpoint of the model, then the next smaller ones of its family."""
    del now
    if not (plan.quantization or architecture.quantization):
        packed = architecture.model_copy(update={"quantization": "awq", "bits": 4, "group_size": 128})
        yield _step("model:quantization", "awq", packed, card, plan)
    for model in smaller_models(architecture):
        yield _step("--model", model.model, model, card, plan)
