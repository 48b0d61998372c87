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

_EDGE = r"(?<![A-Za-z0-9])"


@dataclass(frozen=True)
class Rule:
    """One shape of token."""

    id: str
    keywords: tuple[str, ...]
    pattern: re.Pattern[str]
    random: bool
    joined: bool
    hits: tuple[str, ...]
    misses: tuple[str, ...]

    def find(self, text: str) -> Iterator[Span]:
        """The tokens of this shape in `text`."""
        for match in self.pattern.finditer(text):
            value = match.group()
            if is_placeholder(value) or (self.random and not looks_random(value.partition(value[2])[2])):
                continue
            yield Span(match.start(), match.end(), self.id, value)


@cache
def rules() -> tuple[Rule, ...]:
    """The table in its order: of two shapes that fit, the earlier names the secret."""
    table = tomllib.loads((files("copilot.redaction") / "rules.toml").read_text("utf-8"))
    return tuple(
        Rule(
            id=row["id"],
            keywords=tuple(row["keywords"]),
            pattern=re.compile((_EDGE if row.get("edge", True) else "") + row["pattern"]),
            random=row.get("check") == "random",
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
