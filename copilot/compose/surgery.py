"""Small edits of a YAML text by place: what is not named stays, character by character."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from copilot.compose.document import Document, is_mapping, is_scalar
from copilot.compose.scalar import properties_end

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

_PLAIN = re.compile(r"[A-Za-z_./~-][\w./~@+=,-]*(?::[\w./~@+=,-]+)*\Z")
_NOT_STRINGS = re.compile(
    r"(?:true|false|yes|no|on|off|y|n|null|~|-?[\d.][\d._]*(?:e[+-]?\d+)?|\.inf|\.nan)\Z", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters from `start` to `end`."""

    start: int
    end: int
    new: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after the edits, which do not overlap.

    Line breaks that come in, written as line feeds, get the file's own line end; none that stays loses half of itself.
    """
    ends = eol(text)
    for edit in sorted(edits, key=lambda e: e.start, reverse=True):
        start, end = _beside_break(text, edit.start), _beside_break(text, edit.end)
        text = text[:start] + edit.new.replace("\r\n", "\n").replace("\n", ends) + text[end:]
    return text


def _beside_break(text: str, offset: int) -> int:
    """The offset, or the one before a line break of two characters that it would cut in two."""
    return offset - 1 if offset and text.startswith("\r\n", offset - 1) else offset


def eol(text: str) -> str:
    """The file's line end."""
    return "\r\n" if "\r\n" in text else "\n"


def written(value: str, style: str | None = None) -> str:
    """A string as YAML in the style of its neighbour; quoted where the bare word would be another type or break."""
    if style == "'":
        return "'" + value.replace("'", "''") + "'"
    bare = style is None and _PLAIN.match(value) and not _NOT_STRINGS.match(value)
    if bare:
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def inside(value: str, style: str | None) -> str:
    """A piece of text as it stands inside a scalar of that style."""
    if style == "'":
        return value.replace("'", "''")
    if style == '"':
        return value.replace("\\", "\\\\").replace('"', '\\"')
    return value


def replace_scalar(document: Document, node: "Node", value: str) -> Edit:
    """Another value for a scalar, its anchor, tag and quotes kept; a number stays bare where it was bare."""
    start, end = document.span(node)
    start += properties_end(document.text[start:end])
    style = getattr(node, "style", None)
    bare_number = not style and _NOT_STRINGS.match(value) and _NOT_STRINGS.match(document.text[start:end])
    if style in {"|", ">"}:
        end = last(document, node)
    return Edit(start, end, value if bare_number else written(value, style))


def last(document: Document, node: "Node") -> int:
    """Offset after a node's last character; trailing blanks and comments of a block are not part of it."""
    start, end = document.span(node)
    if is_scalar(node):
        return start + len(document.text[start:end].rstrip()) if getattr(node, "style", None) in {"|", ">"} else end
    if getattr(node, "flow_style", False):
        return end
    ends = [start + 1]
    for member in node.value:
        for part in member if isinstance(member, tuple) else (member,):
            if start <= part.start_mark.index < end:  # an alias's node stands elsewhere
                ends.append(last(document, part))
            elif isinstance(member, tuple):
                ends.append(_alias_end(document.text, member[0].end_mark.index))
    return max(ends)


def _alias_end(text: str, after_key: int) -> int:
    """End of the `*name` that follows a key."""
    match = re.compile(r"\s*:\s*\*[^\s,}\]]+").match(text, after_key)
    return match.end() if match else after_key


def line_start(text: str, offset: int) -> int:
    """Offset of the first character of the line."""
    return text.rfind("\n", 0, offset) + 1


def line_end(text: str, offset: int) -> int:
    """Offset of the line's end, before its line break of one or two characters."""
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return end - 1 if end > 0 and text[end - 1] == "\r" and end > offset else end


def add_entry(document: Document, mapping: "Node", lines: Sequence[str], *, flow: str = "") -> Edit:
    """A key at the end of a mapping: `lines` are `key: value` and what stands below it; `flow` is for braces."""
    text = document.text
    if getattr(mapping, "flow_style", False):
        return _add_flow(document, mapping, flow or " ".join(line.strip() for line in lines))
    at = line_end(text, last(document, mapping))
    indent = " " * min(key.start_mark.column for key, _ in mapping.value)  # behind `? ` a key stands further right
    return Edit(at, at, "".join(f"\n{indent}{line}" for line in lines))


def add_item(document: Document, sequence: "Node", values: Sequence[str]) -> Edit:
    """Items at the end of a list, already written as YAML."""
    text = document.text
    if getattr(sequence, "flow_style", False):
        return _add_flow(document, sequence, ", ".join(values))
    at = line_end(text, last(document, sequence))
    first = sequence.value[0].start_mark.index
    begin = line_start(text, first)
    dash = re.match(r"\s*-\s+", text[begin:])
    lead = dash[0] if dash else text[begin:first]
    return Edit(at, at, "".join(f"\n{lead}{value}" for value in values))


def _add_flow(document: Document, node: "Node", addition: str) -> Edit:
    """Into `{...}` or `[...]`, before the closing bracket; a trailing comma is used."""
    text = document.text
    close = document.span(node)[1] - 1
    content = text[document.span(node)[0] : close].rstrip()
    at = document.span(node)[0] + len(content)
    if content.endswith(("[", "{", ",")):
        return Edit(at, at, f" {addition}" if content.endswith(",") else addition)
    if "\n" in content:
        # a list over several lines: one more line like the last one, a comment after the last item stays there
        end = last(document, _last_child(node))
        begin = line_start(text, end)
        indent = text[begin:end][: len(text[begin:end]) - len(text[begin:end].lstrip())]
        return Edit(end, end, f",\n{indent}{addition}")
    return Edit(at, at, f", {addition}")


def _last_child(node: "Node") -> "Node":
    member = node.value[-1]
    child: Node = member[1] if isinstance(member, tuple) else member
    return child


def remove(document: Document, parent: "Node", nodes: Sequence["Node"]) -> list[Edit]:
    """Remove members of a mapping or list: `nodes` are keys or items of `parent`. Comments beside them stay."""
    if getattr(parent, "flow_style", False):
        return [_remove_flow(document, parent, run) for run in _runs(parent, nodes)]
    text, edits = document.text, []
    for node in nodes:
        end = last(document, _value_of(parent, node))
        if end <= node.start_mark.index:  # an alias
            end = _alias_end(text, node.end_mark.index)
        end = max(end, node.end_mark.index)
        start = line_start(text, node.start_mark.index)
        stop = line_end(text, end)
        comments = _comments(text[start:end], text[end:stop])
        after = text.find("\n", stop)
        if comments:
            indent = " " * (node.start_mark.index - start)
            edits.append(Edit(start, stop, "\n".join(indent + comment for comment in comments)))
        elif after >= 0:
            edits.append(Edit(start, after + 1, ""))
        else:  # the file's last line without a line break: the one before becomes the last
            edits.append(Edit(max(0, start - 1), stop, ""))
    return edits


def _comments(block: str, behind: str) -> list[str]:
    """The comments inside a block that goes, and behind its last line; not what only looks like one in quotes."""
    found = []
    for line in [*block.split("\n")[:-1], behind]:
        match = re.search(r"(?:^|\s)(#[^\r\n]*)\r?\Z", line)
        before = line[: match.start(1)] if match else ""
        if match and before.count('"') % 2 == 0 and before.count("'") % 2 == 0:
            found.append(match[1].rstrip())
    return found


def _value_of(parent: "Node", node: "Node") -> "Node":
    if is_mapping(parent):
        for key, value in parent.value:
            if key is node:
                found: Node = value
                return found
    return node


def _runs(parent: "Node", nodes: Sequence["Node"]) -> list[list["Node"]]:
    """The members that go, those side by side on one line together."""
    runs: list[list[Node]] = []
    before = False
    for member in parent.value:
        first = member[0] if isinstance(member, tuple) else member
        going = any(first is node for node in nodes)
        if going and before and runs[-1][-1].end_mark.line == first.start_mark.line:
            runs[-1].append(first)
        elif going:
            runs.append([first])
        before = going
    return runs


def _remove_flow(document: Document, parent: "Node", run: Sequence["Node"]) -> Edit:
    """Members of `{...}` or `[...]` side by side, with the comma that belongs to them."""
    text = document.text
    start = run[0].start_mark.index
    end = max(run[-1].end_mark.index, last(document, _value_of(parent, run[-1])))
    following = re.compile(r"\s*,[ \t]*").match(text, end)
    stop = following.end() if following else end
    begin, after = line_start(text, start), line_end(text, stop)
    if not text[begin:start].strip() and not text[stop:after].strip() and "\n" in text[after:]:
        # alone on their lines; a comma on the line before may stay: YAML allows it
        return Edit(begin, text.index("\n", after) + 1, "")
    if following:
        return Edit(start, stop, "")
    before = re.compile(r",[ \t]*\Z").search(text[:start])
    return Edit(before.start() if before else start, end, "")
