"""Sizes as Docker writes them: `8g`, `512m`, plain bytes."""

import re
from collections.abc import Mapping

from copilot.signatures.facts import Facts
from copilot.signatures.proposers.computed import Computed
from copilot.signatures.signature import Scalar

_SIZE = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[kmgt]?)i?b?", re.IGNORECASE)
_BYTES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_MIB = 1 << 20


def in_bytes(text: str | None) -> int | None:
    """A size in bytes; None where it is none."""
    found = _SIZE.fullmatch(text.strip()) if text else None
    return int(float(found["number"]) * _BYTES[found["unit"].lower()]) if found else None


def doubled_size(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Twice the size that the setting `parameter` has, in GiB or MiB."""
    setting = facts.setting(str(args["parameter"]))
    size = in_bytes(setting.value if setting else None)
    if not size:
        return ()
    mib = 2 * size // _MIB
    return (Computed(to=f"{mib // 1024}g" if mib % 1024 == 0 else f"{mib}m"),)


def plain_bytes(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The capture `of`, a size with a unit, as a number of bytes."""
    size = in_bytes(captures.get(str(args["of"])))
    return (Computed(to=str(size)),) if size else ()
