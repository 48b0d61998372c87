"""Medians and quartiles, and when two of them differ by more than chance."""

from collections.abc import Sequence
from statistics import median, quantiles

from copilot.model.measurement import Spread


def spread(values: Sequence[float]) -> Spread | None:
    """Median and quartiles (inclusive method) of the values; None where there are none."""
    if not values:
        return None
    ordered = sorted(values)
    low, high = ordered[0], ordered[-1]
    if len(ordered) > 1:
        low, _, high = quantiles(ordered, n=4, method="inclusive")
    return Spread(median=median(ordered), low=low, high=high, least=ordered[0], most=ordered[-1], count=len(ordered))


def beyond(a: Spread, b: Spread) -> bool:
    """Whether the interquartile ranges do not overlap; a single value has no spread and proves nothing."""
    if min(a.count, b.count) < 2:  # noqa: PLR2004 - two values are the least that spread
        return False
    return a.high < b.low or b.high < a.low
