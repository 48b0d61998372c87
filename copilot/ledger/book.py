"""The ledger of a start that was tried: what the engine printed first, what follows from it, estimates last."""

from copilot.ledger.changes import utilization_that_fits
from copilot.ledger.forecast import Fit, predict
from copilot.ledger.kvcache import layout
from copilot.ledger.plan import GIB, Card, Plan, plan_of
from copilot.ledger.situation import Situation
from copilot.ledger.tenants import Holder, conflicts_of, gpu_of, holder_of
from copilot.ledger.verdict import verdict_of
from copilot.model.architecture import Architecture
from copilot.model.evidence import Gpu, GpuReport, Service
from copilot.model.ledger import Ledger, Readings, Row
from copilot.model.words import Origin

_ORDER = (
    "total",
    "others",
    "free",
    "asked",
    "weights",
    "non_torch",
    "activation",
    "graphs",
    "kv_available",
    "kv_needed",
    "shortfall",
    "oom_tried",
    "oom_free",
    "oom_in_use",
)
_KEYS = {"asked": ("requested",), "total": ("total", "oom_total")}
"""Row name -> names of the readings that state it, where they differ."""
_DECIDING = frozenset({"requested", "free", "kv_available", "kv_needed", "tokens", "oom_tried", "layers"})
"""Without one of these in the log, memory is not in question."""
_CONTEXT_HELD = 0.75
"""GiB below the total that an empty card shows as taken once the engine's own CUDA context is there."""


def build(
    readings: Readings,
    gpu: GpuReport | None,
    service: Service,
    architecture: Architecture | None,
    version: str | None,
) -> Ledger | None:
    """The ledger, or None when the log holds no memory figure (memory is not in question).

    `readings.wsl` widens margins: under WSL2 free memory moves with the desktop.
    """
    if not _DECIDING & readings.values.keys():
        return None
    plan = _plan(readings, service, version)
    table = _Table(readings, gpu_of(readings, gpu), architecture, plan)
    table.measured()
    table.derived()
    situation = _situation(table, table.estimated(), holder_of(readings, gpu))
    return Ledger(
        rows=table.rows(),
        verdict=verdict_of(situation),
        fits=situation.fits,
        conflicts=conflicts_of(readings, gpu),
        tokens=situation.tokens,
    )


def _situation(table: "_Table", fit: Fit | None, holder: Holder) -> Situation:
    """The finished table with the engine's own figures that are no GiB."""
    values = table.readings.values
    return Situation(
        rows={row.name: row for row in table.rows()},
        plan=table.plan,
        architecture=table.architecture,
        tokens=_whole(values.get("tokens")),
        length=_whole(values.get("max_model_len")) or (fit.length if fit else table.plan.max_model_len),
        longest=_whole(values.get("max_len_fits")),
        layers=_layers(table.readings),
        fit=fit,
        card=table.card,
        holder=holder,
    )


def _plan(readings: Readings, service: Service, version: str | None) -> Plan:
    """The settings, completed by what the engine says it uses."""
    plan, values = plan_of(service, version), readings.values
    if plan.max_model_len is None and "max_model_len" in values:
        plan = plan.with_(max_model_len=int(values["max_model_len"]))
    if plan.max_num_batched_tokens is None and "batched_tokens" in values:
        plan = plan.with_(max_num_batched_tokens=int(values["batched_tokens"]))
    return plan


class _Table:
    """Rows while they are collected; a row that is there is not replaced by a weaker origin."""

    def __init__(self, readings: Readings, gpu: Gpu | None, architecture: Architecture | None, plan: Plan) -> None:
        self.readings = readings
        self.values = readings.values
        self.gpu = gpu
        self.architecture = architecture
        self.plan = plan
        self._rows: dict[str, Row] = {}

    def rows(self) -> tuple[Row, ...]:
        """The rows in the order of the table."""
        return tuple(self._rows[name] for name in _ORDER if name in self._rows)

    def gib(self, name: str) -> float | None:
        """The value of a row so far."""
        row = self._rows.get(name)
        return row.gib if row else None

    @property
    def card(self) -> Card | None:
        """The card as far as it is known."""
        total = self.gib("total")
        if total is None:
            return None
        name, capability = (self.gpu.name, self.gpu.compute_capability) if self.gpu else ("", None)
        return Card(
            total=total, free=self.gib("free"), name=name, compute_capability=capability, wsl=bool(self.readings.wsl)
        )

    def measured(self) -> None:
        """What the log states, and the card's size from its counters."""
        for name in _ORDER:
            for key in _KEYS.get(name, (name,)):
                if key in self.values:
                    self._add(name, self.values[key], "log", line=self.readings.lines.get(key))
        if "oom_tried" in self.values and "oom_in_use" not in self.values and "others" in self._rows:
            # "Process N has X in use" without a line of its own is this process, seen from outside its container.
            own = self._rows.pop("others")
            self._rows["oom_in_use"] = own.model_copy(update={"name": "oom_in_use"})
        if "graphs" not in self._rows and "graphs_estimated" in self.values:
            line = self.readings.lines.get("graphs_estimated")
            self._add("graphs", self.values["graphs_estimated"], "log", line=line, note="the engine's own estimate")
        if self.gpu is not None:
            self._counters(self.gpu)

    def _counters(self, gpu: Gpu) -> None:
        self._add("total", gpu.total_mib / 1024, "gpu")

    def derived(self) -> None:
        """What follows from measured figures by subtraction or multiplication."""
        total, free = self.gib("total"), self.gib("free")
        share = self._share()
        if total is not None and share is not None:
            self._add("asked", total * share, "derived", note=f"{share:g} × {total:.2f}")
        if total is not None and free is not None and total - free > _CONTEXT_HELD:
            self._add("others", total - free, "derived", note="total less free, the CUDA context of the start included")
        asked = self.gib("asked")
        spent = [self.gib(name) for name in ("weights", "activation", "non_torch")]
        if asked is not None and all(part is not None for part in spent):
            left = asked - sum(part for part in spent if part is not None)
            self._add("kv_available", left, "derived", note="asked less weights, activation and libraries")

    def _share(self) -> float | None:
        """The share asked for; the version's default only where a GPU start of vLLM is seen."""
        stated = self.values.get("utilization") or self.plan.utilization
        measured = self._rows.get("total")
        if stated is not None or measured is None or measured.origin != "gpu" or "layers" in self.values:
            return stated
        return self.plan.release.utilization if {"weights", "kv_available"} & self.values.keys() else None

    def estimated(self) -> Fit | None:
        """What only the model's shape tells; and the shortfall."""
        card, architecture = self.card, self.architecture
        fit = predict(architecture, card, self._startable(card)) if card and architecture else None
        if fit is not None:
            for name in ("weights", "non_torch", "activation", "graphs", "kv_available", "kv_needed"):
                self._from_forecast(name, fit)
        elif architecture is not None and "max_model_len" in self.values:
            self._needed(architecture, self.values["max_model_len"])
        self._shortfall()
        return fit

    def _needed(self, architecture: Architecture, length: float) -> None:
        batched = int(self.values.get("batched_tokens", 2048))
        needed = layout(architecture, self.plan).needed(int(length), batched) / GIB
        self._add("kv_needed", needed, "derived", note=f"one sequence of {int(length)} tokens")

    def _startable(self, card: Card) -> Plan:
        """The plan itself, or with the share that fits where the start was refused for its share."""
        asked, free = self.gib("asked"), self.gib("free")
        if asked is None or free is None or asked <= free or not self.plan.release.checks_free_memory:
            return self.plan
        return self.plan.with_(utilization=utilization_that_fits(free, card.total, wsl=card.wsl))

    def _from_forecast(self, name: str, fit: Fit) -> None:
        row = fit.row(name)
        if name == "kv_available" and self.plan.release.checks_free_memory and fit.reason == "free":
            return  # a refused start has no cache, and no share that fits gives it one
        known = self.gib("kv_available") is not None
        if row is None or name in self._rows or (known and name != "kv_needed"):
            return
        if name == "kv_available" and fit.gib("asked") != self.gib("asked"):
            row = row.model_copy(update={"note": f"with a share of {fit.utilization:.2f}, which fits"})
        self._rows[name] = row

    def _shortfall(self) -> None:
        asked, free = self.gib("asked"), self.gib("free")
        needed, available = self.gib("kv_needed"), self.gib("kv_available")
        if asked is not None and free is not None and asked > free and self.plan.release.checks_free_memory:
            self._add("shortfall", asked - free, "derived", note="asked less free")
        elif available is not None and available < 0:
            self._add("shortfall", -available, "derived", note="below zero before the KV cache gets anything")
        elif needed is not None and available is not None and needed > available:
            self._add("shortfall", needed - available, "derived", note="needed less available")

    def _add(self, name: str, gib: float, origin: Origin, *, line: int | None = None, note: str = "") -> None:
        if name not in self._rows:
            self._rows[name] = Row(name=name, gib=gib, origin=origin, line=line, note=note)


def _layers(readings: Readings) -> tuple[int, int] | None:
    """Ollama's layers on the GPU, of how many."""
    whole, placed = readings.values.get("layers"), readings.values.get("layers_offloaded")
    return (int(placed), int(whole)) if whole is not None and placed is not None else None


def _whole(value: float | None) -> int | None:
    return int(value) if value is not None else None
