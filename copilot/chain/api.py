"""The links inside the endpoint: path, auth, model, one small completion, and the form of a stream."""

import json
from collections.abc import Mapping
from typing import Any

from copilot.adapters.probe import NoAnswer, Response, is_api
from copilot.chain import proxies, seen, tls, words
from copilot.chain.links import Broken, Found, Result
from copilot.chain.local import given
from copilot.model.text import Text
from copilot.providers.address import candidates, nearest
from copilot.providers.explain import without_key
from copilot.providers.failures import Refusal, classify, is_page, said

_OK = 200
_GATEWAY = (407, 502, 503, 504)
"""Statuses of something in between rather than of the endpoint."""
_SMALL = 16
"""Output tokens of the small chat."""
_EVENTS = "text/event-stream"


def path(found: Found) -> Result:
    """Which address is the API's: the configured one, or another that the typed one may mean."""
    typed = given(found).base_url
    try:
        own = found.http.get(f"{typed}/models", _sent(found))
        if is_api(own):
            return _listed(found, typed, own)
        for base in candidates(typed):
            if base != typed and is_api(found.http.get(f"{base}/models", _sent(found))):
                return words.other_base(typed, base, own.status)
    except NoAnswer as error:
        return _unanswered(found, error)
    return _no_list(found, typed, own)


def _listed(found: Found, base: str, answer: Response) -> Text:
    """Remember the address and what the list says."""
    found.base = base
    document = _json(answer.body)
    entries = document.get("data") if isinstance(document, dict) else None
    rows = [row for row in entries if isinstance(row, dict)] if isinstance(entries, list) else []
    found.models = tuple(str(row["id"]) for row in rows if row.get("id"))
    if answer.status != _OK:
        return Text(en=f"{base}/models asks for a key", zh=f"{base}/models 要求密钥")
    return Text(
        en=f"{base}/models lists {len(found.models)} models", zh=f"{base}/models 列出 {len(found.models)} 个模型"
    )


def _unanswered(found: Found, error: NoAnswer) -> Broken:
    """No response: the proxy's fault, http spoken to https, or the server's."""
    return proxies.unanswered(found, error) or tls.https_wanted(found, error) or words.no_answer(found, error)


def _no_list(found: Found, base: str, answer: Response) -> Result:
    """No address gave a list: something in between, a server that is not ready, or an API without a list."""
    between = _between(found, base, answer)
    if between is not None:
        return between
    if not answer.complete:
        return seen.endless(base)
    refusal = classify(answer.status, answer.headers, answer.body)
    if answer.status != _OK and refusal.kind not in ("path", "request", "model"):
        return words.refused(base, refusal, "path")
    if answer.status == _OK:
        return words.no_api(base)
    return Text(en=f"{base} has no list of models ({answer.status})", zh=f"{base} 没有模型列表（{answer.status}）")


def _between(found: Found, base: str, answer: Response) -> Broken | None:
    """Http spoken to https, a proxy that answers itself, or a site's page."""
    page, gateway = is_page(answer.headers, answer.body), answer.status in _GATEWAY
    other = tls.https_wanted(found, answer.body)
    if other is None and (page or gateway):
        other = proxies.answered_itself(found, answer.status)
    return words.page(base) if other is None and page and not gateway else other


def auth(found: Found) -> Result:
    """Whether the key is taken."""
    try:
        answer = found.http.get(f"{found.base}/models", _sent(found))
    except NoAnswer as error:
        return _unanswered(found, error)
    if answer.status in (401, 403):
        return words.refused(found.base, classify(answer.status, answer.headers, answer.body), "auth", found)
    if found.key is None:
        return Text(en="no key is asked for", zh="不需要密钥")
    return Text(en=f"the key from {found.key_from} is not refused", zh=f"来自 {found.key_from} 的密钥未被拒绝")


def model(found: Found) -> Result:
    """Whether the endpoint has the model that is asked for."""
    wanted = given(found).model
    shown = ", ".join(found.models[:8])
    if wanted is None:
        if len(found.models) != 1:
            return words.no_model(found.models)
        found.model = found.models[0]
        return Text(en=f"none is configured; its only one is {found.model}", zh=f"未配置模型；接口只有 {found.model}")
    found.model = wanted
    if not found.models or wanted in found.models:
        return Text(en=wanted, zh=wanted)
    return words.wrong_model(wanted, nearest(wanted, found.models) or found.models[0], shown)


def completion(found: Found) -> Result:
    """One small chat."""
    answer = _ask(found, stream=False)
    if isinstance(answer, Broken):
        return answer
    document = _json(answer.body)
    if is_page(answer.headers, answer.body):
        return words.page(found.base)
    if not isinstance(document, dict) or not _has_answer(document):
        return seen.garbled(found.base, answer.complete)
    told = str(document.get("model") or found.model)
    return Text(en=f"{told} answered in {answer.seconds:.1f} s", zh=f"{told} 用 {answer.seconds:.1f} 秒作出回答")


def _has_answer(document: Mapping[str, Any]) -> bool:
    """Whether there is a choice, or an output."""
    return bool(document.get("choices") or document.get("output"))


def stream(found: Found) -> Result:
    """The form of a streamed answer: events of JSON, an end, and a last chunk that only carries the usage."""
    answer = _ask(found, stream=True)
    if isinstance(answer, Broken):
        return answer
    if is_page(answer.headers, answer.body):
        return words.page(found.base)
    if answer.complete and _EVENTS not in answer.headers.get("content-type", ""):
        return seen.no_stream(found, answer.headers.get("content-type", ""))
    return _events(found, answer) if answer.complete else seen.endless(found.base)


def _events(found: Found, answer: Response) -> Result:
    """What is in the events of a stream that ended."""
    lines = [line[5:].strip() for line in answer.body.splitlines() if line.startswith("data:")]
    events = [_json(line) for line in lines if line and line != "[DONE]"]
    if not events or not all(isinstance(event, dict) for event in events):
        return seen.broken_stream(found.base, len(events))
    failed = next((event["error"] for event in events if isinstance(event, dict) and event.get("error")), None)
    if failed is not None:
        return seen.error_inside(found.base, without_key(said(json.dumps({"error": failed})), found.key))
    return seen.stream_seen(found.base, events, done="[DONE]" in lines, responses=given(found).wire_api == "responses")


def _ask(found: Found, *, stream: bool) -> Response | Broken:
    """The small chat over the configured wire; the name of the output limit is tried both ways."""
    provider = given(found)
    route = "responses" if provider.wire_api == "responses" else "chat/completions"
    limits = ("max_output_tokens",) if provider.wire_api == "responses" else ("max_tokens", "max_completion_tokens")
    refusal = Refusal("request", 0)
    for limit in limits:
        body = json.dumps(_body(found, limit, stream=stream)).encode()
        try:
            answer = found.http.post(f"{found.base}/{route}", body, _sent(found))
        except NoAnswer as error:
            return _unanswered(found, error)
        if answer.status == _OK:
            return answer
        refusal = classify(answer.status, answer.headers, answer.body)
        if refusal.kind != "max_tokens":
            break
    return words.refused(found.base, refusal, "completion", found)


def _body(found: Found, limit: str, *, stream: bool) -> dict[str, Any]:
    """The smallest question there is."""
    message = [{"role": "user", "content": "Reply with the word ok."}]
    asked: dict[str, Any] = {"model": found.model, limit: _SMALL, "stream": stream}
    if limit == "max_output_tokens":
        return {**asked, "input": message, "store": False}
    return {**asked, "messages": message, **({"stream_options": {"include_usage": True}} if stream else {})}


def _sent(found: Found) -> dict[str, str]:
    """The configured headers, and the key."""
    key = {"Authorization": f"Bearer {found.key}"} if found.key else {}
    return {**key, **found.headers}


def _json(text: str) -> object:
    """The document in a text; None when it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
