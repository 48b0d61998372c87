"""Sizes that fit: from the numbers in the log, the GPU reading and the ledger."""

from collections.abc import Mapping
from math import ceil, floor

from copilot import ledger as ledgers
from copilot.model.text import Text
from copilot.signatures.facts import Facts
from copilot.signatures.proposers.computed import Computed
from copilot.signatures.proposers.known import free_and_total, number, utilization
from copilot.signatures.signature import Scalar

BLOCK = 16
"""Tokens in vLLM's default KV block: a length that is no multiple rounds up to the next block."""
MARGIN = 0.005
"""Share of the card left unasked: free memory varies by some MiB between two starts."""
LOWEST = 0.1
"""A share that is not gone below when it is lowered step by step."""
SMALLEST_GIB = 4.0
"""Below this many GiB hardly a model starts: another program has to go."""
HIGHEST = 0.95
"""Share that is proposed at most where the free memory is not known."""
SPARE = 0.2
"""GiB beyond what is missing."""


def largest_model_len(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The length that the log says fits (`fits`), or the one that the needed and available cache give."""
    asked = number(captures.get("asked"))
    said = number(captures.get("fits"))
    fitting = said or _from_ratio(captures) or _from_ledger(facts)
    if fitting is None or fitting < BLOCK or (asked is not None and fitting >= asked):
        return ()
    length = floor(fitting / BLOCK) * BLOCK
    notes = []
    if said is None:
        notes.append(("Computed from needed and available cache.", "由所需与可用缓存按比例算出。"))
    if length != fitting:
        en = f"{length} is that number rounded down to whole blocks of {BLOCK} tokens."
        notes.append((en, f"{length} 是按每块 {BLOCK} 个 token 向下取整的结果。"))
    note = Text(en=" ".join(en for en, _ in notes), zh="".join(zh for _, zh in notes)) if notes else None
    return (Computed(to=str(length), words={"largest": f"{fitting:.0f}"}, note=note),)


def _from_ratio(captures: Mapping[str, str]) -> float | None:
    asked, need, have = (number(captures.get(name)) for name in ("asked", "need", "have"))
    if not asked or not need or have is None or have <= 0:
        return None
    return asked * have / need


def _from_ledger(facts: Facts) -> float | None:
    return float(facts.ledger.tokens) if facts.ledger is not None and facts.ledger.tokens else None


def utilization_that_fits(
    facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]
) -> tuple[Computed, ...]:
    """The share of the card that is free now, rounded down to hundredths; nothing where too little is free."""
    free, total = free_and_total(facts, captures)
    if not free or not total:
        return ()
    share = ledgers.utilization_that_fits(free, total, wsl=bool(facts.engine.readings.wsl)) or 0.0
    budget = share * total
    if budget < SMALLEST_GIB:
        return ()
    words = {"free": f"{free:g}", "total": f"{total:g}", "budget": f"{budget:.2f}"}
    return (Computed(to=_share(share), words=words, note=_what_is_left(facts, budget)),)


def _what_is_left(facts: Facts, budget: float) -> Text | None:
    weights = facts.ledger.gib("weights") if facts.ledger is not None else None
    if weights is None:
        return None
    left = budget - weights
    if left <= 0:
        return Text(
            en=f"The weights alone take about {weights:.1f} GiB, more than that: "
            "the next step is a smaller or quantised checkpoint.",
            zh=f"仅权重就约需 {weights:.1f} GiB，超过该预算：下一步是更小或量化的检查点。",
        )
    needed = facts.ledger.gib("kv_needed") if facts.ledger is not None else None
    then = _SMALLER if needed is not None and needed < _LEVER * left else _SHORTER
    return Text(
        en=f"The weights take about {weights:.1f} GiB of it, so about {left:.1f} GiB remain for activations, graphs and"
        f" the KV cache: if that is too little, {then.en} is the next step.",
        zh=f"其中权重约占 {weights:.1f} GiB，余下约 {left:.1f} GiB 给激活值、graph 和 KV 缓存："
        f"若不够，下一步是{then.zh}。",
    )


_SHORTER = Text(en="a shorter --max-model-len", zh="减小 --max-model-len")
_SMALLER = Text(en="a smaller or quantised model", zh="换更小的或量化的模型")
_LEVER = 0.25
"""Share of what is left that one sequence's cache must take before a shorter context gains anything worth a start."""


def raised_utilization(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The share that adds what the cache lacks (`have` against `need`), if the card has it free."""
    current, (free, total) = utilization(facts, captures), free_and_total(facts, captures)
    have = number(captures.get("have"))
    need = number(captures.get("need")) or _one_sequence(facts) or float(str(args.get("need", 1.0)))
    ceiling = floor((free / total - MARGIN) * 100) / 100 if free and total else HIGHEST
    wanted = HIGHEST
    if have is not None and total:
        wanted = ceil((current + max(need - have + SPARE, 0) / total) * 100) / 100
    elif current >= HIGHEST:
        return ()
    wanted = min(wanted, ceiling) if have is None or not total else wanted
    if not current < wanted <= ceiling:
        return ()
    words = {"current": f"{current:g}", "need": f"{need:.2f}"}
    if have is None or not total:
        return (Computed(to=_share(wanted), words=words),)
    then = have + (wanted - current) * total
    note = Text(
        en=f"Predicted: KV cache {have:.2f} GiB → {then:.2f} GiB, and {need:.2f} GiB are needed.",
        zh=f"预计：KV 缓存 {have:.2f} GiB → {then:.2f} GiB，需要 {need:.2f} GiB。",
    )
    return (Computed(to=_share(wanted), words=words, note=note),)


def _one_sequence(facts: Facts) -> float | None:
    """What one sequence of the full length needs, in GiB, where the model's architecture is known."""
    return facts.ledger.gib("kv_needed") if facts.ledger is not None else None


def lowered_utilization(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The share in force less `by`, not below a tenth."""
    current = utilization(facts, captures)
    lower = round(current - float(str(args.get("by", 0.05))), 2)
    return (Computed(to=_share(lower), words={"current": f"{current:g}"}),) if lower >= LOWEST else ()


def share_of_free(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Whole GiB: a `share` of the free memory that the message states."""
    free = number(captures.get("free"))
    size = floor(free * float(str(args["share"]))) if free else 0
    return (Computed(to=str(size)),) if size >= 1 else ()


def percent(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """A percentage (`value`) as a share; the usual 0.9 where it is none."""
    value = number(captures.get("value")) or 0
    share = value / 100 if 1 < value <= 100 and value >= LOWEST * 100 else 0.9  # noqa: PLR2004 - per cent
    return (Computed(to=_share(share)),)


def _share(share: float) -> str:
    return f"{share:.2f}".rstrip("0").rstrip(".")
