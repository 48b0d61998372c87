"""The plain text that a pattern cannot match without: a fast filter before the pattern itself runs."""

import re

LONG_ENOUGH = 4
_CLASSES = "dDwWsSbBAZ0123456789"
_QUANTIFIERS = ("*", "+", "?", "{")
_QUANTIFIER = re.compile(r"(?:[*+?]|\{\d*,?\d*\})\??")
_GROUP_HEAD = re.compile(r"\((?:\?:|\?P<\w+>|\?[a-z]+:|(?=[^?]))")


def literals(pattern: str) -> tuple[str, ...]:
    """Lower-case texts of which at least one is in every match; empty where the pattern promises none."""
    found: list[str] = []
    for branch in _branches(pattern):
        promised = [texts for texts in _promises(branch) if _shortest(texts) >= LONG_ENOUGH]
        if not promised:
            return ()
        best: tuple[str, ...] = max(promised, key=_selective)
        found += best
    return tuple(dict.fromkeys(found))


def _shortest(texts: tuple[str, ...]) -> int:
    return min(len(text) for text in texts)


def _selective(texts: tuple[str, ...]) -> tuple[int, int]:
    """Long texts filter best; of equally long ones the fewest."""
    return (_shortest(texts), -len(texts))


def _branches(pattern: str) -> list[str]:
    """Split at the alternatives of the top level."""
    branches, start, at = [], 0, 0
    while at < len(pattern):
        if pattern[at] == "|":
            branches.append(pattern[start:at])
            start = at + 1
        at += _length(pattern, at)
    return [*branches, pattern[start:]]


def _promises(branch: str) -> list[tuple[str, ...]]:
    """Each run of plain characters, and each group whose alternatives all have one."""
    promises: list[tuple[str, ...]] = []
    run, at = "", 0
    while at < len(branch):
        length = _length(branch, at)
        element, quantifier = branch[at : at + length], _quantifier(branch, at + length)
        at += length + len(quantifier)
        optional = quantifier[:1] in ("*", "?") or quantifier.startswith("{0")
        plain = "" if optional else _plain(element)
        run += plain
        if not plain or quantifier:
            promises += [(run.lower(),)] if run else []
            run = ""
        head = _GROUP_HEAD.match(element)
        inner = literals(element[head.end() : -1]) if head and not optional else ()
        promises += [inner] if inner else []
    return [*promises, (run.lower(),)] if run else promises


def _plain(element: str) -> str:
    if element.startswith("\\x"):
        return chr(int(f"0x{element[2:]}", 0))
    if element.startswith("\\"):
        return "" if element[1] in _CLASSES else element[1]
    return "" if element[0] in ".^$([|" else element


def _length(pattern: str, at: int) -> int:
    """Length of the element that starts here: a character, an escape, a class or a whole group."""
    char = pattern[at]
    if char == "\\":
        return 4 if pattern[at + 1 : at + 2] == "x" else 2
    if char == "[":
        return _class_length(pattern, at)
    if char != "(":
        return 1
    end = at + 1
    while pattern[end] != ")":
        end += _length(pattern, end)
    return end + 1 - at


def _class_length(pattern: str, start: int) -> int:
    at = start + 1
    at += pattern[at] == "^"
    at += pattern[at] == "]"
    while pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at + 1 - start


def _quantifier(branch: str, at: int) -> str:
    found = _QUANTIFIER.match(branch, at) if branch[at : at + 1] in _QUANTIFIERS else None
    return found.group() if found else ""
