"""A compose file as YAML nodes that know their place in the text; nothing is expanded, nothing is lost."""

import warnings
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from copilot.errors import UsageError

if TYPE_CHECKING:
    from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
else:
    Node = MappingNode = ScalarNode = SequenceNode = object  # the package is imported where a file is read

_MAX_CHARACTERS = 1_000_000
_MAX_ENTRIES = 5_000
"""Entries that one mapping may reach through merge keys. A real service has fewer than 200."""
_MAX_DEPTH = 16
MERGE = "tag:yaml.org,2002:merge"
RESET = "!reset"
"""Compose's tag of a value that a base or an earlier file gives and that is to be taken away."""

Nodes: TypeAlias = "tuple[Node, ...]"


@dataclass(frozen=True)
class Entry:
    """A key of a mapping with its value."""

    key: str
    key_node: "ScalarNode"
    value: "Node"
    inherited: bool = False
    """It stands elsewhere in the file: it came through a merge key, an alias or `extends`."""


@dataclass(frozen=True)
class Document:
    """One file."""

    text: str
    file: str
    root: "Node | None"
    _starts: list[int] = field(default_factory=list, compare=False)

    @cached_property
    def services(self) -> Mapping[str, Entry]:
        """The services by name."""
        entry = entries(self.root).get("services") if self.root is not None else None
        return entries(entry.value) if entry else {}

    def line_of(self, offset: int) -> int:
        """The line, from 1, of a character of the text."""
        if not self._starts:
            self._starts.extend(_line_starts(self.text))
        return bisect_right(self._starts, offset)

    def line(self, node: "Node") -> int:
        """The line where a node starts."""
        return self.line_of(node.start_mark.index)

    def span(self, node: "Node") -> tuple[int, int]:
        """Start and end of a node in the text; an anchor or a tag before it belongs to it."""
        return node.start_mark.index, node.end_mark.index


def _line_starts(text: str) -> Iterator[int]:
    yield 0
    at = text.find("\n")
    while at >= 0:
        yield at + 1
        at = text.find("\n", at + 1)


def load(text: str, file: str) -> Document:
    """Parse a file. UsageError in one sentence with the line where it is no YAML, too large, or no mapping."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError

    if len(text) > _MAX_CHARACTERS:
        message = f"{file} is larger than {_MAX_CHARACTERS // 1_000_000} MB: that is no compose file."
        raise UsageError(message, "Name the compose file with --compose.")
    text = text.removeprefix("\ufeff")
    try:
        with warnings.catch_warnings(
            action="ignore", category=ReusedAnchorWarning
        ):  # it quotes the file; YAML allows it
            root = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f", line {mark.line + 1}" if mark else ""
        message = f"{file}{where}: {error.problem or error.context}."
        raise UsageError(message, "Correct the YAML there; `docker compose config -q` says the same.") from error
    except (YAMLError, RecursionError, ValueError) as error:
        message = f"{file} is no readable YAML: {str(error).splitlines()[0]}."
        raise UsageError(message, "Name the compose file with --compose.") from error
    if not is_mapping(root):
        message = f"{file} holds no mapping at its top: it is no compose file."
        raise UsageError(message, "Name the compose file with --compose.")
    return Document(text, file, root)


def is_mapping(node: "Node | None") -> bool:
    """Whether the node is a mapping."""
    return node is not None and type(node).__name__ == "MappingNode"


def is_sequence(node: "Node | None") -> bool:
    """Whether the node is a list."""
    return node is not None and type(node).__name__ == "SequenceNode"


def is_scalar(node: "Node | None") -> bool:
    """Whether the node is a single value."""
    return node is not None and type(node).__name__ == "ScalarNode"


def entries(node: "Node | None") -> dict[str, Entry]:
    """The entries of a mapping with its merge keys followed; empty where the node is none.

    UsageError where the merge keys reach more than any real file (nested aliases that multiply).
    """
    found: dict[str, Entry] = {}
    _collect(node, found, 0)
    return {key: entry for key, entry in found.items() if entry.value.tag != RESET}


def _collect(node: "Node | None", found: dict[str, Entry], depth: int) -> None:
    if not is_mapping(node) or node is None:
        return
    if depth > _MAX_DEPTH or len(found) > _MAX_ENTRIES:
        message = "The compose file nests its merge keys too deeply."
        raise UsageError(message, "Pass the output of `docker compose config` with --compose.")
    merged: list[Node] = []
    for key, value in node.value:
        if not is_scalar(key):
            continue
        if key.tag == MERGE or key.value == "<<":
            merged.extend(value.value if is_sequence(value) else [value])
        elif key.value not in found:
            alias = value.start_mark.index < key.start_mark.index
            found[key.value] = Entry(key.value, key, value, inherited=depth > 0 or alias)
    for one in merged:
        _collect(one, found, depth + 1)


def scalar(node: "Node | None") -> str | None:
    """The value of a scalar as written, None for other nodes and for null."""
    if not is_scalar(node) or node is None:
        return None
    if node.tag == "tag:yaml.org,2002:null" and not getattr(node, "style", None):
        return None
    return str(node.value)


def items(node: "Node | None") -> Nodes:
    """The items of a list."""
    return tuple(node.value) if is_sequence(node) and node is not None else ()
