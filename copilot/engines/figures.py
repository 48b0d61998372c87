"""Figures in log lines: one small notation for patterns that carry numbers with units."""

import re
from collections.abc import Iterable, Mapping, Sequence

from copilot.model.ledger import Readings
from copilot.model.log import Line

_GIB = 2.0**30
Units = Mapping[str, float]

BINARY: Units = {
    "B": 1.0, "bytes": 1.0, "KB": 2.0**10, "KiB": 2.0**10, "MB": 2.0**20, "MiB": 2.0**20, "GB": _GIB, "GiB": _GIB,
    "TB": 2.0**40, "TiB": 2.0**40,
}  # fmt: skip
"""vLLM divides by 2**30 also where it prints GB."""
DECIMAL: Units = {**BINARY, "KB": 1e3, "MB": 1e6, "GB": 1e9}
"""Ollama's GB are decimal, its GiB binary."""

_PLAIN = frozenset(
    {
        "utilization", "tokens", "max_model_len", "max_len_fits", "concurrency", "blocks", "layers",
        "layers_offloaded", "batched_tokens", "sequences",
    }
)  # fmt: skip
"""Names whose figures have no unit."""


def figures(pattern: str) -> re.Pattern[str]:
    """Compile a pattern in which `{name}` stands for a number with its unit, if one follows it."""
    return re.compile(re.sub(r"\{([a-z_]+)\}", _number, pattern))


def _number(name: re.Match[str]) -> str:
    return rf"(?P<{name[1]}>-?\d[\d,]*(?:\.\d+)?)\s?(?P<{name[1]}_unit>[KMGT]i?B|bytes|B)?"


def read_figures(lines: Iterable[Line], patterns: Sequence[re.Pattern[str]], units: Units) -> Readings:
    """All figures of the lines, in GiB where they are sizes; a later line replaces an earlier one.

    Of several workers' available KV cache the smallest counts: the engine takes the same for all.
    """
    values: dict[str, float] = {}
    where: dict[str, int] = {}
    for line in lines:
        for pattern in patterns:
            found = pattern.search(line.message)
            if found is None:
                continue
            for name, value in _values(found, units).items():
                if name == "kv_available" and name in values and value >= values[name]:
                    continue
                values[name], where[name] = value, line.number
    return Readings(values=values, lines=where)


def _values(found: re.Match[str], units: Units) -> dict[str, float]:
    groups = found.groupdict()
    shared = next((groups[name] for name in reversed(groups) if name.endswith("_unit") and groups[name]), "GiB")
    result = {}
    for name, text in groups.items():
        if text is None or name.endswith("_unit"):
            continue
        number = float(text.replace(",", ""))
        scale = 1.0 if name in _PLAIN else units[groups.get(f"{name}_unit") or shared] / _GIB
        result[name] = number * scale
    return result
