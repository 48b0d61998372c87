"""The OpenAI SDK's client, made to send nothing but what is asked."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from copilot import __version__
from copilot.adapters.openai_errors import caught, failure
from copilot.errors import ProviderError
from copilot.providers.address import is_loopback
from copilot.providers.endpoint import Endpoint
from copilot.providers.explain import as_error
from copilot.providers.failures import Refusal

if TYPE_CHECKING:
    import openai

_AMBIENT = (
    "OpenAI-Organization",
    "OpenAI-Project",
    "X-Stainless-Lang",
    "X-Stainless-Package-Version",
    "X-Stainless-OS",
    "X-Stainless-Arch",
    "X-Stainless-Runtime",
    "X-Stainless-Runtime-Version",
    "X-Stainless-Async",
)
"""Headers that the SDK adds from the environment or about this machine: no endpoint needs them."""
_LIST_SECONDS = 10.0
_CONTEXT_NAMES = ("max_model_len", "context_length", "context_window", "max_context_length")
"""vLLM; OpenRouter and others; Groq; LM Studio and Mistral."""


def client(endpoint: Endpoint) -> "openai.OpenAI":
    """A client that follows no redirect, asks no proxy for loopback, and reads no key or header by itself."""
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
        default_headers=_headers(endpoint),
        default_query=dict(provider.query_params),
        http_client=openai.DefaultHttpxClient(timeout=timeout, trust_env=not loopback, follow_redirects=False),
    )


def _headers(endpoint: Endpoint) -> "Mapping[str, str]":
    """The configured headers; everything that the SDK would add on its own is left out."""
    from openai import Omit

    ambient = [line.partition(":")[0].strip() for line in endpoint.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")]
    headers: dict[str, str | Omit] = {name: Omit() for name in (*_AMBIENT, *ambient) if name}
    if not endpoint.key:
        headers["Authorization"] = Omit()
    headers["User-Agent"] = f"log2fix/{__version__}"
    headers.update(endpoint.headers)
    return headers  # type: ignore[return-value]  # the SDK takes Omit as a value, its annotation does not say so


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
