"""Reading the JSON files beside this package."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def document(name: str) -> dict[str, Any]:
    """A data file by name, parsed once. Its shape is checked by the tests, not at every start."""
    loaded: dict[str, Any] = json.loads(files("copilot.parameters").joinpath("data", name).read_text(encoding="utf-8"))
    return loaded
