"""Which provider is meant (contract §2), and which key belongs to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from copilot.config import Config
from copilot.errors import UsageError
from copilot.model.provider import Provider
from copilot.ports import Vault
from copilot.providers.address import is_private, normalise, origin

PLAYBOOK = "playbook"
ENVIRONMENT = "environment"
"""Name of the provider that `OPENAI_BASE_URL` makes."""


def choose_provider(
    config: Config, environ: Mapping[str, str], name: str | None = None, model: str | None = None
) -> Provider | None:
    """The provider to ask, None for the playbook.

    `name` and `model` are the options as given. UsageError for a name that nobody configured.
    """
    wanted, said = _wanted(config, environ, name)
    if wanted == PLAYBOOK:
        return None
    if wanted is not None and wanted != ENVIRONMENT:
        return _with_overrides(_configured(config, wanted, said), environ, model)
    if environ.get("OPENAI_BASE_URL"):
        return _with_overrides(_from_environment(environ), environ, model)
    if wanted == ENVIRONMENT or environ.get("COPILOT_BASE_URL"):
        return _with_overrides(_nameless(environ), environ, model)
    return None


def _wanted(config: Config, environ: Mapping[str, str], name: str | None) -> tuple[str | None, str]:
    """The name that was chosen, and by what."""
    if name:
        return name, "--provider"
    if environ.get("COPILOT_PROVIDER"):
        return environ["COPILOT_PROVIDER"], "COPILOT_PROVIDER"
    if config.default:
        return config.default, config.origins.get("default", "the configuration")
    return None, ""


def _configured(config: Config, wanted: str, said: str) -> Provider:
    """A provider of the files."""
    found = config.providers.get(wanted)
    if found is None:
        known = ", ".join(sorted((*config.providers, PLAYBOOK)))
        raise UsageError(f"No provider is named {wanted} (asked for by {said}).", f"Known: {known}.")
    by_person = said in ("--provider", "COPILOT_PROVIDER")
    public = not is_private(urlsplit(found.base_url).hostname or "")
    if wanted in config.project and public and not by_person:
        raise UsageError(
            f"Only the project's file describes the provider {wanted}, and it would send evidence to a public host.",
            f"If you trust it, say --provider {wanted}, or put it into your own configuration.",
        )
    return found


def _from_environment(environ: Mapping[str, str]) -> Provider:
    """The endpoint that `OPENAI_BASE_URL` names."""
    return Provider(
        name=ENVIRONMENT,
        base_url=normalise(environ["OPENAI_BASE_URL"]),
        env_key="OPENAI_API_KEY",
        origins={"base_url": "OPENAI_BASE_URL", "env_key": "OPENAI_BASE_URL"},
    )


def _nameless(environ: Mapping[str, str]) -> Provider:
    """The endpoint that `COPILOT_BASE_URL` names."""
    if not environ.get("COPILOT_BASE_URL"):
        raise UsageError("The environment names no endpoint.", "Set OPENAI_BASE_URL or COPILOT_BASE_URL.")
    address = normalise(environ["COPILOT_BASE_URL"])
    return Provider(name=ENVIRONMENT, base_url=address, origins={"base_url": "COPILOT_BASE_URL"})


def _with_overrides(provider: Provider, environ: Mapping[str, str], model: str | None) -> Provider:
    """`--model`, `COPILOT_MODEL` and `COPILOT_BASE_URL` over what the files say."""
    changes: dict[str, object] = {}
    origins = dict(provider.origins)
    named = model or environ.get("COPILOT_MODEL")
    if named:
        changes["model"] = named
        origins["model"] = "--model" if model else "COPILOT_MODEL"
    address = environ.get("COPILOT_BASE_URL")
    if address and origins.get("base_url") != "COPILOT_BASE_URL":
        base = normalise(address)
        if origin(base) != origin(provider.base_url):
            changes["env_key"] = None
            changes["env_http_headers"] = {}
        changes["base_url"] = base
        origins["base_url"] = "COPILOT_BASE_URL"
    return provider.model_copy(update={**changes, "origins": origins})


@dataclass(frozen=True)
class Key:
    """A key and where it was found. Its text shows in no `repr`."""

    value: str = field(repr=False)
    found_in: str


def vault_name(provider: Provider) -> str:
    """The entry of a provider's key: the endpoint is part of it, so that a key never goes to another one."""
    return f"{provider.name} {origin(provider.base_url)}"


def find_key(provider: Provider, environ: Mapping[str, str], vault: Vault) -> Key | None:
    """The key that belongs to this provider, or None. A variable that is named but empty is a UsageError."""
    if environ.get("COPILOT_API_KEY"):
        return Key(environ["COPILOT_API_KEY"].strip(), "COPILOT_API_KEY")
    if provider.env_key and environ.get(provider.env_key):
        return Key(environ[provider.env_key].strip(), provider.env_key)
    stored = vault.get(vault_name(provider))
    if stored:
        return Key(stored, "keyring")
    if provider.env_key and provider.name != ENVIRONMENT:
        raise UsageError(
            f"The variable {provider.env_key}, which {provider.name} names for its key, is not set.",
            f"Set it, or store the key with `copilot provider add {provider.name}`.",
        )
    return None


def headers(provider: Provider, environ: Mapping[str, str]) -> dict[str, str]:
    """The headers of the configuration, those from variables included where these are set."""
    from_variables = {
        header: environ[variable] for header, variable in provider.env_http_headers.items() if environ.get(variable)
    }
    return {**provider.http_headers, **from_variables}
