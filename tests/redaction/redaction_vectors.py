"""Vectors with secrets made up on the spot: `hf_<a*34>` is 34 random letters and digits; what stands in «» must go."""

import random
import re
import string
import tomllib
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
_SETS = {
    "a": string.ascii_letters + string.digits,
    "b": string.ascii_letters + string.digits + "+/",
    "d": string.digits,
    "l": string.ascii_lowercase,
    "u": string.ascii_uppercase + string.digits,
    "w": string.ascii_letters + string.digits + "-_",
    "x": "0123456789abcdef",
}
_HOLE = re.compile(r"<(?P<set>[abdluwx])\*?(?P<count>\d+)>|<(?P<uuid>uuid)>|<(?P<pw>pw)>")
_WORDS = ("hunter", "Winter", "Tr0ub4dor", "correct-horse", "s3cr3t", "Passw0rd", "letmein", "qwertz")


@dataclass(frozen=True)
class Vector:
    """A text, the secrets in it, and the name of the place."""

    name: str
    text: str
    secrets: tuple[str, ...]


def fill(template: str, seed: int = 0) -> str:
    """The template with its holes filled; the same seed, the same text."""
    dice = random.Random(f"{template}{seed}")  # noqa: S311 - vectors, not keys

    def value(match: re.Match[str]) -> str:
        if match["uuid"]:
            return "-".join("".join(dice.choice(_SETS["x"]) for _ in range(n)) for n in (8, 4, 4, 4, 12))
        if match["pw"]:
            return (
                dice.choice(_WORDS) + "".join(dice.choice(_SETS["a"]) for _ in range(3)) + str(dice.randrange(10, 99))
            )
        return "".join(dice.choice(_SETS[match["set"]]) for _ in range(int(match["count"])))

    return _HOLE.sub(value, template)


def vector(name: str, template: str, seed: int = 0) -> Vector:
    """The text without its marks, and what the marks enclosed."""
    text = fill(template, seed)
    return Vector(name, re.sub("[«»]", "", text), tuple(re.findall("«([^»]*)»", text)))


def places() -> list[tuple[str, str]]:
    """(name, template) of every place of the corpus in which a secret stands."""
    table = tomllib.loads((CORPUS / "places.toml").read_text("utf-8"))
    return [(f"{group}-{number}", text) for group, texts in table.items() for number, text in enumerate(texts)]


def innocents() -> list[str]:
    """Texts in which nothing may change."""
    return [text for texts in tomllib.loads((CORPUS / "innocents.toml").read_text("utf-8")).values() for text in texts]


def pieces(secret: str) -> list[str]:
    """What may not be left of a secret: its parts between control characters, colours and line ends."""
    bare = re.sub(r"(?:\x1b|\\x1b|\\u001b|\\033)\[[0-9;]*m|[\x00\u200b\u200d\u2060\ufeff\u00ad]", "\n", secret)
    return [part for part in re.split(r"\s+", bare) if len(part) >= 4]
