"""Providers by name, opened with this user's configuration, as `copilot ask` opens them."""

import os
from dataclasses import dataclass
from pathlib import Path

from copilot import config, places
from copilot.errors import UsageError
from copilot.model.provider import Price
from copilot.ports import Model


@dataclass(frozen=True)
class Opened:
    """A model that can be asked, with its price where the configuration tells one."""

    model: Model
    id: str | None
    price: Price | None
    secrets: tuple[str, ...]


def open_named(name: str, model: str | None = None) -> Opened:
    """The provider with this name; UsageError when nobody configured it."""
    from copilot.adapters.keyring import KeyringVault
    from copilot.connect import open_model
    from copilot.providers.choice import choose_provider
    from copilot.providers.known import known_secrets

    settings = config.load(os.environ, Path.cwd(), places.config_file())
    vault = KeyringVault()
    chosen = choose_provider(settings, os.environ, name, model)
    if chosen is None:
        raise UsageError(f"{name} is no model: the playbook is a row of every run.", "Leave it out.")
    secrets = known_secrets(settings, os.environ, vault, Path.cwd())
    return Opened(open_model(chosen, vault, os.environ), chosen.model, chosen.price, secrets)
