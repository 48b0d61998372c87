"""Whether a run of characters looks like chance, or like words, numbers and names."""

import math
import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise

_WORDLIKE = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")


def entropy(text: str) -> float:
    """Shannon entropy in bits per character."""
    if not text:
        return 0.0
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values())


def changes(text: str) -> float:
    """Share of neighbours of different classes (lower, upper, digit, other): 0.6 for base62, 0.1 for words."""
    if len(text) < 2:  # noqa: PLR2004 - a single character has no neighbour
        return 0.0
    classes = [0 if c.islower() else 1 if c.isupper() else 2 if c.isdigit() else 3 for c in text]
    return sum(a != b for a, b in pairwise(classes)) / (len(text) - 1)


@lru_cache(maxsize=4096)
def looks_random(text: str) -> bool:
    """Chance rather than words: enough different characters, and letters and digits mixed or no readable syllables."""
    if len(text) < 6 or entropy(text) < 2.3:  # noqa: PLR2004 - too short or too repetitive to tell
        return False
    pieces = [p for p in re.split(r"[-_./]", text) if p]
    longest = max(pieces, key=len, default="")
    if _HEX.fullmatch(text.replace("-", "")) and any(c.isdigit() for c in text):
        return len(text) >= 16  # noqa: PLR2004 - shorter hex is a counter or an id
    mixed = any(c.isdigit() for c in longest) and changes(longest) > 0.2  # noqa: PLR2004
    unreadable = len(longest) >= 10 and (changes(longest) > 0.3 or _vowels(longest))  # noqa: PLR2004
    return (mixed and len(longest) >= 6) or unreadable  # noqa: PLR2004


def _vowels(text: str) -> bool:
    """A long run of letters whose share of vowels no language has, or that is far too long for a word."""
    share = sum(c in "aeiouAEIOU" for c in text) / len(text)
    return not 0.25 <= share <= 0.6 or len(text) > 30  # noqa: PLR2004
