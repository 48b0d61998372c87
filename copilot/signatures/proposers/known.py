"""Numbers that proposers start from, and where they come from."""

from collections.abc import Mapping

from copilot.model.evidence import Gpu
from copilot.signatures.conditions import in_range
from copilot.signatures.facts import Facts

UTILIZATION = "--gpu-memory-utilization"
DEFAULT_UTILIZATION, DEFAULT_SINCE_020 = 0.9, 0.92
"""vLLM's default share of the card: until 0.19.1, and since 0.20.0."""


def number(text: str | None) -> float | None:
    """Read a number that may have thousands separators or a unit behind it; None where there is none."""
    try:
        return float(text.replace(",", "").replace("_", "").split()[0]) if text and text.strip() else None
    except ValueError:
        return None


def free_and_total(facts: Facts, captures: Mapping[str, str]) -> tuple[float | None, float | None]:
    """Free and total GiB of the card: from the message, the log's readings, the ledger, or the GPU reading."""
    free, total = number(captures.get("free")), number(captures.get("total"))
    if free is not None and total is not None and "iB" not in captures["free"]:
        return free, total
    values = facts.engine.readings.values
    if "free" in values and "total" in values:
        return values["free"], values["total"]
    if facts.ledger is not None and facts.ledger.gib("free") and facts.ledger.gib("total"):
        return facts.ledger.gib("free"), facts.ledger.gib("total")
    known = [gpu for gpu in facts.gpus if gpu.free_mib is not None]
    if not known:
        return None, total
    fullest = min(known, key=_free_share)
    return (fullest.free_mib or 0) / 1024, fullest.total_mib / 1024


def _free_share(gpu: Gpu) -> float:
    return (gpu.free_mib or 0) / gpu.total_mib


def utilization(facts: Facts, captures: Mapping[str, str]) -> float:
    """The share in force: printed, set, or the version's default."""
    setting = facts.setting(UTILIZATION)
    said = number(captures.get("util")) or number(setting.value if setting else None)
    said = said or facts.engine.readings.values.get("utilization")
    recent = facts.engine.version is not None and in_range(facts.engine.version, "0.20.0", None)
    return said or (DEFAULT_SINCE_020 if recent else DEFAULT_UTILIZATION)
