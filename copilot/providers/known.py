"""The literal keys that this process can get at: they must appear nowhere, whichever provider is asked."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from copilot.compose.interpolate import read_env
from copilot.config import Config
from copilot.ports import Vault
from copilot.providers.choice import vault_name
from copilot.redaction.names import kind_of_name
from copilot.redaction.taint import literal

SHORTEST = 8
"""Characters: what is shorter is a word (`EMPTY`, `none`) or would be cut out of words."""
_LARGEST_ENV = 1_000_000
"""Characters of a `.env` that are read."""
_FOLDERS = frozenset({"PWD", "OLDPWD"})
"""Folders, although the names end like a password's."""


def known_secrets(
    config: Config, environ: Mapping[str, str], vault: Vault | None = None, project: Path | None = None
) -> tuple[str, ...]:
    """The values, longest first, of everything that holds a key.

    The variables that any provider names; every variable of the environment and of the project's `.env` whose name
    says that it is a secret (`HF_TOKEN`, `DB_PASSWORD`); and the keyring's entries of the configured providers. A
    keyring that does not answer, and a `.env` that cannot be read, hold none.
    """
    named = {"OPENAI_API_KEY", "COPILOT_API_KEY"}
    for provider in config.providers.values():
        named.update(provider.env_http_headers.values())
        named.update({provider.env_key} if provider.env_key else set())
    values = {*_of(environ, named), *_of(_env_file(project), named), *_stored(config, vault)}
    return tuple(sorted(_secret(values), key=lambda value: (-len(value), value)))


def _of(variables: Mapping[str, str], named: Iterable[str]) -> Iterator[str]:
    """The values of the variables that are named, or whose name is that of a secret."""
    declared = frozenset(named)
    for name, value in variables.items():
        if name in declared or (name not in _FOLDERS and kind_of_name(name) not in (None, "weak")):
            yield value


def _env_file(project: Path | None) -> Mapping[str, str]:
    """The variables of the project's `.env`."""
    if project is None:
        return {}
    try:
        return read_env((project / ".env").read_text(encoding="utf-8-sig", errors="replace")[:_LARGEST_ENV])
    except OSError:
        return {}


def _stored(config: Config, vault: Vault | None) -> Iterator[str]:
    """The keyring's entries of the configured providers."""
    if vault is not None:
        yield from (vault.get(vault_name(provider)) or "" for provider in config.providers.values())


def _secret(values: Iterable[str]) -> set[str]:
    """Without what is short, or stands in for a key."""
    stripped = {value.strip() for value in values}
    return {value for value in stripped if len(value) >= SHORTEST and literal(value)}
