"""From a provider's description to something that can be asked. Part of the composition root."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from copilot import places
from copilot.errors import UsageError
from copilot.model.provider import Provider
from copilot.ports import Vault
from copilot.providers.abilities import ForgetfulMemory, Memory
from copilot.providers.address import candidates, check_plain
from copilot.providers.choice import find_key, headers
from copilot.providers.endpoint import Endpoint
from copilot.providers.exchange import Record, forget

if TYPE_CHECKING:
    from copilot.adapters.openai_model import OpenAIModel

_PROBE_SECONDS = 5.0


@dataclass(frozen=True)
class Connections:
    """What every connection shares."""

    environ: Mapping[str, str]
    vault: Vault
    memory: Memory = field(default_factory=ForgetfulMemory)
    record: Record = forget
    quiet: bool = False
    """Nothing may be sent: no address is tried, no list of models read; only what is remembered counts."""


def open_model(provider: Provider, vault: Vault, environ: Mapping[str, str], *, quiet: bool = False) -> "OpenAIModel":
    """The model behind a provider, with this user's ledger of calls and memory of endpoints.

    Without a model name the endpoint is asked for its list. UsageError when that holds several, when a key that is
    named is missing, and for plain http to a public host; the kinds of ProviderError when the list cannot be had.
    `quiet`: nothing is sent, to say what would be.
    """
    from copilot.endpoints import EndpointFile
    from copilot.usage import FILE, recorder

    shared = Connections(
        environ=environ,
        vault=vault,
        memory=EndpointFile(places.cache_folder() / "endpoints.json"),
        record=recorder(places.data_folder() / FILE, provider),
        quiet=quiet,
    )
    return connect(provider, shared)


def connect(provider: Provider, shared: Connections) -> "OpenAIModel":
    """The model behind a provider; errors as in `open_model`."""
    from copilot.adapters.openai_model import Surroundings

    endpoint = open_endpoint(provider, shared)
    around = Surroundings(shared.memory, shared.record, quiet=shared.quiet)
    if provider.wire_api == "responses":
        from copilot.adapters.openai_responses import open_responses

        return open_responses(endpoint, around)
    from copilot.adapters.openai_chat import open_chat

    return open_chat(endpoint, around)


def open_endpoint(provider: Provider, shared: Connections) -> Endpoint:
    """The provider with its key, its headers and its model's name."""
    check_plain(provider.base_url, allowed=provider.allow_insecure)
    provider = at_answering_base(provider, shared)
    key = find_key(provider, shared.environ, shared.vault)
    endpoint = Endpoint(
        provider=provider,
        model=provider.model or "",
        key=key.value if key else None,
        headers=headers(provider, shared.environ),
    )
    if provider.model:
        return endpoint
    known = shared.memory.get(provider.base_url)
    if shared.quiet:
        return replace(endpoint, model=known.only or "")
    found = only_model(endpoint)
    if found.model != known.only:
        shared.memory.put(provider.base_url, known.model_copy(update={"only": found.model}))
    return found


def answering_base(provider: Provider, key: str | None, sent: Mapping[str, str]) -> str | None:
    """Which of the addresses that the typed one may mean has a list of models, or asks for a key; None: none has.

    A key goes to the typed host only. Each address has a few seconds.
    """
    from copilot.adapters.probe import Http, NoAnswer, is_api

    authorization = {"Authorization": f"Bearer {key}"} if key else {}
    http = Http(_PROBE_SECONDS, {**authorization, **sent})
    for base in candidates(provider.base_url):
        try:
            if is_api(http.get(f"{base}/models")):
                return base
        except NoAnswer:
            return None
    return None


def at_answering_base(provider: Provider, shared: Connections) -> Provider:
    """The provider with the address that its API is at: asked once, then remembered.

    Addresses that end in `/v1` are taken as they are: nothing is sent.
    """
    if provider.base_url.endswith("/v1"):
        return provider
    known = shared.memory.get(provider.base_url)
    if known.base is None and shared.quiet:
        return provider
    if known.base is None:
        key = find_key(provider, shared.environ, shared.vault)
        base = answering_base(provider, key.value if key else None, headers(provider, shared.environ))
        if base is None:
            return provider
        known = known.model_copy(update={"base": base})
        shared.memory.put(provider.base_url, known)
    origins = {**provider.origins, "base_url": f"{provider.base_url}, probed"}
    return provider.model_copy(update={"base_url": known.base, "origins": origins})


def only_model(endpoint: Endpoint) -> Endpoint:
    """The endpoint with the one model that it has; UsageError when there is a choice."""
    from copilot.adapters.openai_sdk import list_models

    names = [entry.id for entry in list_models(endpoint)]
    if len(names) != 1:
        shown = ", ".join(names[:8]) or "none"
        raise UsageError(
            f"{endpoint.provider.name} has {len(names)} models, and none was chosen: {shown}.",
            "Say --model ID, set COPILOT_MODEL, or write `model` into its configuration.",
        )
    provider = endpoint.provider.model_copy(update={"model": names[0]})
    return replace(endpoint, model=names[0], provider=provider)
