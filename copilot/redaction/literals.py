"""Searching for many fixed strings at once: what keeps the regular expressions away from most of a text."""

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

Lines: TypeAlias = list[tuple[int, int]]
"""Stretches (start, end) of a text."""


def distinct(text: str) -> str:
    """The different words of a text, in any order."""
    return "\n".join(set(text.split()))


def lines_with(needles: Iterable[str], text: str) -> Lines:
    """The lines in which one of the strings stands, in order."""
    found: dict[int, int] = {}
    for needle in needles:
        at = text.find(needle)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            found[text.rfind("\n", 0, at) + 1] = end
            at = text.find(needle, end)
    return sorted(found.items())


def either(needles: Iterable[str]) -> re.Pattern[str]:
    """A pattern for any of the strings. It branches by character: `re` tries alternatives one after the other."""
    tree: dict[str, Any] = {}
    for needle in needles:
        node = tree
        for character in needle:
            node = node.setdefault(character, {})
        node[""] = {}
    return re.compile(_branches(tree))


def _branches(tree: dict[str, Any]) -> str:
    if "" in tree:
        return ""  # a needle ends here: what follows it does not matter
    ways = [re.escape(character) + _branches(node) for character, node in sorted(tree.items())]
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
