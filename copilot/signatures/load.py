"""Reading the signature files. A file is parsed only when one of its patterns may match."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from copilot.signatures.literal import literals
from copilot.signatures.signature import Signature

ENGINE_FOLDERS = ("vllm", "ollama")
FOLDERS = (*ENGINE_FOLDERS, "container", "hub", "client")
_TOLD_IN = {"container": ["log", "inspect"], "client": ["log", "request"], "ollama": ["log", "request"]}
"""Where the failures of a folder are told if its file does not say: Docker's refusals stand in State.Error as well, and
what a client or a server answered in the request that was shown."""
_VECTORS = re.compile(r"^\[\[(?:hits|misses)\]\]", re.MULTILINE)
_SEE = re.compile(r"^\[\[see\]\]\n((?:(?!\[).*\n?)*)", re.MULTILINE)
_PATTERN = re.compile(r"^pattern = '(.*)'$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Source:
    """One signature file, unparsed."""

    id: str
    folder: str
    text: str
    """Without the test vectors, which only tests need."""
    needles: tuple[tuple[str, ...], ...]
    """Per `see` pattern the texts of which one must be there; an empty tuple: cannot be told."""

    def may_match(self, haystack: str) -> bool:
        """Whether any pattern can match somewhere in the lower-case haystack."""
        return any(not some or any(needle in haystack for needle in some) for some in self.needles)


def see_patterns(text: str) -> tuple[str, ...]:
    """The `see` patterns of a file as written: in single quotes, on one line (a test holds the files to it)."""
    return tuple(p for block in _SEE.findall(text) for p in _PATTERN.findall(block))


def load() -> tuple[Signature, ...]:
    """Every signature with its vectors, by folder and id. Raises ValueError naming the file that is wrong."""
    return tuple(_parse(folder, entry.name, entry.read_text("utf-8")) for folder, entry in _entries())


def candidates(haystack: str, engine: str | None) -> tuple[Signature, ...]:
    """The signatures that may match a lower-case text of this engine (None: of any)."""
    wanted = [s for s in _sources() if engine is None or s.folder not in ENGINE_FOLDERS or s.folder == engine]
    return tuple(_parsed(s) for s in wanted if s.may_match(haystack))


@cache
def _sources() -> tuple[Source, ...]:
    return tuple(_source(folder, entry) for folder, entry in _entries())


def _entries() -> list[tuple[str, Traversable]]:
    root = files("copilot.signatures")
    found = []
    for folder in FOLDERS:
        place = root / folder
        if place.is_dir():
            found += [(folder, e) for e in sorted(place.iterdir(), key=lambda e: e.name) if e.name.endswith(".toml")]
    return found


def _source(folder: str, entry: Traversable) -> Source:
    text = _VECTORS.split(entry.read_text("utf-8"), maxsplit=1)[0]
    needles = tuple(literals(pattern) for pattern in see_patterns(text))
    return Source(id=entry.name.removesuffix(".toml"), folder=folder, text=text, needles=needles)


@cache
def _parsed(source: Source) -> Signature:
    return _parse(source.folder, f"{source.id}.toml", source.text)


def _parse(folder: str, name: str, text: str) -> Signature:
    try:
        data = tomllib.loads(text)
        _place(data, _TOLD_IN.get(folder))
        return Signature.model_validate({"id": name.removesuffix(".toml"), "folder": folder, **data})
    except ValueError as error:
        raise ValueError(f"signature {folder}/{name}: {error}") from error


def _place(data: dict[str, Any], sources: list[str] | None) -> None:
    """Give each pattern of a file that names no source those of its folder."""
    for key in ("see", "also", "need", "unless", "doubt") if sources else ():
        for entry in data.get(key, ()):
            if "pattern" in entry:
                entry.setdefault("in", sources)
    for proposal in data.get("propose", ()):
        _place(proposal, sources)
