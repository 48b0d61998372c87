"""Sizes that fit: from the numbers in the log, the GPU reading and the ledger."""

from collections.abc import Mapping
from math import floor

from copilot.model.text import Text
from copilot.signatures.facts import Facts
from copilot.signatures.proposers.computed import Computed
from copilot.signatures.signature import Scalar

BLOCK = 16
"""Tokens in vLLM's default KV block: a length that is no multiple rounds up to the next block."""
MARGIN = 0.005
"""Share of the card left unasked: free memory varies by some MiB between two starts."""
LOWEST = 0.05


def number(text: str | None) -> float | None:
    """A captured number, with thousands separators; None where it is none."""
    try:
        return float(text.replace(",", "").replace("_", "")) if text else None
    except ValueError:
        return None


def largest_model_len(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The length that the log says fits (`fits`), or the one that the needed and available cache give."""
    asked = number(captures.get("asked"))
    fitting = number(captures.get("fits")) or _from_ratio(captures)
    if fitting is None and facts.ledger is not None and facts.ledger.tokens:
        fitting = float(facts.ledger.tokens)
    if fitting is None or fitting < BLOCK or (asked is not None and fitting >= asked):
        return ()
    length = floor(fitting / BLOCK) * BLOCK
    exact = captures.get("fits") is not None
    en = f"{length} is {fitting:.0f} rounded down to whole blocks of {BLOCK} tokens." if length != fitting else ""
    zh = f"{length} 是 {fitting:.0f} 按每块 {BLOCK} 个 token 向下取整的结果。" if length != fitting else ""
    if not exact:
        en = "Computed from needed and available cache, assuming that both grow with the length. " + en
        zh = "由所需与可用缓存按比例算出。" + zh
    note = Text(en=en.strip(), zh=zh) if en else None
    return (Computed(to=str(length), words={"largest": f"{fitting:.0f}"}, note=note),)


def _from_ratio(captures: Mapping[str, str]) -> float | None:
    asked, need, have = (number(captures.get(name)) for name in ("asked", "need", "have"))
    if not asked or not need or have is None:
        return None
    return asked * have / need


def utilization_that_fits(
    facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]
) -> tuple[Computed, ...]:
    """The share of the card that is free now, rounded down to hundredths."""
    free, total = _free_and_total(facts, captures)
    if not free or not total:
        return ()
    share = floor((free / total - MARGIN) * 100) / 100
    if share < LOWEST:
        return ()
    words = {"free": f"{free:g}", "total": f"{total:g}", "budget": f"{share * total:.2f}"}
    return (Computed(to=f"{share:.2f}".rstrip("0"), words=words),)


def _free_and_total(facts: Facts, captures: Mapping[str, str]) -> tuple[float | None, float | None]:
    free, total = number(captures.get("free")), number(captures.get("total"))
    if free is not None and total is not None:
        return free, total
    if facts.ledger is not None:
        return facts.ledger.gib("free"), facts.ledger.gib("total")
    known = [(gpu.free_mib, gpu.total_mib) for gpu in facts.gpus if gpu.free_mib is not None]
    if not known:
        return None, None
    least_free, of_total = min(known, key=lambda pair: pair[0] / pair[1])
    return least_free / 1024, of_total / 1024
