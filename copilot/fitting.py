"""`copilot fit`: from a model and a card to the forecast document."""

import json
from dataclasses import dataclass, replace
from pathlib import PurePath

from copilot.collect.gpu import read_gpus
from copilot.collect.modelconfig import read_config
from copilot.errors import NothingCollected, UsageError
from copilot.ledger import Card, MemoryChange, Plan, architecture_of, predict, smallest_change
from copilot.ledger.activation import context_gib
from copilot.ledger.bars import svg
from copilot.ledger.cards import card_named
from copilot.ledger.ollama import OllamaPlan, predict_ollama
from copilot.ledger.outlook import advice, assumptions, offload_verdict, verdict
from copilot.ledger.releases import NEWEST
from copilot.model.answer import LedgerRow
from copilot.model.architecture import Architecture
from copilot.model.fit import FitChange, FitDocument, Tokens
from copilot.model.ledger import Row
from copilot.model.text import Lang, Text
from copilot.ports import Files, Gpus


@dataclass(frozen=True)
class FitRequest:
    """What the person asked to be forecast."""

    engine: str
    plan: Plan
    ollama: OllamaPlan
    lang: Lang = "en"


@dataclass(frozen=True)
class CardRequest:
    """How the card was given; `name` may be `auto`, a name or a size."""

    name: str | None = None
    total: float | None = None
    free: float | None = None
    wsl: bool = False


def shape_of(files: Files, model: str | None, config: str | None) -> Architecture:
    """The model's shape: from a config.json, from a folder that holds one, or from the table.

    UsageError where nothing tells it.
    """
    if config is None and model is not None:
        config = next((path for path in (f"{model.rstrip('/')}/config.json", model) if files.exists(path)), None)
    if config is not None:
        if PurePath(config).suffix != ".json":
            config = f"{config.rstrip('/')}/config.json"
        name = model or PurePath(config).parent.name or "model"
        found = read_config(files.read(config).decode("utf-8", "replace"), name)
        if found is None:
            raise UsageError(
                f"{files.show(config)} is no config.json of a language model.", "Give the model's own file."
            )
        return found
    if model is None:
        raise UsageError("No model was named.", "copilot fit MODEL, or copilot fit --config config.json")
    known = architecture_of(model)
    if known is None:
        raise UsageError(
            f"The shape of {model!r} is not known here.", "Give its config.json: copilot fit --config config.json"
        )
    return known


def card_of(request: CardRequest, gpus: Gpus) -> Card:
    """The card: figures given win over a name, a name over the GPU of this machine."""
    if request.total is not None:
        named = _named(request.name)
        name, capability = (named.name, named.compute_capability) if named else ("", None)
        return Card(request.total, request.free, name, capability, wsl=request.wsl)
    if request.name is not None and request.name != "auto":
        return replace(card_named(request.name), free=request.free, wsl=request.wsl)
    return replace(_own(gpus), wsl=request.wsl)


def _named(name: str | None) -> Card | None:
    return card_named(name) if name and name != "auto" else None


def _own(gpus: Gpus) -> Card:
    report = read_gpus(gpus.read())
    if not report.gpus:
        raise NothingCollected(f"No GPU could be read: {report.problem}.", "Name one: --gpu 'RTX 3090' or --gpu 8GiB")
    gpu = report.gpus[0]
    try:
        total = min(gpu.total_mib / 1024, card_named(gpu.name).total)
    except UsageError:
        total = gpu.total_mib / 1024
    card = Card(total, None, gpu.name, gpu.compute_capability, count=len(report.gpus))
    if gpu.free_mib is None:
        return card
    return replace(card, free=min(total, gpu.free_mib / 1024) - context_gib(card))


def fit_document(request: FitRequest, architecture: Architecture, card: Card) -> FitDocument:
    """The forecast for vLLM or Ollama."""
    if request.engine == "ollama":
        return _ollama(request, architecture, card)
    plan, lang = request.plan, request.lang
    found = predict(architecture, card, plan)
    return FitDocument(
        model=architecture.model,
        engine="vllm",
        engine_version=plan.version or ".".join(str(part) for part in NEWEST),
        gpu=_card_text(card),
        starts=found.starts,
        sure=found.sure,
        verdict=verdict(found).in_(lang),
        rows=_rows(found.rows),
        kv_tokens=Tokens(value=found.kv_tokens.value, low=found.kv_tokens.low, high=found.kv_tokens.high),
        max_model_len=found.max_model_len,
        smallest_change=_change(smallest_change(architecture, card, plan), lang),
        advice=(advice(card).in_(lang),),
        assumptions=tuple(text.in_(lang) for text in assumptions(architecture, card, plan, found)),
    )


def settled(request: FitRequest, architecture: Architecture, card: Card) -> FitDocument:
    """The forecast with the smallest change applied: what a compose file should hold."""
    document = fit_document(request, architecture, card)
    change = smallest_change(architecture, card, request.plan) if request.engine == "vllm" else None
    if change is None:
        return document
    while change.then is not None:
        change = change.then
    tokens = change.fit.kv_tokens
    return document.model_copy(
        update={
            "starts": change.fit.starts,
            "sure": change.fit.sure,
            "verdict": verdict(change.fit).in_(request.lang),
            "rows": _rows(change.fit.rows),
            "kv_tokens": Tokens(value=tokens.value, low=tokens.low, high=tokens.high),
            "max_model_len": change.fit.max_model_len,
        }
    )


def _ollama(request: FitRequest, architecture: Architecture, card: Card) -> FitDocument:
    found = predict_ollama(architecture, card, request.ollama)
    quantization = request.ollama.quantization or architecture.quantization or "Q4_K_M"
    notes = (
        Text(en="Weights in {q}.", zh="权重为 {q}。").fill(q=quantization),
        Text(en="{n} requests at a time, KV cache in {t}.", zh="同时 {n} 个请求，KV 缓存类型 {t}。").fill(
            n=request.ollama.parallel, t=request.ollama.cache_type
        ),
    )
    tokens = found.largest_context
    change = None
    if not found.whole and tokens >= 1024:  # noqa: PLR2004 - a shorter context is of no use
        change = FitChange(
            parameter="env:OLLAMA_CONTEXT_LENGTH",
            to=str(tokens // 1024 * 1024),
            effect=offload_verdict(replace(found, layers=found.of, context=tokens // 1024 * 1024)).in_(request.lang),
            sure=False,
        )
    return FitDocument(
        model=architecture.model,
        engine="ollama",
        engine_version=request.plan.version or "",
        gpu=_card_text(card),
        starts=True,
        sure=found.whole,
        verdict=offload_verdict(found).in_(request.lang),
        rows=_rows(found.rows),
        kv_tokens=Tokens(value=found.context, low=found.context, high=found.context),
        max_model_len=tokens,
        smallest_change=change,
        layers_on_gpu=(found.layers, found.of),
        advice=(advice(card).in_(request.lang),),
        assumptions=tuple(note.in_(request.lang) for note in notes),
    )


def _rows(rows: tuple[Row, ...]) -> tuple[LedgerRow, ...]:
    return tuple(
        LedgerRow.model_validate(
            {
                "name": row.name,
                "gib": round(row.gib, 3),
                "from": row.origin,
                "low": None if row.low is None else round(row.low, 3),
                "high": None if row.high is None else round(row.high, 3),
                "note": row.note,
            }
        )
        for row in rows
    )


def _change(change: MemoryChange | None, lang: Lang) -> FitChange | None:
    if change is None:
        return None
    return FitChange(
        parameter=change.parameter,
        to=change.value,
        effect=change.effect.in_(lang),
        sure=change.fit.sure,
        then=_change(change.then, lang),
    )


def _card_text(card: Card) -> str:
    name = card.name or f"{card.total:g} GiB"
    return f"{card.count} × {name}" if card.count > 1 else name


def as_json(document: FitDocument) -> str:
    """One JSON document, `schema` first."""
    return json.dumps(document.model_dump(by_alias=True, mode="json"), ensure_ascii=False, indent=2)


def drawing(document: FitDocument, lang: Lang) -> str:
    """The ledger as SVG."""
    rows = tuple(Row(name=row.name, gib=row.gib, origin="estimated") for row in document.rows)
    return svg(rows, f"{document.model} · {document.engine} · {document.gpu}", lang)
