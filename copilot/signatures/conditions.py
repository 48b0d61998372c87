"""Whether the conditions of a signature hold for an evidence, and the order of versions."""

import operator
import re
from collections.abc import Callable, Mapping, Sequence

from copilot.signatures.facts import Facts
from copilot.signatures.pages import Page, find
from copilot.signatures.signature import Condition

_OPERATORS: dict[str, Callable[[tuple[float, ...], tuple[float, ...]], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_COMPARISON = re.compile(r"(<=|>=|<|>)\s*(.+)")
_AMOUNT = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*([KMG])?i?B?\b", re.IGNORECASE)
_UNITS = {"K": 1 / 1024**2, "M": 1 / 1024, "G": 1.0}
_NUMBER = re.compile(r"\s*v?(-?\d+(?:\.\d+)*)")


def release(version: str) -> tuple[int, ...]:
    """The numbers of a version; what follows them (rc, dev, post, +cu129) does not change what a release can print."""
    found = _NUMBER.match(version)
    return tuple(int(part) for part in found.group(1).split(".")) if found else ()


def in_range(version: str | None, since: str | None, until: str | None) -> bool:
    """Whether a version lies in the range, both ends included. An unknown version lies everywhere."""
    if version is None or not release(version):
        return True
    numbers = release(version)
    return (since is None or _padded(numbers) >= _padded(release(since))) and (
        until is None or _padded(numbers) <= _padded(release(until))
    )


def _padded(numbers: Sequence[float]) -> tuple[float, ...]:
    return (*numbers, 0, 0, 0, 0)[:4]


def fits(value: str | None, wanted: str, *, version: bool = False) -> bool:
    """Whether a value is as wanted: `set`, `unset`, a comparison, or a regular expression for the whole of it.

    Numbers compare as decimals (8.9 < 12.0), versions part by part (0.9 < 0.24).
    """
    if wanted in ("set", "unset"):
        return (value is not None) == (wanted == "set")
    if value is None:
        return wanted.startswith("unset|")
    wanted = wanted.removeprefix("unset|")
    comparison = _COMPARISON.fullmatch(wanted)
    if comparison is None:
        return re.fullmatch(wanted, value, re.IGNORECASE | re.DOTALL) is not None
    ordered = release if version or value.count(".") > 1 else _amount
    left, right = ordered(value), ordered(comparison.group(2))
    return bool(left and right) and _OPERATORS[comparison.group(1)](_padded(left), _padded(right))


def _amount(text: str) -> tuple[float, ...]:
    """A number, sizes in GiB."""
    found = _AMOUNT.match(text)
    return (float(found.group(1)) * _UNITS.get((found.group(2) or "").upper(), 1.0),) if found else ()


def holds(condition: Condition, facts: Facts, captures: Mapping[str, str], pages: Sequence[Page]) -> bool:
    """Whether one condition holds. `pages` is the boot in question and the other texts."""
    if condition.pattern is not None:
        found = next(iter(find(condition, pages)), None)
        return (found is None) == (condition.is_ == "unset")
    if condition.capture is not None:
        wanted = _COMPARISON.sub(lambda m: f"{m[1]} {captures.get(m[2], m[2])}", condition.is_)
        return fits(captures.get(condition.capture), wanted, version=condition.capture == "version")
    if condition.setting is not None:
        name = captures.get("setting", "") if condition.setting == "{setting}" else condition.setting
        setting = facts.setting(name, condition.source)
        return fits(None if setting is None else setting.value or "", condition.is_)
    return fits(facts.value(condition.fact or ""), condition.is_, version=condition.fact == "version")
