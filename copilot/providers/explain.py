"""A refusal as the error that a person reads: what happened, and the one thing to do."""

from copilot.errors import (
    ProviderError,
    ProviderGarbled,
    ProviderOverloaded,
    ProviderRefused,
    ProviderTooLong,
)
from copilot.model.provider import Provider
from copilot.providers.failures import Kind, Refusal

_MESSAGES: dict[Kind, tuple[type[ProviderError], str, str]] = {
    "key": (
        ProviderRefused,
        "{name} refused the key (401).",
        "Store the endpoint's key with `copilot provider add {name}`, or set the variable it names.",
    ),
    "forbidden": (
        ProviderRefused,
        "{name} does not allow this ({status}).",
        "The key is known but lacks the right; ask whoever runs the endpoint.",
    ),
    "path": (
        ProviderRefused,
        "{url} has no such path ({status}).",
        "The base URL is usually the address with /v1 at its end; `copilot check --provider {name}` finds it.",
    ),
    "model": (
        ProviderRefused,
        "{name} has no model {model}.",
        "`copilot provider test {name}` lists the models it has.",
    ),
    "too_long": (ProviderTooLong, "The prompt does not fit the context of {model}.", ""),
    "format": (ProviderRefused, "{name} refuses every reply format.", "Try another model of the endpoint."),
    "max_tokens": (ProviderRefused, "{name} refuses the output limit.", "Try another model of the endpoint."),
    "parameter": (ProviderRefused, "{name} refuses the field {field}.", "Try another model of the endpoint."),
    "quota": (ProviderRefused, "{name} says that the account has no credit left.", "Look at the gateway's console."),
    "overloaded": (ProviderOverloaded, "{name} is overloaded ({status}).", "Try again later."),
    "loading": (ProviderOverloaded, "{name} still loads its model ({status}).", "Wait until it is up, then ask again."),
    "dead": (
        ProviderOverloaded,
        "The engine behind {name} has died ({status}).",
        "Restart that server; its own log says why. `--offline` answers without it.",
    ),
    "html": (
        ProviderRefused,
        "{url} answers with a web page, not with JSON.",
        "It is the address of a site; the API's base URL often ends in /v1 or /api/v1.",
    ),
    "redirect": (
        ProviderRefused,
        "{url} redirects to {field}.",
        "Set base_url to the address it redirects to: a key is not sent on to another one.",
    ),
    "request": (ProviderRefused, "{name} refused the request ({status}).", ""),
}


def as_error(refusal: Refusal, provider: Provider, key: str | None = None) -> ProviderError:
    """The error for a refusal. The endpoint's words are added, without the key, should they hold it."""
    kind, message, hint = _MESSAGES[refusal.kind]
    values = {
        "name": provider.name,
        "url": provider.base_url,
        "model": provider.model or "asked for",
        "status": str(refusal.status),
        "field": refusal.field or "another address",
    }
    text = message.format_map(values)
    detail = without_key(refusal.detail, key)
    if detail and refusal.kind not in ("html", "redirect"):
        text = f"{text} It says: {detail}"
    hint = hint.format_map(values)
    if kind is ProviderTooLong:
        return ProviderTooLong(text, hint, refusal.limit)
    return kind(text, hint)


def without_key(text: str, key: str | None) -> str:
    """The text with the key replaced, whole or in its first half (endpoints echo shortened keys)."""
    if not key or len(key) < 8:  # noqa: PLR2004 - `EMPTY` and `none` are no secrets
        return text
    return text.replace(key, "‹key›").replace(key[: len(key) // 2], "‹key›")


def garbled(provider: Provider, what: str) -> ProviderGarbled:
    """A reply that is not what the protocol promises."""
    return ProviderGarbled(
        f"The reply of {provider.name} is not usable: {what}.", "Ask again, or use another model or `--offline`."
    )
