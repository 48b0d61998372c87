"""What one change of a setting does to the ledger of the start that was tried; and how close that came afterwards."""

from dataclasses import dataclass

from copilot.ledger.forecast import Fit, predict
from copilot.ledger.plan import Card, Plan, plan_of
from copilot.ledger.table import architecture_of
from copilot.model.architecture import Architecture
from copilot.model.evidence import Service, Setting
from copilot.model.ledger import Ledger, Readings
from copilot.model.text import Text

TOUCHES_MEMORY = frozenset(
    {
        "--gpu-memory-utilization",
        "--kv-cache-memory-bytes",
        "--max-model-len",
        "--max-num-seqs",
        "--max-num-batched-tokens",
        "--kv-cache-dtype",
        "--enforce-eager",
        "--tensor-parallel-size",
        "--dtype",
        "--quantization",
        "--block-size",
        "--model",
    }
)
"""Flags of vLLM whose effect on the KV cache can be computed."""


_ANY_CARD = frozenset({"--max-model-len", "--kv-cache-dtype", "--block-size"})
"""They change what a sequence needs and not what is there: the card's size does not matter."""
_SOME_CARD = 24.0


@dataclass(frozen=True)
class Effect:
    """The predicted KV cache of the next start, in GiB."""

    before: float | None
    """What the tried start had; None where it did not get so far."""
    after: float
    low: float
    high: float
    needed: float | None
    """One sequence of `length` tokens; None where neither the log nor the model's shape tells."""
    length: int | None

    @property
    def text(self) -> Text:
        """One sentence, as `KV cache 0.52 GiB → 1.31 GiB, 4,096 needs 0.14`."""
        said = _FIRST if self.before is None else _THEN if self.length and self.needed is not None else _CACHE
        return said.fill(
            was=f"{self.before or 0.0:.2f}",
            will=f"{self.after:.2f}",
            low=f"{self.low:.2f}",
            high=f"{self.high:.2f}",
            length=f"{self.length or 0:,}",
            needs=f"{self.needed or 0.0:.2f}",
        )


_CACHE = Text(en="KV cache {was} GiB → {will} GiB.", zh="KV 缓存 {was} GiB → {will} GiB。")
_THEN = Text(
    en="KV cache {was} GiB → {will} GiB, {length} tokens need {needs} GiB.",
    zh="KV 缓存 {was} GiB → {will} GiB，{length} 个 token 需要 {needs} GiB。",
)
_FIRST = Text(
    en="KV cache about {will} GiB ({low} to {high}), {length} tokens need {needs} GiB.",
    zh="KV 缓存约 {will} GiB（{low} 到 {high}），{length} 个 token 需要 {needs} GiB。",
)


@dataclass(frozen=True)
class Tried:
    """The start whose ledger is known."""

    ledger: Ledger
    service: Service
    version: str | None
    architecture: Architecture | None


def effect_on(tried: Tried, parameter: str, to: str | None) -> Effect | None:
    """The KV cache after one change; None where the setting has no such effect or the figures do not tell.

    Anchored at what the engine measured: the forecast gives the difference only.
    """
    total, architecture = tried.ledger.gib("total"), tried.architecture
    if parameter in _ANY_CARD and tried.ledger.gib("kv_available") is not None:
        total = total or _SOME_CARD
    if parameter not in TOUCHES_MEMORY or total is None:
        return None
    if architecture is None:
        return _by_share(tried.ledger, total, to) if parameter == "--gpu-memory-utilization" else None
    then = architecture_of(to) if parameter == "--model" and to else architecture
    if then is None:
        return None
    card = Card(total=total, free=tried.ledger.gib("free"))
    now = predict(architecture, card, plan_of(tried.service, tried.version))
    fit = predict(then, card, _changed(tried, parameter, to))
    return _anchored(tried.ledger, now, fit)


def _by_share(ledger: Ledger, total: float, to: str | None) -> Effect | None:
    """Without the model's shape: a share that is larger by x adds x of the card to the cache, whatever the model."""
    asked, cache = ledger.gib("asked"), ledger.gib("kv_available")
    try:
        share = float(to or "")
    except ValueError:
        return None
    if asked is None or cache is None:
        return None
    after = cache + share * total - asked
    return Effect(before=cache, after=after, low=after, high=after, needed=ledger.gib("kv_needed"), length=None)


def _changed(tried: Tried, parameter: str, to: str | None) -> Plan:
    """The plan with one setting replaced or removed."""
    kept = [setting for setting in tried.service.settings if setting.parameter != parameter]
    new = [] if to is None else [Setting(parameter=parameter, value=to, source="log")]
    return plan_of(tried.service.model_copy(update={"settings": (*kept, *new)}), tried.version)


def _anchored(ledger: Ledger, now: Fit, fit: Fit) -> Effect:
    row = next((row for row in ledger.rows if row.name == "kv_available" and row.origin != "estimated"), None)
    forecast = fit.row("kv_available")
    shift = row.gib - now.gib("kv_available") if row is not None else 0.0
    low, high = (forecast.low, forecast.high) if forecast is not None else (None, None)
    value = fit.gib("kv_available") + shift
    known = row is not None
    return Effect(
        before=row.gib if row is not None else None,
        after=value,
        low=value if known or low is None else low,
        high=value if known or high is None else high,
        needed=fit.gib("kv_needed"),
        length=fit.length,
    )


_MET = Text(
    en="KV cache: predicted {predicted} GiB, measured {measured} GiB, off by {off}.",
    zh="KV 缓存：预计 {predicted} GiB，实测 {measured} GiB，相差 {off}。",
)


def compared(predicted: float, readings: Readings) -> Text | None:
    """The prediction of the last round beside what this start measured; None where it measured no KV cache."""
    measured = readings.values.get("kv_available")
    if measured is None:
        return None
    off = abs(measured - predicted)
    return _MET.fill(predicted=f"{predicted:.2f}", measured=f"{measured:.2f}", off=f"{off:.2f}")
