"""Where the copilot keeps things, on each platform. Nothing is created here."""

import os
from pathlib import Path

NAME = "log2fix"
"""The distribution's name: `copilot` belongs to other programs' folders."""


def config_file() -> Path:
    """The person's configuration: providers (never keys), defaults."""
    from platformdirs import user_config_path

    return user_config_path(NAME, appauthor=False) / "config.toml"


def data_folder() -> Path:
    """What must not be lost: sessions and the ledger of calls."""
    from platformdirs import user_data_path

    return user_data_path(NAME, appauthor=False)


def hub_cache() -> Path:
    """Where the hub client keeps models on this machine (HF_HUB_CACHE, else `hub` in HF_HOME); only read."""
    home = Path(os.environ.get("HF_HOME") or "~/.cache/huggingface")
    return Path(os.environ.get("HF_HUB_CACHE") or home / "hub").expanduser()


def cache_folder() -> Path:
    """What can be learnt again: what an endpoint is able to do."""
    from platformdirs import user_cache_path

    return user_cache_path(NAME, appauthor=False)
