"""The table of token shapes (`rules.toml`), compiled, with a cheap prefilter."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from copilot.redaction.chance import looks_random
from copilot.redaction.placeholder_words import is_placeholder
from copilot.redaction.span import Span
from copilot.redaction.values import acceptable, prose

_HEX = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_NUMBERED = re.compile(r"[A-Za-z]+[-_.]?\d{1,3}|\d{1,3}[-_]?[A-Za-z]+|(?:sha|md|base|utf|v|x)-?\d+|[A-Z_]+\d*|token-\w+")
_EDGE = r"(?<![A-Za-z0-9])"


@dataclass(frozen=True)
class Rule:
    """One shape of token."""

    id: str
    keywords: tuple[str, ...]
    pattern: re.Pattern[str]
    check: str
    joined: bool
    hits: tuple[str, ...]
    misses: tuple[str, ...]

    def find(self, text: str) -> Iterator[Span]:
        """The tokens of this shape in `text`."""
        group = "secret" if "secret" in self.pattern.groupindex else 0
        for match in self.pattern.finditer(text):
            start, end = match.span(group)
            value = match[group].rstrip(".:") if group else match[group]
            if _holds(self.check, value, match.group()):
                yield Span(start, start + len(value), kind_of(value) or self.id if group else self.id, value, 1 if group else 0)


def _holds(check: str, value: str, whole: str) -> bool:
    """Is the match a secret rather than a placeholder, words or code?"""
    if is_placeholder(value):
        return False
    if check == "random":
        core = value.partition("_" if "_" in value[:5] else "-")[2] if value == whole and set("_-") & set(value[:5]) else value
        return looks_random(core) and not _HEX.fullmatch(core if value != whole else "")
    if check == "mixed":
        return any(c.isdigit() for c in value) and any(c.isalpha() for c in value) and not _NUMBERED.fullmatch(value)
    return check != "value" or (acceptable(value, "password", quoted=False) and not prose(value, strict=True) and value[0] != "-")


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


def shapes(text: str, lower: str, *, joined: bool = False) -> Iterator[Span]:
    """All tokens known by their shape; `lower` is `text` in lower case."""
    for rule in rules():
        if (rule.joined or not joined) and any(keyword in lower for keyword in rule.keywords):
            yield from rule.find(text)


def kind_of(value: str) -> str | None:
    """The type of a value that is a known shape as a whole, else None."""
    lower = value.lower()
    for rule in rules():
        if any(keyword in lower for keyword in rule.keywords):
            match = rule.pattern.match(value)
            if match and match.end() >= len(value) - 1:
                return rule.id
    return None
