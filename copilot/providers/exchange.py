"""One request and its answer, as the ledger of calls keeps it: numbers and names, no contents."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Exchange:
    """One HTTP request to a provider."""

    provider: str
    model_asked: str
    model_answered: str = ""
    request_id: str | None = None
    """The header that gateways show in their consoles (`x-request-id` and its kin)."""
    response_id: str | None = None
    """The `id` of the answer."""
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    outcome: str = "ok"
    """`ok`, or the kind of the refusal."""


Record = Callable[[Exchange], None]


def forget(exchange: Exchange) -> None:
    """Keep no ledger."""
    del exchange
