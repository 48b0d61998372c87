"""The table of token shapes (`rules.toml`), compiled, with a cheap prefilter."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import TypeAlias

from copilot.redaction.chance import looks_random
from copilot.redaction.literals import Lines, distinct, either, lines_with
from copilot.redaction.span import Span
from copilot.redaction.stand_ins import is_placeholder
from copilot.redaction.values import acceptable, prose

_HEX = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_PLAIN = re.compile(r"[A-Za-z]{1,12}[-_.]?\d{1,3}")
_NUMBERED = re.compile(r"\d{1,3}[-_]?[A-Za-z]+|(?:sha|md|base|utf|v|x)-?\d+|[A-Z_]+\d*|token-\w+")
_ONE_WORD = re.compile(r"\S+")
_EDGE = r"(?<![A-Za-z0-9])"

_LONG = 40
"""Characters that a word must have for the shapes without a keyword."""
_SHORT = 4096
"""Characters up to which it pays to ask for all keywords at once."""


@dataclass(frozen=True)
class Rule:
    """One shape of token."""

    id: str
    keywords: tuple[str, ...]
    """In lower case; one of them stands in every line that the pattern can match."""
    pattern: re.Pattern[str]
    check: str
    joined: bool
    hits: tuple[str, ...]
    misses: tuple[str, ...]

    def find(self, text: str, lines: Lines) -> Iterator[Span]:
        """The tokens of this shape in those lines of `text`."""
        group = "secret" if "secret" in self.pattern.groupindex else 0
        for begin, stop in lines:
            for match in self.pattern.finditer(text, begin, stop):
                start, value = match.start(group), match[group]
                value = value.rstrip(".:") if group else value
                if _holds(self.check, value, match.group()):
                    kind = (kind_of(value) or self.id) if group else self.id
                    yield Span(start, start + len(value), kind, value, 1 if group else 0)

    def lines(self, text: str, lower: str, words: str, present: frozenset[str]) -> Lines:
        """The lines in which a keyword stands: most rules look at no line of a log at all.

        `words`: the long words of the text. `present`: the keywords that stand in it.
        """
        if not self.keywords:
            return lines_with({m.group() for m in self.pattern.finditer(words)}, text)
        return lines_with(wanted, lower) if (wanted := present.intersection(self.keywords)) else []


def _holds(check: str, value: str, whole: str) -> bool:
    """The match is a secret rather than a placeholder, words or code."""
    if is_placeholder(value):
        return False
    if check == "random":
        core = (
            value.partition("_" if "_" in value[:5] else "-")[2]
            if value == whole and set("_-") & set(value[:5])
            else value
        )
        return looks_random(core) and not _HEX.fullmatch(core if value != whole else "")
    if check in {"mixed", "code"}:
        mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
        return mixed and not _NUMBERED.fullmatch(value) and (check == "mixed" or not _PLAIN.fullmatch(value))
    return check != "value" or (
        acceptable(value, "password", quoted=False) and not prose(value, strict=True) and value[0] != "-"
    )


Candidates: TypeAlias = list[tuple[Rule, Lines]]


@cache
def rules() -> tuple[Rule, ...]:
    """The table in its order: of two shapes that fit, the earlier names the secret."""
    table = tomllib.loads((files("copilot.redaction") / "rules.toml").read_text("utf-8"))
    return tuple(
        Rule(
            id=row["id"],
            keywords=tuple(row["keywords"]),
            pattern=re.compile((_EDGE if row.get("edge", True) else "") + row["pattern"]),
            check=row.get("check", ""),
            joined=row.get("joined", True),
            hits=tuple(row["hits"]),
            misses=tuple(row["misses"]),
        )
        for row in table["rule"]
    )


def candidates(text: str, lower: str, cased: str | None = None, *, joined: bool = False) -> Candidates:
    """Every rule with the lines it has to look at. `lower`: the text in lower case; `cased`: its different words.

    `joined`: only shapes that are sure enough to be looked for across line ends.
    """
    cased = distinct(text) if cased is None else cased
    present = _present(lower, cased.lower())
    long = "\n".join([word for word in cased.split("\n") if len(word) >= _LONG])
    found = []
    for rule in rules():
        if rule.joined or not joined:
            lines = rule.lines(text, lower, long, present)
            if lines:
                found.append((rule, lines))
    return found


def _present(lower: str, words: str) -> frozenset[str]:
    """The keywords of the table that stand in a text. `words`: its different words.

    A log repeats itself, so the words are a small part of it; and bytes are searched much faster than characters.
    """
    if len(lower) <= _SHORT and not _any_keyword().search(lower):
        return frozenset()
    single, phrases = _keywords()
    within, whole = words.encode("utf-8", "surrogatepass"), lower.encode("utf-8", "surrogatepass")
    found = [*(k for k, octets in single if octets in within), *(k for k, octets in phrases if octets in whole)]
    return frozenset(found)


@cache
def _keywords() -> tuple[list[tuple[str, bytes]], list[tuple[str, bytes]]]:
    """(keywords within one word, the others) of the whole table, each also as bytes."""
    every = [(k, k.encode()) for k in sorted({keyword for rule in rules() for keyword in rule.keywords})]
    return [k for k in every if _ONE_WORD.fullmatch(k[0])], [k for k in every if not _ONE_WORD.fullmatch(k[0])]


def shapes(text: str, found: Candidates) -> Iterator[Span]:
    """All tokens known by their shape."""
    for rule, lines in found:
        yield from rule.find(text, lines)


@cache
def _any_keyword() -> re.Pattern[str]:
    """All keywords of the table: most values hold none."""
    return either(keyword for rule in rules() for keyword in rule.keywords)


@lru_cache(maxsize=4096)
def kind_of(value: str) -> str | None:
    """The type of a value that is a known shape as a whole, else None."""
    first = _any_shape().match(value)
    if first is None:
        return None
    if first.lastindex and first.end() >= len(value) - 1:
        return rules()[first.lastindex - 1].id
    for rule in rules():
        match = rule.pattern.match(value)
        if match and match.end() >= len(value) - 1:
            return rule.id
    return None


@cache
def _any_shape() -> re.Pattern[str]:
    """All shapes of the table at once, the n-th in the n-th group: most values are none."""
    return re.compile("|".join(f"({rule.pattern.pattern.replace('(?P<secret>', '(?:')})" for rule in rules()))
