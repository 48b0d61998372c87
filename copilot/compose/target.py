"""The service to change, and what a change gives back."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from copilot.collect.vocabulary import Dialect
from copilot.compose.document import Document, Entry, is_mapping
from copilot.compose.pick import engine_of, service_entries
from copilot.model.text import Text

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node


@dataclass(frozen=True, slots=True)
class ComposeFile:
    """The person's file as it is now; the raw texts leave this package only inside a change."""

    name: str
    """As shown, and as the diff's header names it."""
    raw: str
    redacted: str = ""
    """The same text after redaction, line by line: where it differs, the line is never shown."""
    env_name: str = ".env"
    env_raw: str | None = None
    """The `.env` beside it; None where there is none."""
    env_redacted: str = ""


@dataclass(frozen=True, slots=True)
class ComposeChange:
    """One change of one file."""

    file: str
    diff: str | None
    """Unified, applies with `patch`; None where it cannot be shown (then `reason` says why)."""
    text_after: str
    """The whole file after the change, unredacted: never shown or stored."""
    reason: Text | None = None


class NotEditableError(Exception):
    """The change cannot be made by editing this place; `reason` is for the person."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.en)
        self.reason = reason


@dataclass(frozen=True)
class Target:
    """A service inside its document."""

    document: Document
    name: str
    env: Mapping[str, str]

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """The service's keys, inherited ones included."""
        return service_entries(self.document, self.name)

    @cached_property
    def node(self) -> "Node":
        """The service's own mapping."""
        value = self.document.services[self.name].value
        if not is_mapping(value):
            raise NotEditableError(
                Text(en=f"Service {self.name} is empty in this file.", zh=f"服务 {self.name} 在此文件中是空的。")
            )
        return value

    @cached_property
    def dialect(self) -> Dialect:
        """Whose flags its command holds."""
        return Dialect(engine_of(self.document, self.name, self.env))

    def parent(self, entry: Entry) -> "Node":
        """The mapping of the file that holds the key."""
        found = _holder(self.document.root, entry.key_node, set())
        if found is None:
            raise NotEditableError(
                Text(en=f"The place of {entry.key} was not found.", zh=f"找不到 {entry.key} 所在的位置。")
            )
        return found


def _holder(node: object, key: object, seen: set[int]) -> "Node | None":
    value = getattr(node, "value", None)
    if not isinstance(value, list) or id(node) in seen:
        return None
    seen.add(id(node))
    for member in value:
        if isinstance(member, tuple) and member[0] is key:
            return node  # type: ignore[return-value]  # a node with members
        for part in member if isinstance(member, tuple) else (member,):
            found = _holder(part, key, seen)
            if found is not None:
                return found
    return None
