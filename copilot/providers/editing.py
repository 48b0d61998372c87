"""The person's configuration file, changed without losing its comments: mode 0600, replaced in one step."""

import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from copilot.errors import UsageError

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

_HEAD = "Providers of copilot (log2fix). Keys are never in this file: they live in the keyring or in variables."


def put(path: Path, name: str, table: Mapping[str, Any]) -> None:
    """Add or replace `[providers.NAME]`; keys with the value None are left out. UsageError as for `remove`."""
    import tomlkit

    def change(document: "TOMLDocument") -> None:
        providers = document.setdefault("providers", tomlkit.table(is_super_table=True))
        entry = tomlkit.table()
        for key, value in table.items():
            if value is not None and value != {}:
                entry.add(key, value)
        providers[name] = entry

    _edit(path, change)


def remove(path: Path, name: str) -> None:
    """Take `[providers.NAME]` out, and the default where it is the one named.

    UsageError where the file cannot be read, is not valid TOML, does not describe the provider, or cannot be written.
    """

    def change(document: "TOMLDocument") -> None:
        providers = document.get("providers") or {}
        if name not in providers:
            raise UsageError(f"{path} describes no provider {name}.", "`copilot provider list` shows where each is.")
        del providers[name]
        if document.get("default") == name:
            del document["default"]

    _edit(path, change)


def set_default(path: Path, name: str) -> None:
    """Use this provider where none is named. UsageError as for `remove`."""

    def change(document: "TOMLDocument") -> None:
        document["default"] = name

    _edit(path, change)


def _edit(path: Path, change: "Callable[[TOMLDocument], None]") -> None:
    """Read, change, write."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        text = f"# {_HEAD}\n"
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The configuration {path} cannot be read: {type(error).__name__}.", "") from error
    try:
        document = tomlkit.parse(text)
        change(document)
    except TOMLKitError as error:
        raise UsageError(f"The configuration {path} is not valid TOML: {error}.", "Mend the line it names.") from error
    write_private(path, tomlkit.dumps(document))


def write_private(path: Path, text: str) -> None:
    """Replace a file in one step; only its owner may read it. A link is followed, so that the real file changes."""
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(beside).replace(target)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written: {error.strerror}.", "Check the folder's owner and space."
        ) from error
