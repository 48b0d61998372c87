"""The forecast document of `copilot fit`, from a shape, a card and the settings."""

import json
from dataclasses import dataclass, replace

from copilot.ledger import Card, MemoryChange, Plan, predict, smallest_change
from copilot.ledger.bars import svg
from copilot.ledger.forecast import Fit
from copilot.ledger.ollama import Offload, OllamaPlan, predict_ollama
from copilot.ledger.outlook import advice, assumptions, offload_verdict, verdict
from copilot.ledger.plan import settings_of
from copilot.ledger.releases import NEWEST
from copilot.model.answer import LedgerRow
from copilot.model.architecture import Architecture
from copilot.model.fit import FitChange, FitDocument, Tokens
from copilot.model.ledger import Row
from copilot.model.text import Lang, Text


@dataclass(frozen=True)
class FitRequest:
    """What the person asked to be forecast."""

    engine: str
    plan: Plan
    ollama: OllamaPlan
    lang: Lang = "en"


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
        **_figures(found, lang),
        smallest_change=_change(smallest_change(architecture, card, plan), lang),
        advice=(advice(card).in_(lang),),
        assumptions=tuple(text.in_(lang) for text in assumptions(architecture, card, plan, found)),
    )


def settled(request: FitRequest, architecture: Architecture, card: Card) -> FitDocument:
    """The forecast with the smallest change applied: what a compose file should hold."""
    document = fit_document(request, architecture, card)
    if request.engine == "ollama":
        return _settled_ollama(request, architecture, card, document)
    change = smallest_change(architecture, card, request.plan)
    if change is None:
        return document
    while change.then is not None:
        change = change.then
    return document.model_copy(update=_figures(change.fit, request.lang))


def settings(request: FitRequest) -> dict[str, str]:
    """What the person asked for, as the engine's own flags or variables."""
    return request.ollama.settings() if request.engine == "ollama" else settings_of(request.plan)


def _figures(found: Fit, lang: Lang) -> dict[str, object]:
    """The fields that one forecast of vLLM fills."""
    tokens = found.kv_tokens
    return {
        "starts": found.starts,
        "sure": found.sure,
        "verdict": verdict(found).in_(lang),
        "rows": _rows(found.rows),
        "kv_tokens": Tokens(value=tokens.value, low=tokens.low, high=tokens.high),
        "max_model_len": found.max_model_len,
    }


_SHORTEST = 1024
"""Tokens of context below which a shorter one is of no use."""


def _ollama(request: FitRequest, architecture: Architecture, card: Card) -> FitDocument:
    found = predict_ollama(architecture, card, request.ollama)
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
        max_model_len=found.largest_context,
        smallest_change=_shorter(found, request.lang),
        layers_on_gpu=(found.layers, found.of),
        advice=(advice(card).in_(request.lang),),
        assumptions=tuple(note.in_(request.lang) for note in _notes(request.ollama, architecture)),
    )


def _notes(plan: OllamaPlan, architecture: Architecture) -> tuple[Text, ...]:
    quantization = plan.quantization or architecture.quantization or "Q4_K_M"
    return (
        Text(en="Weights in {q}.", zh="权重为 {q}。").fill(q=quantization),
        Text(en="{n} requests at a time, KV cache in {t}.", zh="同时 {n} 个请求，KV 缓存类型 {t}。").fill(
            n=plan.parallel, t=plan.cache_type
        ),
    )


def _shorter(found: Offload, lang: Lang) -> FitChange | None:
    """The longest round context with which the whole model stays on the card; None where that is of no use."""
    context = found.largest_context // _SHORTEST * _SHORTEST
    if found.whole or not context:
        return None
    effect = offload_verdict(replace(found, layers=found.of, context=context)).in_(lang)
    return FitChange(parameter="env:OLLAMA_CONTEXT_LENGTH", to=str(context), effect=effect, sure=False)


def _settled_ollama(request: FitRequest, architecture: Architecture, card: Card, document: FitDocument) -> FitDocument:
    change = document.smallest_change
    if change is None:
        return document
    changed = replace(request, ollama=replace(request.ollama, context=int(change.to)))
    return _ollama(changed, architecture, card).model_copy(update={"smallest_change": change})


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
