"""The whole `command` or `entrypoint` of a service: only the words that differ are touched."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from copilot.collect.shell import split
from copilot.compose.document import Document, is_scalar, items, scalar
from copilot.compose.removal import remove_key
from copilot.compose.surgery import Edit, add_entry, last, line_end, line_start, remove, replace_scalar, written
from copilot.compose.target import Target

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node


def words_edits(target: Target, key: str, to: str | None) -> list[Edit]:
    """The edits that make the words of `to` the service's command, or take the command away (None)."""
    entry = target.entries.get(key)
    new = [t.text for t in split(to or "")]
    if entry is None:
        listed = ", ".join(written(word, '"') for word in new)
        return [] if to is None else [add_entry(target.document, target.node, [f"{key}: [{listed}]"])]
    if to is None:
        return remove_key(target, entry)
    if is_scalar(entry.value):
        return [replace_scalar(target.document, entry.value, to)]
    return _differing(target.document, entry.value, new)


def _differing(document: Document, sequence: "Node", new: Sequence[str]) -> list[Edit]:
    nodes = items(sequence)
    old = [scalar(node) or "" for node in nodes]
    edits: list[Edit] = []
    gone: list[Node] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, list(new), autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        pairs = list(zip(nodes[i1:i2], new[j1:j2], strict=False))
        edits.extend(replace_scalar(document, node, word) for node, word in pairs)
        gone.extend(nodes[i1 + len(pairs) : i2])
        if more := new[j1 + len(pairs) : j2]:
            edits.append(_inserted(document, sequence, nodes[max(0, i1 + len(pairs) - 1)], more))
    return [*edits, *(remove(document, sequence, gone) if gone else ())]


def _inserted(document: Document, sequence: "Node", after: "Node", words: Sequence[str]) -> Edit:
    """More items behind one, in its style."""
    text, end = document.text, last(document, after)
    style = getattr(after, "style", None)
    values = [written(word, style if style in {"'", '"'} else None) for word in words]
    if getattr(sequence, "flow_style", False):
        return Edit(end, end, "".join(f", {value}" for value in values))
    begin, at = line_start(text, after.start_mark.index), line_end(text, end)
    dash = re.match(r"\s*-\s+", text[begin:])
    return Edit(at, at, "".join(f"\n{dash[0] if dash else '- '}{value}" for value in values))
