"""The ledger of calls, for reconciling with a gateway's console: names, numbers and ids, no contents and no keys."""

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, ValidationError

from copilot.model.provider import Price, Provider
from copilot.model.text import Frozen
from copilot.providers.exchange import Exchange, Record

FILE = "usage.jsonl"
_PER = 1_000_000
"""Prices are per million tokens."""


class Call(Frozen):
    """One request that was sent, whether or not it was answered."""

    time: str
    """UTC, ISO 8601."""
    provider: str
    host: str
    """Host of the endpoint."""
    model_asked: str
    model_answered: str | None
    request_id: str | None
    """The header that a gateway's console shows."""
    response_id: str | None
    tokens_in: int
    tokens_out: int
    seconds: float
    price: float | None = None
    currency: str | None = None
    outcome: str
    """`ok`, or why there is no answer: key path model too_long overloaded interrupted ..."""


class Total(Frozen):
    """The calls of one provider and model together."""

    provider: str
    model: str
    calls: int
    failed: int
    tokens_in: int
    tokens_out: int
    seconds: float
    price: float | None
    currency: str | None


class Usage(Frozen):
    """The document of `copilot usage --json`."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Literal["copilot.usage/1"] = Field(default="copilot.usage/1", alias="schema")
    calls: tuple[Call, ...]
    totals: tuple[Total, ...]
    unreadable: int = 0
    """Lines of the file that are no calls (cut off when a disk was full)."""


def recorder(path: Path, provider: Provider) -> Record:
    """What writes a line for each exchange with this provider. A ledger that cannot be written stops no answer."""

    def record(exchange: Exchange) -> None:
        line = of(exchange, provider, datetime.now(UTC)).model_dump_json()
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError:
            return

    return record


def of(exchange: Exchange, provider: Provider, now: datetime) -> Call:
    """The ledger's line for an exchange."""
    from urllib.parse import urlsplit

    cost = price(provider.price, exchange.tokens_in, exchange.tokens_out)
    return Call(
        time=now.isoformat(timespec="milliseconds"),
        provider=exchange.provider,
        host=urlsplit(provider.base_url).netloc,
        model_asked=exchange.model_asked,
        model_answered=exchange.model_answered or None,
        request_id=exchange.request_id,
        response_id=exchange.response_id,
        tokens_in=exchange.tokens_in,
        tokens_out=exchange.tokens_out,
        seconds=round(exchange.seconds, 3),
        price=cost,
        currency=provider.price.currency if provider.price and cost is not None else None,
        outcome=exchange.outcome,
    )


def price(table: Price | None, tokens_in: int, tokens_out: int) -> float | None:
    """What a call cost, if the configuration tells the price."""
    if table is None:
        return None
    return round((tokens_in * table.input + tokens_out * table.output) / _PER, 8)


def read(path: Path, since: str | None = None) -> Usage:
    """The calls on record from a day or time on (ISO 8601, compared as text), with totals."""
    calls, unreadable = [], 0
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        lines = []
    for line in lines:
        try:
            call = Call.model_validate_json(line)
        except ValidationError:
            unreadable += bool(line.strip())
        else:
            if since is None or call.time >= since:
                calls.append(call)
    return Usage(calls=tuple(calls), totals=totals(calls), unreadable=unreadable)


def totals(calls: Iterable[Call]) -> tuple[Total, ...]:
    """One row per provider, model and currency, in the order of first use."""
    groups: dict[tuple[str, str, str | None], list[Call]] = {}
    for call in calls:
        key = (call.provider, call.model_answered or call.model_asked, call.currency)
        groups.setdefault(key, []).append(call)
    return tuple(
        Total(
            provider=provider,
            model=model,
            calls=len(group),
            failed=sum(call.outcome != "ok" for call in group),
            tokens_in=sum(call.tokens_in for call in group),
            tokens_out=sum(call.tokens_out for call in group),
            seconds=round(sum(call.seconds for call in group), 3),
            price=round(sum(call.price or 0 for call in group), 8) if currency else None,
            currency=currency,
        )
        for (provider, model, currency), group in groups.items()
    )
