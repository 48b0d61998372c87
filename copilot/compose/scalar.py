"""A scalar's characters with their places in the file, so that one word inside it can be changed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruamel.yaml.nodes import ScalarNode

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b", "N": "\x85", "_": "\xa0"}


@dataclass(frozen=True, slots=True)
class Mapped:
    """Characters of a value, and the offset in the file of each (one more for the end)."""

    text: str
    offsets: tuple[int, ...]


def properties_end(raw: str) -> int:
    """Length of the anchor and tag before a value (`&a !!str `)."""
    at = 0
    while raw[at : at + 1] in {"&", "!"}:
        while at < len(raw) and not raw[at].isspace():
            at += 1
        while at < len(raw) and raw[at].isspace():
            at += 1
    return at


def mapped(text: str, node: "ScalarNode") -> Mapped:
    """The characters of a scalar node of the file `text`. Line breaks inside it stay line breaks."""
    start, end = node.start_mark.index, node.end_mark.index
    start += properties_end(text[start:end])
    if node.style in {"|", ">"}:
        return _block(text, start, end)
    pairs: list[tuple[str, int]] = []
    if node.style == "'":
        pairs = _single(text, start + 1, end - 1)
    elif node.style == '"':
        pairs = _double(text, start + 1, end - 1)
    else:
        pairs = [(text[at], at) for at in range(start, end)]
    last = end - 1 if node.style in {"'", '"'} else end
    return Mapped("".join(c for c, _ in pairs), (*(at for _, at in pairs), last))


def _block(text: str, start: int, end: int) -> Mapped:
    """A `|` or `>` block: what follows its header line, the indentation being blanks to a shell anyway."""
    body = text.find("\n", start, end)
    body = end if body < 0 else body + 1
    return Mapped(text[body:end], tuple(range(body, end + 1)))


def _single(text: str, at: int, end: int) -> list[tuple[str, int]]:
    pairs = []
    while at < end:
        pairs.append((text[at], at))
        at += 2 if text[at : at + 2] == "''" else 1
    return pairs


def _double(text: str, at: int, end: int) -> list[tuple[str, int]]:
    pairs = []
    while at < end:
        if text[at] != "\\" or at + 1 >= end:
            pairs.append((text[at], at))
            at += 1
        elif text[at + 1] in "xuU":
            width = {"x": 2, "u": 4, "U": 8}[text[at + 1]]
            digits = text[at + 2 : at + 2 + width]
            pairs.append((chr(int(digits, 16)) if digits.isalnum() else "?", at))
            at += 2 + width
        elif text[at + 1] in "\r\n":
            at += 2
        else:
            pairs.append((_ESCAPES.get(text[at + 1], text[at + 1]), at))
            at += 2
    return pairs
