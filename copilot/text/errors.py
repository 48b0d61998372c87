"""Errors and notes in Chinese: a catalogue keyed by the English text, in the manner of gettext.

An error is one English sentence where it is raised, with its values filled in; a port or a pure function knows no
language. Only here, when it is shown, the catalogue's templates are laid over the sentence.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from copilot.model.text import Lang  # for its type alone: an error of usage must not load pydantic

NESTED = "reason"
"""A field whose name begins so holds a text of its own: the system's, a parser's, or another of our sentences."""
QUOTED = "It says: "
"""What an endpoint said follows, in its own words."""
_FIELD = re.compile(r"\{(\w+)\}")


def translated(text: str, lang: "Lang") -> str:
    """An English error, hint or note in the language asked for; a text that is not in the catalogue stays as it is.

    Where several templates fit, the one with the most words of its own counts.
    """
    if lang == "en":
        return text
    ours, quotes, words = text.partition(f" {QUOTED}")
    chinese = _listed(ours, all) or _known(ours) or _listed(ours, any) or _labelled(ours) or ours
    return f"{chinese}{catalogue()[QUOTED]}{words}" if quotes else chinese


def _known(text: str) -> str | None:
    """The Chinese of a text that a template fits, with or without its full stop; None where none does."""
    if not text:
        return None
    if (found := _filled(text)) is not None:
        return found
    stopped = _filled(f"{text}.")  # a note has lost the full stop of the sentence that it was
    return stopped.removesuffix("。") if stopped is not None else None


def _listed(text: str, enough: Callable[[Iterable[object]], bool]) -> str | None:
    """A list of notes (`one; other`), where the catalogue knows all of them, or any.

    All are asked for before the whole is: the last field of the first note's template would take in the others.
    """
    notes = text.split("; ")
    known = [_known(note) or _labelled(note) for note in notes] if len(notes) > 1 else []
    if not known or not enough(known):
        return None
    return "；".join(chinese or note for chinese, note in zip(known, notes, strict=True))


def _labelled(text: str) -> str | None:
    """A text under its label (`docker info: reason`), where the catalogue knows the text."""
    label, colon, rest = text.partition(": ")
    known = _known(rest) if colon else None
    return f"{label}：{known}" if known is not None else None


def _filled(text: str) -> str | None:
    """The Chinese of the first template that fits, its fields filled."""
    plain = catalogue().get(text)
    if plain is not None and not _FIELD.search(text):
        return plain
    for template, start, end in _templates():
        if text.startswith(start) and text.endswith(end) and (match := _pattern(template).fullmatch(text)):
            return _filled_in(catalogue()[template], match)
    return None


def _filled_in(chinese: str, match: re.Match[str]) -> str:
    """The Chinese template with the values that were found: as they stand, or in Chinese where they are a text."""

    def value(field: re.Match[str]) -> str:
        found = match[field[1]]
        return translated(found, "zh") if field[1].startswith(NESTED) else found

    return _FIELD.sub(value, chinese)


@cache
def catalogue() -> Mapping[str, str]:
    """English template -> Chinese template, of all tables of `errors.toml`."""
    text = (files("copilot.text") / "errors.toml").read_text(encoding="utf-8")
    return {english: chinese for table in tomllib.loads(text).values() for english, chinese in table.items()}


@cache
def _templates() -> tuple[tuple[str, str, str], ...]:
    """The templates with fields, the most specific first, each with the literal text before and after its fields."""
    with_fields = [english for english in catalogue() if _FIELD.search(english)]
    with_fields.sort(key=lambda english: len(_FIELD.sub("", english)), reverse=True)
    pieces = [_FIELD.split(english) for english in with_fields]
    return tuple((english, piece[0], piece[-1]) for english, piece in zip(with_fields, pieces, strict=True))


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """A field matches anything, as little as the rest allows."""
    pieces = _FIELD.split(template)
    return re.compile(
        "".join(f"(?P<{piece}>.*?)" if n % 2 else re.escape(piece) for n, piece in enumerate(pieces)), re.DOTALL
    )
