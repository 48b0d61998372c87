"""The words of a service's `command` and `entrypoint`, whatever form they have, each with its place in the file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from copilot.collect.arguments import script_index
from copilot.collect.shell import Token, script_of, split
from copilot.compose.document import Document, Entry, is_scalar, items, scalar
from copilot.compose.interpolate import fill
from copilot.compose.scalar import Mapped, mapped

if TYPE_CHECKING:
    from ruamel.yaml.nodes import ScalarNode


@dataclass(frozen=True, slots=True)
class Word:
    """A word with what it is written as."""

    token: Token
    """Interpolated; `start` and `end` are offsets in the file (-1: it cannot be changed there)."""
    written: str
    """Before interpolation."""
    item: int | None = None
    """Its number in a list; None inside a string."""
    style: str | None = None
    """The quotes or the block form around it."""
    within: str = ""
    """The quote of the script (`bash -c "..."`) that it stands in."""


def said(document: Document, service: Mapping[str, Entry], env: Mapping[str, str]) -> dict[str, tuple[Word, ...]]:
    """The words of a service's `entrypoint` and `command`; a script is taken apart wherever it stands."""
    entrypoint = words(document, service.get("entrypoint"), env)
    before = tuple(word.token for word in entrypoint[-2:])
    return {"entrypoint": entrypoint, "command": words(document, service.get("command"), env, before)}


def words(
    document: Document, entry: Entry | None, env: Mapping[str, str], before: tuple[Token, ...] = ()
) -> tuple[Word, ...]:
    """The words of a string (split as a shell does), a block, or a list (an item is one word).

    `before` are the words of an entrypoint before them: after `bash -c` the first item is a script.
    """
    if entry is None:
        return ()
    if is_scalar(entry.value):
        return tuple(_of_string(document, cast("ScalarNode", entry.value), env))
    found: list[Word] = []
    for number, item in enumerate(items(entry.value)):
        value = scalar(item)
        if value is not None:
            start, end = document.span(item)
            token = Token(fill(value, env).value, document.line(item), start, end)
            found.append(Word(token, value, number, getattr(item, "style", None)))
    return _unwrapped(document, entry, tuple(found), env, before)


def _of_string(document: Document, node: "ScalarNode", env: Mapping[str, str]) -> Iterator[Word]:
    if scalar(node) is None:
        return
    source = mapped(document.text, node)
    raw = split(source.text)
    at = script_index(raw)
    script = script_of(source.text, raw[at]) if at is not None else None
    for index, token in enumerate(raw):
        if index == at and script is not None:
            inner = Mapped(script[0], tuple(source.offsets[place] for place in script[1]))
            quote = source.text[token.start]
            for part in split(script[0]):
                for word in _placed(document, inner, part, env):
                    yield replace(word, style=node.style, within=quote)
        else:
            for word in _placed(document, source, token, env):
                yield replace(word, style=node.style)


def _placed(document: Document, source: Mapped, token: Token, env: Mapping[str, str]) -> Iterator[Word]:
    """The word at its place in the file; a bare `${ARGS}` may stand for several words."""
    start, end = source.offsets[token.start], source.offsets[token.end]
    line = document.line_of(start)
    filled = fill(token.text, env)
    if filled.value != token.text and not token.quoted and any(c.isspace() for c in filled.value):
        for part in split(filled.value):
            yield Word(Token(part.text, line, -1, -1), token.text)
        return
    yield Word(Token(filled.value, line, start, end, token.quoted), token.text)


def _unwrapped(
    document: Document, entry: Entry, found: tuple[Word, ...], env: Mapping[str, str], before: tuple[Token, ...]
) -> tuple[Word, ...]:
    """`["bash", "-c", "..."]`: the script's own words instead of the one item."""
    at = script_index([*before, *(w.token for w in found)])
    if at is None or at < len(before):
        return found
    at -= len(before)
    node = cast("ScalarNode", [item for item in items(entry.value) if scalar(item) is not None][at])
    return (*found[:at], *_of_string(document, node, env), *found[at + 1 :])
