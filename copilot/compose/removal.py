"""A key of a service taken away, wherever it stands."""

from typing import TYPE_CHECKING

from copilot.compose.document import Entry, is_mapping
from copilot.compose.surgery import Edit, add_entry, remove
from copilot.compose.target import Target

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node


def remove_key(target: Target, entry: Entry) -> list[Edit]:
    """The key, and every block around it that would be empty without it."""
    if entry.inherited and "extends" in target.entries and entry.key not in _own_keys(target):
        # compose takes an inherited value away with this tag; a merge key's value cannot be taken away
        return [add_entry(target.document, target.node, [f"{entry.key}: !reset null"])]
    parent = target.parent(entry)
    key: Node = entry.key_node
    while len(parent.value) == 1 and parent is not target.node:
        holder = _around(target, parent)
        if holder is None:
            break
        parent, key = holder
    return remove(target.document, parent, [key])


def _own_keys(target: Target) -> set[str]:
    return {key.value for key, _ in target.node.value}


def _around(target: Target, inner: "Node") -> "tuple[Node, Node] | None":
    """The mapping around a mapping inside the service, and the key that holds it."""
    stack: list[Node] = [target.node]
    while stack:
        node = stack.pop()
        for key, value in node.value:
            if value is inner:
                return node, key
            if is_mapping(value):
                stack.append(value)
    return None
