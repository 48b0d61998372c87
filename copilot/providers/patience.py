"""How long to wait before asking again, and whether to."""

from copilot.providers.failures import RETRIED, Refusal

_FIRST, _LONGEST = 0.5, 20.0
"""Seconds."""


def wait(refusal: Refusal, attempt: int, left: float, jitter: float) -> float | None:
    """Seconds to wait before attempt `attempt + 1` (from 0); None: asking again will not help, or is too late.

    `left` is the time left in seconds, `jitter` a random number from 0 to 1. Retry-After is obeyed where the
    time allows it.
    """
    if refusal.kind not in RETRIED:
        return None
    if refusal.retry_after is not None:
        return refusal.retry_after if refusal.retry_after < left else None
    pause = min(_LONGEST, _FIRST * 2.0**attempt) * (0.75 + jitter / 2)
    return pause if pause < left else None
