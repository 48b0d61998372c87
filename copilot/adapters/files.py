"""The person's files. Only this module knows real paths; everything else has the names to show."""

import os
import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path

from copilot.adapters.wsl import local_path
from copilot.errors import UsageError

LIMIT = 64 * 1024 * 1024
"""Bytes read of a file at most, from its end."""


@dataclass
class UserFiles:
    """Files of this machine; with `inside` (`--from DIR`) only those below that folder."""

    inside: Path | None = None
    limit: int = LIMIT
    _shown: dict[str, Path] = field(default_factory=dict)

    def show(self, path: str) -> str:
        """The name to show: relative to the working folder, else with `~`, else the last part of the path."""
        real = absolute(path)
        name = _name(real)
        taken = self._shown.get(name)
        if taken is not None and taken != real:
            name = f"{real.parent.name}/{real.name}"
        self._shown[name] = real
        return name

    def within(self, folder: str) -> "UserFiles":
        """The files below a folder only; of a case's round also the case file beside it."""
        real = absolute(folder).resolve()
        return UserFiles(inside=real.parent if (real.parent / "case.toml").is_file() else real, limit=self.limit)

    def exists(self, path: str) -> bool:
        """Whether there is a regular file that may be read from here."""
        try:
            real = self._real(path)
            return real.is_file()
        except (OSError, UsageError, ValueError):
            return False

    def read(self, path: str) -> bytes:
        """The bytes, of a larger file the last ones; `-` is standard input. UsageError where that cannot be."""
        if path == "-":
            return _bounded(sys.stdin.fileno(), self.limit)
        try:
            real = self._real(path)
            mode = real.stat().st_mode
            if stat.S_ISDIR(mode):
                raise UsageError(f"{path} is a folder.", "Name a file, or use --from for a collected folder.")
            if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
                raise UsageError(f"{path} is no regular file.", "Name a file.")
            with real.open("rb") as file:
                return _end_of(file.fileno(), self.limit)
        except FileNotFoundError as error:
            raise UsageError(f"There is no file {path}.", "Check the path.") from error
        except PermissionError as error:
            raise UsageError(f"{path} may not be read.", "Check its owner and mode.") from error
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise UsageError(f"{path} cannot be read: {reason}.", "Check the path.") from error

    def _real(self, path: str) -> Path:
        """The path itself, its links followed; UsageError where it leads out of the folder."""
        real = self._shown.get(path) or absolute(path)
        if self.inside is None:
            return real
        resolved, folder = real.resolve(), self.inside.resolve()
        if not resolved.is_relative_to(folder):
            raise UsageError(f"{path} leads out of {self.inside.name}.", "A collected folder holds its files itself.")
        return resolved


def absolute(path: str, base: Path | None = None) -> Path:
    """The path from the root on, `~` and a path of Windows resolved; whether something is there is not asked."""
    expanded = Path(os.path.expanduser(local_path(path)))  # noqa: PTH111 - Path's own raises for a user nobody knows
    return expanded if expanded.is_absolute() else (base or Path.cwd()) / expanded


def present(path: str) -> bool:
    """Whether there is something of this name; a text that cannot be a name is none."""
    try:
        return absolute(path).exists()
    except (OSError, ValueError):
        return False


def _name(real: Path) -> str:
    plain = Path(os.path.normpath(real))
    for folder, mark in ((Path.cwd(), ""), (absolute("~"), "~/")):
        if plain.is_relative_to(folder):
            return mark + plain.relative_to(folder).as_posix()
    return plain.name


def _end_of(descriptor: int, limit: int) -> bytes:
    """The last `limit` bytes of an open file, of a pipe too; a cut first line is left out."""
    with os.fdopen(os.dup(descriptor), "rb") as file:
        size = os.fstat(descriptor).st_size
        if size > limit:
            file.seek(size - limit)
        data = file.read(limit) if size else _bounded(file.fileno(), limit)
    if size > limit:
        return data[data.find(b"\n") + 1 :]
    return data


def _bounded(descriptor: int, limit: int) -> bytes:
    """A pipe or a file of unknown size (`/proc`): read on, keep the end."""
    kept = bytearray()
    while chunk := os.read(descriptor, 1 << 20):
        kept += chunk
        if len(kept) > 2 * limit:
            del kept[:-limit]
    return bytes(kept[-limit:])
