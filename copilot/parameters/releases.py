"""The order of releases, and the nearest one that the data knows."""

import re
from dataclasses import dataclass
from functools import lru_cache

from packaging.version import InvalidVersion, Version

from copilot.model.text import Text

_VERSION = re.compile(r"^v?(\d+(?:\.\d+)+(?:[.\-]?(?:post|rc|a|b|dev)\d+)*)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def parse(text: str) -> Version | None:
    """A release number as engines, images and logs write it (`v0.25.0`, `0.25.0-cu130`, `0.11.1rc2.dev3+gabc`).

    None for what is no number: `latest`, `nightly`, an empty text.
    """
    found = _VERSION.match(text.strip())
    if not found or text.strip()[found.end() :].startswith((".x", ".*")):  # `0.8.x` is no release
        return None
    try:
        return Version(found.group(1))
    except InvalidVersion:
        return None


@dataclass(frozen=True)
class Nearest:
    """The release whose facts stand for the version asked for."""

    asked: str
    version: str
    """The nearest lower release that is known; the oldest one where all are newer."""
    exact: bool
    next: str | None = None
    """The next known release, where the version asked for lies between two."""
    beyond: bool = False
    """The version asked for is newer than everything known."""

    def note(self) -> Text | None:
        """What to tell the reader where the release itself is not known."""
        if self.exact:
            return None
        return Text(
            en=f"Version {self.asked} is not in the data; the facts are those of {self.version}.",
            zh=f"数据中没有 {self.asked} 版本，此处采用 {self.version} 的信息。",
        )


class Releases:
    """All releases of one engine that were read, oldest first."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self._position = {name: index for index, name in enumerate(names)}
        self._versions: tuple[Version, ...] = ()

    def position(self, name: str) -> int:
        """Index of a known release; KeyError for an unknown one."""
        return self._position[name]

    def nearest(self, text: str) -> Nearest | None:
        """The release for a version as somebody wrote it; None where it is no version number."""
        if text in self._position:
            return Nearest(text, text, exact=True)
        wanted = parse(text)
        if wanted is None:
            return None
        if not self._versions:
            self._versions = tuple(Version(name) for name in self.names)
        below = [index for index, known in enumerate(self._versions) if known <= wanted]
        index = below[-1] if below else 0
        following = self.names[index + 1] if below and index + 1 < len(self.names) else None
        exact = self._versions[index] == wanted
        return Nearest(
            text,
            self.names[index],
            exact,
            None if exact else following,
            beyond=bool(below) and not following and not exact,
        )
