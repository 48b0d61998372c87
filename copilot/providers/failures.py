"""What a refusal of an endpoint means. The wordings are those of vLLM, llama.cpp, Ollama, OpenAI and gateways."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal

Kind = Literal[
    "key",  # 401: no key, or a wrong one
    "forbidden",  # 403
    "path",  # 404 without a model: the base URL is not the API's
    "model",  # no such model
    "too_long",  # prompt, or prompt and reply, beyond the context
    "format",  # the reply format is not supported
    "max_tokens",  # the name of that field is another one
    "parameter",  # another field is not supported; `field` names it
    "quota",  # no money left: waiting does not help
    "overloaded",  # 429, 5xx
    "loading",  # the model is not loaded yet
    "dead",  # the engine behind the server died
    "html",  # a web page instead of JSON
    "redirect",  # 3xx
    "request",  # any other 4xx
]

RETRIED: frozenset[str] = frozenset({"overloaded", "loading"})
"""What waiting may cure."""

_LIMITS = (
    re.compile(r"maximum context length (?:is|of) (\d+)", re.IGNORECASE),
    re.compile(r"max_model_len[=: ]+(\d+)", re.IGNORECASE),
    re.compile(r'"n_ctx"\s*:\s*(\d+)'),
    re.compile(r"available context size \((\d+)", re.IGNORECASE),
    re.compile(r"context (?:window|length|size)[^.\d]{0,30}?(\d{3,})", re.IGNORECASE),
)
_TOO_LONG = re.compile(
    r"context[ _](?:length|window|size)|exceed_context_size|prompt is too long|too many (?:input )?tokens"
    r"|max_model_len|input is too long|maximum (?:input|prompt) length",
    re.IGNORECASE,
)
_FORMAT = re.compile(
    r"response_format|json_schema|json_object|json schema|grammar|guided|structured.?output|text\.format"
    r"|invalid schema|schema",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"(?:unsupported|unrecognized|unknown|unexpected|not support\w*|does not support|extra (?:inputs|fields))"
    r".{0,80}?\b(temperature|stream_options|max_tokens|max_completion_tokens|max_output_tokens|store|stream)\b"
    r"|\b(temperature|stream_options|max_tokens|max_completion_tokens|max_output_tokens|store|stream)\b"
    r".{0,80}?(?:unsupported|unrecognized|unknown|unexpected|not (?:supported|allowed|permitted)|extra)",
    re.IGNORECASE | re.DOTALL,
)
_KEYWORD = re.compile(r"['\"`](m(?:ax|in)(?:Length|Items|imum))['\"`] is not (?:permitted|supported|allowed)")
"""OpenAI's strict mode takes no limits of length."""
_MODEL = re.compile(
    r"model\b.{0,200}?(?:does not exist|not found|not available|is unknown|no such|not supported|unknown)"
    r"|model_not_found|no such model|unknown model|invalid model|try pulling it first",
    re.IGNORECASE | re.DOTALL,
)
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing|insufficient (?:credit|balance)|余额不足")
_LOADING = re.compile(r"loading model|model is (?:still |currently )?loading|warming up", re.IGNORECASE)
_DEAD = re.compile(r"EngineCore encountered|EngineDeadError|engine (?:process )?(?:is dead|died)", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+")

_FORMS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (_TOO_LONG, "too_long"),
    (_FORMAT, "format"),
)
_BY_STATUS: dict[int, Kind] = {401: "key", 402: "quota", 407: "forbidden", 408: "overloaded"}
_NOT_THERE: dict[int, Kind] = {403: "forbidden", 404: "path", 405: "path"}


@dataclass(frozen=True)
class Refusal:
    """A refusal, understood."""

    kind: Kind
    status: int
    detail: str = ""
    """What the endpoint said, without control characters, shortened."""
    limit: int | None = None
    """Context length in tokens, where it says one."""
    retry_after: float | None = None
    """Seconds."""
    field: str = ""
    """With `parameter`: the request's field, or the keyword of the schema."""


def classify(status: int, headers: Mapping[str, str], body: str, now: float = 0.0) -> Refusal:
    """What a response with an error status means. `now` is the time of day in seconds, for dated Retry-After."""
    kind, field = _kind(status, headers, body)
    limit = _limit(body) if kind == "too_long" else None
    return Refusal(kind, status, said(body), limit, _retry_after(headers, now), field)


def _kind(status: int, headers: Mapping[str, str], body: str) -> tuple[Kind, str]:
    """The kind, and the field it concerns."""
    if 300 <= status < 400:  # noqa: PLR2004 - the redirect statuses
        return "redirect", headers.get("location", "")
    if status in _BY_STATUS:
        return _BY_STATUS[status], ""
    if status == 429 and _QUOTA.search(body):  # noqa: PLR2004
        return "quota", ""
    if status == 429 or status >= 500:  # noqa: PLR2004
        return _server_fault(headers, body), ""
    if is_page(headers, body):
        return "html", ""
    return _request(status, body)


def _server_fault(headers: Mapping[str, str], body: str) -> Kind:
    """A 5xx: the engine is dead, loads, cannot do the format, or is busy."""
    if _DEAD.search(body):
        return "dead"
    if _LOADING.search(body):
        return "loading"
    if not is_page(headers, body) and re.search(r"grammar|response_format|json_schema", body, re.IGNORECASE):
        return "format"
    return "overloaded"


def _request(status: int, body: str) -> tuple[Kind, str]:
    """Any other 4xx: a model, a right, a path, or the form of the request."""
    if status in _NOT_THERE:
        return ("model" if _MODEL.search(body) else _NOT_THERE[status]), ""
    field = _field(body)
    if field.startswith("max_"):
        return "max_tokens", field
    if _KEYWORD.search(body):
        return "parameter", field
    for pattern, kind in _FORMS:
        if pattern.search(body):
            return kind, ""
    if field:
        return "parameter", field
    return ("model" if _MODEL.search(body) else "request"), ""


def _field(body: str) -> str:
    """The keyword of the schema, or the field of the request, that is not supported."""
    keyword = _KEYWORD.search(body)
    if keyword:
        return keyword.group(1)
    named = _FIELD.search(body)
    return (named.group(1) or named.group(2)).lower() if named else ""


def _limit(body: str) -> int | None:
    """The context length that an error names."""
    for pattern in _LIMITS:
        found = pattern.search(body)
        if found:
            return int(found.group(1))
    return None


def _retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds of `retry-after-ms` or `retry-after` (a number or a date)."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        value = headers.get("retry-after", "")
        if not value:
            return None
        return max(0.0, float(value) if value[0].isdigit() else parsedate_to_datetime(value).timestamp() - now)
    except ValueError:
        return None


def is_page(headers: Mapping[str, str], body: str) -> bool:
    """Whether the body is a web page."""
    start = body[:200].lstrip().lower()
    return "text/html" in headers.get("content-type", "") or start.startswith(("<!doctype", "<html", "<head", "<body"))


def said(body: str) -> str:
    """The endpoint's own words: `error.message`, a string `error`, `detail` or `message`; one line, 300 at most."""
    text = body
    try:
        document = json.loads(body)
    except ValueError:
        text = re.sub(r"(?is)<(script|style).*?</\1>|<[^>]{0,500}>", " ", body[:5000])
    else:
        text = _message(document) or body
    return " ".join(_CONTROL.sub(" ", text).split())[:300]


def _message(document: object) -> str:
    """The sentence in an error document of any shape."""
    if isinstance(document, list) and document:
        return _message(document[0])
    if not isinstance(document, dict):
        return str(document)
    for key in ("message", "error", "detail", "msg"):
        value = document.get(key)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, dict | list) and value:
            return _message(value)
    return ""
