"""Whether a run of characters looks like chance, or like words, numbers and names."""

import math
import re
import string
from functools import lru_cache
from itertools import permutations

_STRETCH = re.compile(r"[a-zß-öø-ÿа-я]+|[A-ZÀ-ÖØ-ÞА-Я]+|[0-9]+|[^a-zA-Z0-9ß-öø-ÿа-яÀ-ÖØ-ÞА-Я]+")
_CLASS = str.maketrans(
    dict.fromkeys(string.ascii_lowercase, "a")
    | dict.fromkeys(string.ascii_uppercase, "A")
    | dict.fromkeys(string.digits, "0")
    | {chr(n): "." for n in range(128) if not chr(n).isalnum()}
)
_BORDERS = tuple(a + b for a, b in permutations("aA0.", 2))
_DIGIT = re.compile(r"\d")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")


def varied(text: str, bits: float) -> bool:
    """Shannon's entropy is at least that many bits per character."""
    different = dict.fromkeys(text)
    if _least(len(text), len(different)) >= bits:
        return True
    terms = _terms(len(text))
    return -sum([terms[text.count(character)] for character in different]) >= bits


@lru_cache(maxsize=4096)
def _least(size: int, different: int) -> float:
    """The least entropy of a text of that size with so many different characters: all but one occur once."""
    terms = _terms(size)
    return -(terms[size - different + 1] + (different - 1) * terms[1]) - 1e-9 if different else 0.0


@lru_cache(maxsize=256)
def _terms(size: int) -> tuple[float, ...]:
    """What a character that occurs n times in a text of that size adds, for n from 0."""
    return (0.0, *(n / size * math.log2(n / size) for n in range(1, size + 1)))


def changes(text: str) -> float:
    """Share of neighbours of different classes (lower, upper, digit, other): 0.6 for base62, 0.1 for words."""
    if len(text) < 2:  # noqa: PLR2004 - a single character has no neighbour
        return 0.0
    if not text.isascii():
        return (len(_STRETCH.findall(text)) - 1) / (len(text) - 1)
    return sum(map(text.translate(_CLASS).count, _BORDERS)) / (len(text) - 1)


@lru_cache(maxsize=16384)
def looks_random(text: str) -> bool:
    """Chance rather than words: enough different characters, and letters and digits mixed or no readable syllables."""
    if len(text) < 6 or not varied(text, 2.3):  # noqa: PLR2004 - too short or too repetitive to tell
        return False
    if _HEX.fullmatch(text.replace("-", "")) and _DIGIT.search(text):
        return len(text) >= 16  # noqa: PLR2004 - shorter hex is a counter or an id
    longest = max(re.split(r"[-_./]+", text), key=len)
    if len(longest) < 6:  # noqa: PLR2004
        return False
    share = changes(longest)
    if share > 0.2 and _DIGIT.search(longest):  # noqa: PLR2004
        return True
    return len(longest) >= 10 and (share > 0.3 or _vowels(longest))  # noqa: PLR2004


def _vowels(text: str) -> bool:
    """A long run of letters whose share of vowels no language has, or that is far too long for a word."""
    share = sum(map(text.count, "aeiouAEIOU")) / len(text)
    return not 0.25 <= share <= 0.6 or len(text) > 30  # noqa: PLR2004
