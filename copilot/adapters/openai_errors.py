"""The errors of the OpenAI SDK and of the HTTP library below it, translated with one table."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from copilot.errors import ProviderError, ProviderUnreachable
from copilot.providers.endpoint import Endpoint
from copilot.providers.explain import garbled
from copilot.providers.failures import Refusal, classify

_REFUSALS = (
    "APIStatusError",
    "BadRequestError",
    "AuthenticationError",
    "OAuthError",
    "PermissionDeniedError",
    "NotFoundError",
    "ConflictError",
    "UnprocessableEntityError",
    "RateLimitError",
    "InternalServerError",
)
_BROKEN = ("APIResponseValidationError", "LengthFinishReasonError", "ContentFilterFinishReasonError")
_UNUSED = (
    "WebSocketConnectionClosedError",
    "WebSocketQueueFullError",
    "InvalidWebhookSignatureError",
    "SubjectTokenProviderError",
    "_AmbiguousModuleClientUsageError",
)
"""Errors of parts of the SDK that are not used here. Not every version of the SDK has all of these classes."""


@dataclass(frozen=True)
class Failure:
    """An error of the SDK, understood: a refusal by the endpoint, or an error that ends the question."""

    error: ProviderError | None = None
    refusal: Refusal | None = None


def failure(error: Exception, endpoint: Endpoint, now: float) -> Failure:
    """An error of the SDK or of the HTTP library below it, translated by the nearest row of the table."""
    rows = table()
    for kind in type(error).__mro__:
        if kind in rows:
            return rows[kind](error, endpoint, now)
    raise error


def caught() -> tuple[type[Exception], ...]:
    """What a call may raise: the SDK's errors, the HTTP library's, and JSON that is cut in the middle."""
    import openai

    return (openai.OpenAIError, transport().RequestError, json.JSONDecodeError, UnicodeDecodeError)


def transport() -> "_Transport":
    """The HTTP library that the installed SDK brings (httpx, later httpx2)."""
    import openai

    return sys.modules[openai.DefaultHttpxClient.__mro__[1].__module__.partition(".")[0]]  # type: ignore[return-value]


class _Transport:
    """What is used of the HTTP library."""

    Limits: Callable[..., Any]
    RequestError: type[Exception]
    TimeoutException: type[Exception]


_Row = Callable[[Exception, Endpoint, float], Failure]


def table() -> dict[type[BaseException], _Row]:
    """Every exception class of the SDK, and what it means here."""
    import openai

    named = {kind.__name__: kind for kind in vars(openai._exceptions).values() if isinstance(kind, type)}  # noqa: SLF001
    return {
        **{named[name]: _status for name in _REFUSALS if name in named},
        **{named[name]: _unusable for name in _BROKEN if name in named},
        **{named[name]: _other for name in _UNUSED if name in named},
        json.JSONDecodeError: _unusable,
        UnicodeDecodeError: _unusable,
        openai.APITimeoutError: _silent,
        openai.APIConnectionError: _unreachable,
        openai.APIError: _in_stream,
        openai.OpenAIError: _other,
        transport().TimeoutException: _silent,
        transport().RequestError: _unreachable,
    }


def _status(error: Exception, endpoint: Endpoint, now: float) -> Failure:
    """A response with an error status."""
    del endpoint
    response = error.response  # type: ignore[attr-defined]  # rows of the table are for APIStatusError
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Failure(refusal=classify(response.status_code, headers, response.text, now))


def _in_stream(error: Exception, endpoint: Endpoint, now: float) -> Failure:
    """An error event inside a stream that had begun with status 200."""
    del endpoint
    body = getattr(error, "body", None)
    code = body.get("code") if isinstance(body, dict) else None
    status = code if isinstance(code, int) and code >= 400 else 500  # noqa: PLR2004
    text = json.dumps({"error": body or str(error)}, default=str, ensure_ascii=False)
    return Failure(refusal=classify(status, {}, text, now))


def _silent(error: Exception, endpoint: Endpoint, now: float) -> Failure:
    """A time limit: worth another try."""
    del error, now
    return Failure(
        error=ProviderUnreachable(
            f"{endpoint.provider.name} did not answer in time.",
            "Raise timeouts.read in its configuration if the model is slow, or ask `copilot check`.",
        ),
        refusal=Refusal("overloaded", 0, "no answer in time"),
    )


def _unreachable(error: Exception, endpoint: Endpoint, now: float) -> Failure:
    """No connection, or one that broke."""
    del now
    cause = error
    while cause.__cause__ is not None or cause.__context__ is not None:
        following = cause.__cause__ or cause.__context__
        if not isinstance(following, Exception):
            break
        cause = following
    broke = "refused" not in str(cause).lower() and type(error).__name__ in ("ReadError", "RemoteProtocolError")
    return Failure(
        error=ProviderUnreachable(
            f"{endpoint.provider.name} cannot be reached at {endpoint.provider.base_url}: {_why(cause)}.",
            f"`copilot check --provider {endpoint.provider.name}` finds the broken link.",
        ),
        refusal=Refusal("overloaded", 0, "the connection broke") if broke else None,
    )


def _why(cause: Exception) -> str:
    """The operating system's reason in a few words."""
    reason = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    return " ".join(str(reason).split())[:120]


def _unusable(error: Exception, endpoint: Endpoint, now: float) -> Failure:
    """An answer that is not what the protocol promises."""
    del now
    reasons = {
        "LengthFinishReasonError": "it was cut off at the output limit",
        "ContentFilterFinishReasonError": "a content filter stopped it",
    }
    return Failure(error=garbled(endpoint.provider, reasons.get(type(error).__name__, "its JSON is broken")))


def _other(error: Exception, endpoint: Endpoint, now: float) -> Failure:
    """What the SDK raises for uses that this program does not make."""
    del now
    return Failure(error=ProviderError(f"The SDK failed for {endpoint.provider.name}: {type(error).__name__}.", ""))
