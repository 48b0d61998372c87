"""The word lists of `words.toml`."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((files("copilot.redaction") / "words.toml").read_text("utf-8"))


@cache
def listed(section: str, key: str) -> frozenset[str]:
    """The words of one list; an unknown list is a KeyError."""
    return frozenset(_table()[section][key].split())
