"""The keys at hand, for the commands that ask no provider and for tracebacks: they may appear nowhere."""


def known() -> tuple[str, ...]:
    """Every key of the environment, the project's `.env` and the keyring that the configuration names."""
    import os
    from pathlib import Path

    from copilot import config, places
    from copilot.adapters.keyring import KeyringVault
    from copilot.config import Config
    from copilot.errors import CopilotError
    from copilot.providers.known import known_secrets

    try:
        settings = config.load(os.environ, Path.cwd(), places.config_file())
    except CopilotError:
        settings = Config()
    return known_secrets(settings, os.environ, KeyringVault(), Path.cwd())
