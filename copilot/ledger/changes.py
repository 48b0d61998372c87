"""What to turn so that a start fits: the share, the length, or the cheapest change that does it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import floor

from copilot.ledger.forecast import Fit, parts_of, predict
from copilot.ledger.plan import GIB, Card, Plan
from copilot.model.architecture import Architecture
from copilot.model.text import Text

_MARGIN = 0.05
_WSL_MARGIN = 0.15
"""GiB kept clear of what was free: under WSL2 the desktop's share moves by more than that between two starts."""
_SHORT = (32768, 16384, 8192, 4096, 2048)
_FEW = (64, 16)


@dataclass(frozen=True)
class MemoryChange:
    """One setting, its new value, and what it does to the ledger."""

    parameter: str
    value: str | None
    effect: Text
    fit: Fit


def utilization_that_fits(free: float, total: float, *, wsl: bool = False) -> float | None:
    """The largest share, in hundredths, that leaves a margin below what was free (GiB); None below 0.05."""
    if total <= 0:
        return None
    share = floor((free - (_WSL_MARGIN if wsl else _MARGIN)) / total * 100 + 1e-9) / 100
    return min(share, 0.98) if share >= 0.05 else None  # noqa: PLR2004 - below, no engine starts


def largest_model_len(architecture: Architecture, kv_available: float, plan: Plan, card: Card) -> int:
    """The longest context whose cache fits into `kv_available` GiB; 0 where none does."""
    parts = parts_of(architecture, card, plan)
    return parts.cache.longest(kv_available * GIB, parts.load.tokens, architecture.max_position or parts.length)


def rounded_len(tokens: int) -> int:
    """A length to write into a file: a power of two or a multiple of 1,024 below what fits (256 below that)."""
    step = 1024 if tokens >= 2048 else 256  # noqa: PLR2004 - keeps short contexts usable
    return tokens // step * step


def smallest_change(architecture: Architecture, card: Card, plan: Plan) -> MemoryChange | None:
    """The change of one setting that makes the start fit, cheapest first; None where none does or none is needed.

    Cheap is: a shorter context, another share, fewer sequences, no CUDA graphs, an 8-bit cache. Another model is
    `smaller_models`' matter.
    """
    now = predict(architecture, card, plan)
    if now.starts and now.sure:
        return None
    for parameter, value, changed in _candidates(architecture, card, plan, now):
        fit = predict(architecture, card, changed)
        if fit.starts and fit.gib("kv_available") > fit.gib("kv_needed"):
            return MemoryChange(parameter, value, effect_of(now, fit), fit)
    return None


def effect_of(before: Fit, after: Fit) -> Text:
    """The predicted effect in one sentence, as `KV cache 0.52 GiB → 1.31 GiB, 4,096 needs 0.14`."""
    numbers = {
        "was": f"{before.gib('kv_available'):.2f}",
        "will": f"{after.gib('kv_available'):.2f}",
        "length": f"{after.length:,}",
        "needs": f"{after.gib('kv_needed'):.2f}",
    }
    return Text(
        en="KV cache {was} GiB → {will} GiB, {length} needs {needs}",
        zh="KV 缓存 {was} GiB → {will} GiB，{length} 个 token 需要 {needs} GiB",
    ).fill(**numbers)


_Step = Callable[[Architecture, Card, Plan, Fit], Iterator[tuple[str, str | None, Plan]]]


def _candidates(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> Iterator[tuple[str, str | None, Plan]]:
    steps: tuple[_Step, ...] = (_shorter, _share, _fewer, _leaner)
    for step in steps:
        yield from step(architecture, card, plan, now)


def _shorter(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> Iterator[tuple[str, str | None, Plan]]:
    del architecture, card
    if now.reason in ("", "cache") and now.max_model_len < now.length:
        length = rounded_len(int(now.max_model_len * 0.95))
        if length >= _SHORT[-1] // 2:
            yield "--max-model-len", str(length), plan.with_(max_model_len=length)


def _share(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> Iterator[tuple[str, str | None, Plan]]:
    del architecture
    share = utilization_that_fits(now.gib("free"), card.total, wsl=card.wsl)
    if share is not None and abs(share - now.utilization) >= 0.01:  # noqa: PLR2004 - a hundredth is the step
        yield "--gpu-memory-utilization", f"{share:.2f}", plan.with_(utilization=share)


def _fewer(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> Iterator[tuple[str, str | None, Plan]]:
    del now
    load = parts_of(architecture, card, plan).load
    for sequences in _FEW:
        if sequences < load.sequences:
            yield "--max-num-seqs", str(sequences), plan.with_(max_num_seqs=sequences)
    if load.tokens > _SHORT[-1]:
        yield "--max-num-batched-tokens", str(_SHORT[-1]), plan.with_(max_num_batched_tokens=_SHORT[-1])


def _leaner(architecture: Architecture, card: Card, plan: Plan, now: Fit) -> Iterator[tuple[str, str | None, Plan]]:
    del architecture, now
    if not plan.enforce_eager:
        yield "--enforce-eager", "true", plan.with_(enforce_eager=True)
    eight_bit = float(card.compute_capability) >= 8.9 if card.compute_capability else True  # noqa: PLR2004 - Ada
    if plan.kv_cache_dtype in ("auto", "") and eight_bit:
        yield "--kv-cache-dtype", "fp8", plan.with_(kv_cache_dtype="fp8")
