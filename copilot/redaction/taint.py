"""A secret found once is removed everywhere, also where it is written in another way."""

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from urllib.parse import quote, quote_plus

from copilot.redaction.span import Span
from copilot.redaction.stand_ins import is_placeholder

_PEOPLE = frozenset({"user", "host", "email", "ip"})
_ALONE = 12
"""Shorter values are removed only where they stand alone: `abc12345` is not cut out of a longer word."""
_MANY = 300
_TOKEN = re.compile(r"[^\s\"'`<>,;()\[\]{}=|‹›]{6,400}")


def spreads(span: Span) -> bool:
    """A value peculiar enough to be searched for in all other places."""
    value = span.value
    if span.kind in _PEOPLE or span.part or "\n" in value:
        return False
    if len(value) >= 16 or len(value) < 8:  # noqa: PLR2004 - shorter ones may be words
        return len(value) >= 16  # noqa: PLR2004 - see above
    return not value.isalnum() or (any(c.isdigit() for c in value) and any(c.isalpha() for c in value))


def literal(value: str) -> bool:
    """A value that somebody declared secret may be searched for."""
    return len(value) >= 4 and not is_placeholder(value) and not (value.isdigit() and len(value) < 6)  # noqa: PLR2004 - `true`, ports


@lru_cache(maxsize=2048)
def spellings(value: str) -> tuple[str, ...]:
    """The value as it stands in text, URLs, JSON, HTML and shells."""
    inner = json.dumps(value)[1:-1]
    octets = value.encode("utf-8", "surrogatepass")  # half an emoji: `\\ud83d`, cut off behind it
    ways = (
        value,
        *(quote(octets, safe=""), quote(octets), quote_plus(octets), quote(octets, safe="").lower()),
        *(inner, json.dumps(inner)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1].replace("/", "\\/")),
        *(html.escape(value), value.encode("unicode_escape").decode()),
    )
    return tuple(dict.fromkeys(ways))


def occurrences(text: str, known: Mapping[str, str]) -> Iterator[Span]:
    """Every place where a known secret stands."""
    if len(known) > _MANY:
        yield from _listed(text, known)
        return
    for value, kind in known.items():
        for spelling in spellings(value):
            at = text.find(spelling)
            while at >= 0:
                end = at + len(spelling)
                if len(value) >= _ALONE or _alone(text, at, end):
                    yield Span(at, end, kind, value, 2)
                at = text.find(spelling, end)


def _listed(text: str, known: Mapping[str, str]) -> Iterator[Span]:
    """With very many secrets: one pass over the words of the text, so that time stays linear."""
    for match in _TOKEN.finditer(text):
        kind = known.get(match.group())
        if kind:
            yield Span(match.start(), match.end(), kind, match.group(), 2)


def _alone(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())


def any_of(known: Iterable[str], text: str) -> bool:
    """A decoded text holds a known secret."""
    return any(value in text for value in known if len(value) >= 6)  # noqa: PLR2004 - see literal
