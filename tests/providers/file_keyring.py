"""A keyring backend in a JSON file, by the keyring package's own plug-in interface: what a desktop has, for tests."""

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError


class Keyring(KeyringBackend):
    priority = 1  # type: ignore[assignment]  # the package declares a class property

    @property
    def _file(self) -> Path:
        return Path(os.environ["FILE_KEYRING"])

    def _all(self) -> dict[str, str]:
        return json.loads(self._file.read_text()) if self._file.exists() else {}

    def get_password(self, service: str, username: str) -> str | None:
        return self._all().get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._file.write_text(json.dumps({**self._all(), f"{service}/{username}": password}))

    def delete_password(self, service: str, username: str) -> None:
        known = self._all()
        if known.pop(f"{service}/{username}", None) is None:
            raise PasswordDeleteError("none")
        self._file.write_text(json.dumps(known))
