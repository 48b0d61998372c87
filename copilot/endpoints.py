"""What was learnt about endpoints, kept from one run to the next. No key and no content is in it."""

import json
import os
from pathlib import Path

from pydantic import ValidationError

from copilot.providers.abilities import Abilities

_MOST = 200
"""Endpoints remembered."""


class EndpointFile:
    """`Memory` in one small JSON file of the cache folder. A file that cannot be read or written is forgotten."""

    def __init__(self, path: Path) -> None:
        """`path`: the JSON file; it need not exist."""
        self._path = path

    def get(self, endpoint: str) -> Abilities:
        """What is known of an endpoint."""
        try:
            return Abilities.model_validate(self._all().get(endpoint, {}))
        except ValidationError:
            return Abilities()

    def put(self, endpoint: str, abilities: Abilities) -> None:
        """Remember; the oldest are dropped."""
        known = {name: value for name, value in self._all().items() if name != endpoint}
        known[endpoint] = abilities.model_dump(mode="json", exclude_defaults=True)
        kept = dict(list(known.items())[-_MOST:])
        beside = self._path.with_suffix(f".{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with os.fdopen(
                os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
            ) as file:
                json.dump(kept, file, indent=1)
            beside.replace(self._path)
        except OSError:
            return

    def _all(self) -> dict[str, object]:
        """The whole file; empty when there is none."""
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return content if isinstance(content, dict) else {}
