"""What a service shares with others through anchors, merge keys and `extends`, made its own, so that one can change."""

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from copilot.compose.change_command import place_of
from copilot.compose.document import Document, Entry, entries, is_mapping, is_scalar, is_sequence
from copilot.compose.scalar import properties_end
from copilot.compose.surgery import Edit, add_entry, apply, last, line_start
from copilot.compose.target import NotEditableError, Target
from copilot.compose.values import LISTS, SCALARS, path
from copilot.model.text import Text

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

_KEYS = {parameter: key for key, parameter in (*LISTS.items(), *SCALARS.items()) if key != "networks"}
_LIMIT = ("deploy", "resources", "limits", "memory")
_DEVICES = ("deploy", "resources", "reservations", "devices")
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)+")
_COMMENT = re.compile(r"(?:^|\s)#[^'\"]*$")


def own_copy(target: Target, parameter: str, hidden: Collection[int]) -> str | None:
    """The file after one step towards a value of this service's own; None where the value is its own already.

    A shared value is copied to the service, or an anchor is handed on to the next user of it. The meaning of the file
    stays the same. NotEditableError where the copy would show a secret (`hidden` are lines, from 1).
    """
    mapping, known = target.node, target.entries
    for key in _path(target, parameter):
        entry = known.get(key)
        if entry is None:
            return None
        if entry.inherited:
            return _copied(target.document, mapping, entry, hidden)
        if (name := getattr(entry.value, "anchor", None)) and (alias := _alias(target.document, entry, name)):
            return _handed_on(target.document, entry, alias, hidden)
        mapping, known = entry.value, entries(entry.value)
    return None


def quoted_command(target: Target, parameter: str) -> str | None:
    """The file with a bare command line in quotes, where words with `: ` or ` #` must go into it."""
    entry = place_of(target, parameter).entry if parameter.startswith("-") else None
    if entry is None or not is_scalar(entry.value) or getattr(entry.value, "style", None):
        return None
    text = target.document.text
    start, end = target.document.span(entry.value)
    start += properties_end(text[start:end])
    return text[:start] + "'" + text[start:end].replace("'", "''") + "'" + text[end:]


def _path(target: Target, parameter: str) -> tuple[str, ...]:
    """The keys below the service on the way to what a parameter changes."""
    if parameter.startswith("-"):
        return (place_of(target, parameter).key,)
    if parameter.startswith("env:"):
        return ("environment", parameter.removeprefix("env:"))
    if parameter == "docker:gpus":
        return ("gpus",) if "gpus" in target.entries else _DEVICES
    if parameter == "docker:mem_limit" and path(target.entries, *_LIMIT):
        return _LIMIT
    return (_KEYS.get(parameter, parameter.removeprefix("docker:")),)


def _copied(document: Document, mapping: "Node", entry: Entry, hidden: Collection[int]) -> str:
    """The value written once more, below this mapping: where it was an alias, or as a key of its own."""
    own = next((key for key, _ in mapping.value if key is entry.key_node), None)
    name = getattr(entry.value, "anchor", None)
    if own is None and name and is_mapping(entry.value):
        lines = [f"{entry.key}:", f"  <<: *{name}"]
    else:
        lines = _lines(document, entry, hidden)
    if own is None:
        return apply(document.text, [add_entry(document, mapping, lines)])
    if name and is_mapping(entry.value):
        lines = [f"{entry.key}:", f"  <<: *{name}"]
    start = document.text.index("*", own.end_mark.index)
    end = start + 1 + len(name or "")
    return _put(document, (start, end), own, [lines[0].removeprefix(f"{entry.key}:").lstrip(), *lines[1:]])


def _handed_on(document: Document, entry: Entry, alias: "tuple[int, int, Node]", hidden: Collection[int]) -> str:
    """The next `*name` of the file becomes `&name` with the value; here the anchor goes."""
    lines = _lines(document, entry, hidden)
    start, end, key = alias
    name = entry.value.anchor
    first = f"&{name} {lines[0].removeprefix(f'{entry.key}:').lstrip()}".rstrip()
    text = _put(document, (start, end), key, [first, *lines[1:]])
    at = document.span(entry.value)[0]
    mark = re.compile(rf"&{re.escape(name)}[ \t]*").search(text, entry.key_node.end_mark.index, at + len(name) + 2)
    if mark is None:
        raise _too_far(entry.key)
    return text[: mark.start()] + text[mark.end() :]


def _put(document: Document, span: tuple[int, int], key: "Node", lines: Sequence[str]) -> str:
    """Lines of a value behind its key, in place of what stands there."""
    text = document.text
    indent = " " * (key.start_mark.index - line_start(text, key.start_mark.index))
    start = span[0] if lines[0] else len(text[: span[0]].rstrip(" "))
    return apply(text, [Edit(start, span[1], ("\n" + indent).join(lines))])


def _alias(document: Document, entry: Entry, name: str) -> "tuple[int, int, Node] | None":
    """Place of the first alias of an anchor behind it, and the key it is the value of; None where there is none.

    NotEditableError where the anchor is merged or stands in a list: its value cannot move there in a few lines.
    """
    text = document.text
    found = re.compile(rf"(?<![\w*&]){re.escape('*' + name)}(?![\w-])").search(text, document.span(entry.value)[0])
    if found is None:
        return None
    begin = line_start(text, found.start())
    key = next((k for k in _keys(document.root, set()) if begin <= k.start_mark.index < found.start()), None)
    if key is None or key.value == "<<" or text[key.end_mark.index : found.start()].strip() != ":":
        raise _too_far(entry.key)
    return found.start(), found.end(), key


def _keys(node: "Node | None", seen: set[int]) -> "list[Node]":
    """All keys of the document."""
    found: list[Node] = []
    if node is None or id(node) in seen:
        return found
    seen.add(id(node))
    members = node.value if is_mapping(node) or is_sequence(node) else ()
    for member in members:
        for part in member if isinstance(member, tuple) else (member,):
            found.extend(_keys(part, seen))
        if isinstance(member, tuple):
            found.append(member[0])
    return found


def _too_far(key: str) -> NotEditableError:
    return NotEditableError(
        Text(
            en=f"{key} is shared with another service through an anchor; change it there by hand.",
            zh=f"{key} 通过锚点与其他服务共享；请在那里手动修改。",
        )
    )


def _lines(document: Document, entry: Entry, hidden: Collection[int]) -> list[str]:
    """`key: value` as lines from column 0, without comments, anchors and tags; what stands below is two blanks in."""
    text, value = document.text, entry.value
    start, end = document.span(value)[0], last(document, value)
    if any(document.line_of(start) <= line <= document.line_of(max(start, end - 1)) for line in hidden):
        raise NotEditableError(
            Text(
                en=f"{entry.key} is shared with another service and holds a secret; change it there by hand.",
                zh=f"{entry.key} 与其他服务共享并含有密钥；请在那里手动修改。",
            )
        )
    column = start - line_start(text, start)
    flat = is_scalar(value) or getattr(value, "flow_style", False)
    body = text[start:end]
    if flat:
        body = body[properties_end(body) :]
        lines = body.replace("\r\n", "\n").split("\n")
        return [f"{entry.key}: {lines[0]}", *_shifted(lines[1:])]
    if properties := _PROPERTIES.match(body):  # `&name` on the key's line, the block below it
        start += properties.end()
        column, body = start - line_start(text, start), text[start:end]
    lines = [" " * column + body.replace("\r\n", "\n").split("\n")[0], *body.replace("\r\n", "\n").split("\n")[1:]]
    kept = [_COMMENT.sub("", line) for line in lines]
    return [
        f"{entry.key}:",
        *_shifted([k for k, line in zip(kept, lines, strict=True) if k.strip() or not line.strip()]),
    ]


def _shifted(lines: Sequence[str]) -> list[str]:
    """The lines with their smallest indentation made two."""
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [f"  {line[margin:]}" if line.strip() else "" for line in lines]
