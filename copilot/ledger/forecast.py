"""What a start would take, before it is tried."""

from dataclasses import dataclass
from math import ceil

from copilot.ledger.activation import Estimate, Load, activation, context_gib, desktop_gib, graphs, load_of, non_torch
from copilot.ledger.kvcache import Layout, layout
from copilot.ledger.plan import GIB, Card, Plan, max_model_len
from copilot.ledger.weights import weight_gib
from copilot.model.architecture import Architecture
from copilot.model.ledger import Row


@dataclass(frozen=True)
class Range:
    """A whole number with the range it is expected in."""

    value: int
    low: int
    high: int


@dataclass(frozen=True)
class Fit:
    """The prediction for one start."""

    rows: tuple[Row, ...]
    starts: bool
    sure: bool
    """False: within the interval it could also go the other way."""
    reason: str
    """`free`, `weights`, `cache`, `graphs` (captured outside the share, no room left), or `` where it starts."""
    kv_tokens: Range
    max_model_len: int
    """The longest context that fits with these settings; 0 where none does."""
    length: int
    """The context length asked for."""
    utilization: float

    def gib(self, name: str) -> float:
        """The value of a row; 0 where there is none."""
        return next((row.gib for row in self.rows if row.name == name), 0.0)

    def row(self, name: str) -> Row | None:
        """A row by name."""
        return next((row for row in self.rows if row.name == name), None)


@dataclass(frozen=True)
class Parts:
    """All figures of one forecast, in GiB, before they become rows."""

    total: float
    free: Estimate
    free_read: bool
    asked: float
    weights: Estimate
    activation: Estimate
    non_torch: Estimate
    graphs: Estimate
    graphs_counted: bool
    cache: Layout
    load: Load
    length: int
    fixed_cache: float | None

    @property
    def available(self) -> Estimate:
        """The KV cache's part."""
        if self.fixed_cache is not None:
            return Estimate(self.fixed_cache, self.fixed_cache, self.fixed_cache)
        spent = [self.weights, self.activation, self.non_torch, *([self.graphs] if self.graphs_counted else [])]
        return Estimate(
            self.asked - sum(part.value for part in spent),
            self.asked - sum(part.high for part in spent),
            self.asked - sum(part.low for part in spent),
        )

    @property
    def spilled(self) -> float:
        """What is taken once graphs are captured that the share did not count (the activation peak is free again)."""
        return self.asked - self.activation.value + (0.0 if self.graphs_counted else self.graphs.value)

    @property
    def needed(self) -> float:
        """GiB for one sequence of the length asked for."""
        return self.cache.needed(self.length, self.load.tokens) / GIB


def parts_of(architecture: Architecture, card: Card, plan: Plan) -> Parts:
    """All figures of the start."""
    load = load_of(architecture, card, plan)
    share = plan.utilization if plan.utilization is not None else plan.release.utilization
    weights = weight_gib(architecture, plan)
    spread = 0.02 + (0.05 if plan.quantization or architecture.quantization else 0.006) * weights
    return Parts(
        total=card.total,
        free=_free(card),
        free_read=card.free is not None,
        asked=ceil(card.total * GIB * share) / GIB,
        weights=Estimate(weights, weights - spread, weights + spread),
        activation=activation(architecture, card, plan),
        non_torch=non_torch(card, plan),
        graphs=graphs(architecture, card, plan),
        graphs_counted=plan.release.counts_graphs(load.v2) and not plan.enforce_eager,
        cache=layout(architecture, plan),
        load=load,
        length=max_model_len(plan, architecture),
        fixed_cache=plan.kv_cache_bytes / GIB if plan.kv_cache_bytes else None,
    )


def _free(card: Card) -> Estimate:
    desktop = desktop_gib(card)
    free = card.free if card.free is not None else card.total - context_gib(card)
    return Estimate(free - desktop.value, free - desktop.high, free - desktop.low)


def predict(architecture: Architecture, card: Card, plan: Plan) -> Fit:
    """Whether vLLM would start, and the ledger of that start, with intervals where a figure is an estimate."""
    parts = parts_of(architecture, card, plan)
    available, automatic = parts.available, plan.max_model_len == -1
    checks = plan.release.checks_free_memory
    free, lows, highs = parts.free, (available.low, parts.free.low), (available.high, parts.free.high)
    reason = _reason(parts, (available.value, free.value), automatic=automatic, checks=checks)
    worst = _reason(parts, lows, automatic=automatic, checks=checks)
    best = _reason(parts, highs, automatic=automatic, checks=checks)
    most = architecture.max_position or parts.length
    longest = parts.cache.longest(available.value * GIB, parts.load.tokens, max(most, parts.length))
    length = min(parts.length, longest) if automatic and longest else parts.length
    ends = (available.value, available.low, available.high)
    tokens = [parts.cache.tokens(gib * GIB, length, parts.load.tokens) for gib in ends]
    return Fit(
        rows=_rows(parts),
        starts=not reason,
        sure=bool(worst) == bool(best),
        reason=reason,
        kv_tokens=Range(*tokens),
        max_model_len=longest if reason != "free" else 0,
        length=length,
        utilization=parts.asked / parts.total if parts.total else 0.0,
    )


def _reason(parts: Parts, known: tuple[float, float], *, automatic: bool, checks: bool) -> str:
    """Why it would not start with this much left for the cache and this much free; empty where it would."""
    available, free = known
    if checks and free < parts.asked:
        return "free"
    if available <= 0:
        return "weights"
    needed = parts.cache.needed(1, parts.load.tokens) / GIB if automatic else parts.needed
    if needed > available:
        return "cache"
    return "graphs" if parts.spilled > free else ""


def _rows(parts: Parts) -> tuple[Row, ...]:
    available = parts.available
    rows = [
        Row(name="total", gib=parts.total, origin="gpu"),
        _free_row(parts),
        Row(name="asked", gib=parts.asked, origin="derived", note=f"{parts.asked / parts.total:.2f} × total"),
        _row("weights", parts.weights),
        _row("activation", parts.activation),
        _row("non_torch", parts.non_torch),
        _row("graphs", parts.graphs, "" if parts.graphs_counted else "outside the share in this version"),
        _row("kv_available", available),
        Row(name="kv_needed", gib=parts.needed, origin="derived", note=f"one sequence of {parts.length} tokens"),
    ]
    short = max(parts.asked - parts.free.value, parts.needed - available.value)
    if short > 0:
        rows.append(Row(name="shortfall", gib=short, origin="estimated"))
    return tuple(rows)


def _free_row(parts: Parts) -> Row:
    free, moves = parts.free, parts.free.low != parts.free.high
    return Row(
        name="free",
        gib=free.value,
        origin="gpu" if parts.free_read else "estimated",
        low=free.low if moves else None,
        high=free.high if moves else None,
        note="WSL2: it moves" if moves else "",
    )


def _row(name: str, estimate: Estimate, note: str = "") -> Row:
    return Row(
        name=name,
        gib=estimate.value,
        origin="estimated",
        low=estimate.low,
        high=estimate.high,
        note=note or estimate.note,
    )
