"""The OpenAI SDK's client, made to send nothing but what is asked."""

import time
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from copilot import __version__
from copilot.adapters.openai_errors import caught, failure, transport
from copilot.errors import ProviderError
from copilot.providers.address import is_loopback
from copilot.providers.endpoint import Endpoint
from copilot.providers.explain import as_error
from copilot.providers.failures import Refusal

if TYPE_CHECKING:
    import openai

_SENT = frozenset(
    {
        "accept",
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "host",
        "transfer-encoding",
        "user-agent",
    }
)
"""Headers that are sent besides the configured ones. The SDK would add the machine's system, the organisation and the
project of another account, and whatever `OPENAI_CUSTOM_HEADERS` holds: no endpoint needs them."""
_LIST_SECONDS = 10.0
_CONTEXT_NAMES = ("max_model_len", "context_length", "context_window", "max_context_length")
"""vLLM; OpenRouter and others; Groq; LM Studio and Mistral."""


def client(endpoint: Endpoint, *, keep_alive: bool = False) -> "openai.OpenAI":
    """A client that follows no redirect, asks no proxy for loopback, and reads no key or header by itself.

    It keeps no connection open after an answer (minutes lie between two questions), unless told to.
    """
    import openai

    provider = endpoint.provider
    limits = provider.timeouts
    timeout = openai.Timeout(limits.read, connect=limits.connect)
    loopback = is_loopback(urlsplit(provider.base_url).hostname or "")
    return openai.OpenAI(
        api_key=endpoint.key or "none",
        admin_api_key="",
        organization="",
        project="",
        webhook_secret="",
        base_url=provider.base_url,
        max_retries=0,
        timeout=timeout,
        default_headers={"User-Agent": f"log2fix/{__version__}"},
        default_query=dict(provider.query_params),
        http_client=openai.DefaultHttpxClient(
            timeout=timeout,
            trust_env=not loopback,
            follow_redirects=False,
            event_hooks={"request": [_only_ours(endpoint)]},
            limits=transport().Limits(max_keepalive_connections=100 if keep_alive else 0),
        ),
    )


def _only_ours(endpoint: Endpoint) -> "Callable[[_Request], None]":
    """What takes the other headers out of a request before it is sent."""
    ours = {name.lower(): value for name, value in endpoint.headers.items()}

    def strip(request: _Request) -> None:
        for name in list(request.headers):
            if name.lower() not in _SENT:
                del request.headers[name]
        if not endpoint.key:
            request.headers.pop("authorization", None)
        request.headers.update(ours)

    return strip


class _Request(Protocol):
    """What is used of a request of the HTTP library."""

    headers: MutableMapping[str, str]


@dataclass(frozen=True)
class Listed:
    """One entry of the endpoint's list of models."""

    id: str
    context: int | None = None
    """Context length in tokens, where the list tells it."""


def list_models(endpoint: Endpoint) -> tuple[Listed, ...]:
    """The models of an endpoint. Raises the kinds of ProviderError."""
    try:
        page = client(endpoint).get("/models", cast_to=object, options={"timeout": _LIST_SECONDS})
    except caught() as error:
        failed = failure(error, endpoint, time.time())
        raise _error(failed.error, failed.refusal, endpoint) from error
    entries = page.get("data") if isinstance(page, dict) else None
    if not isinstance(entries, list):
        raise as_error(Refusal("html" if isinstance(page, str) else "path", 200), endpoint.provider)
    return tuple(Listed(str(e["id"]), _context(e)) for e in entries if isinstance(e, dict) and e.get("id"))


def _error(error: ProviderError | None, refusal: Refusal | None, endpoint: Endpoint) -> ProviderError:
    """The error of a failure."""
    if error is None and refusal is not None:
        return as_error(refusal, endpoint.provider, endpoint.key)
    return error or ProviderError("The provider failed.")


def _context(entry: Mapping[str, object]) -> int | None:
    """The context length, whatever the server calls it."""
    meta = entry.get("meta")
    named = [entry.get(name) for name in _CONTEXT_NAMES]
    named.append(meta.get("n_ctx") if isinstance(meta, dict) else None)
    return next((value for value in named if isinstance(value, int) and value > 0), None)
