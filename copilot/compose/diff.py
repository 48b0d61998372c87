"""A unified diff that `patch` applies, without a line that holds a secret."""

import difflib
import re
from collections.abc import Collection, Sequence
from typing import TypeAlias

_CONTEXT = 3
_Change: TypeAlias = tuple[int, int, int, int]
"""Lines of the old text, from and to, then of the new one."""
_SECRET = re.compile(
    r"(?i)(?:token|secret|passw|api[_-]?key|credential|auth)[\w-]*[\"']?\s*[:=]|\bhf_\w{8}|\bsk-\w{8}|://[^/\s:]+:[^@\s]+@"
)


def unified(before: str, after: str, file: str, hidden: Collection[int] = ()) -> str | None:
    """The diff of a file; `hidden` are lines (from 1) of `before` that must not be shown.

    Empty where nothing differs; None where a changed line itself is hidden: then no diff can be shown.
    """
    a, b = _lines(before), _lines(after)
    changes: list[_Change] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if any(number + 1 in hidden for number in range(i1, i2)):
            return None
        if (
            changes
            and i1 - changes[-1][1] <= 2 * _CONTEXT
            and not any(number + 1 in hidden for number in range(changes[-1][1], i1))
        ):
            changes[-1] = (changes[-1][0], i2, changes[-1][2], j2)  # their context would overlap: one hunk
        else:
            changes.append((i1, i2, j1, j2))
    parts = []
    for i1, i2, j1, j2 in changes:
        lead, trail = _context(a, (i1, i2), hidden)
        parts.append(_hunk(a, b, (i1 - lead, i2 + trail), (j1 - lead, j2 + trail)))
    return f"--- {file}\n+++ {file}\n" + "".join(parts) if parts else ""


def _context(lines: Sequence[str], changed: tuple[int, int], hidden: Collection[int]) -> tuple[int, int]:
    """How many lines may be shown before and after.

    `patch` takes a hunk with less context on one side for the start or the end of the file, so the two are equal
    unless the file itself ends there.
    """
    lead = trail = 0
    while lead < _CONTEXT and changed[0] - lead > 0 and changed[0] - lead not in hidden:
        lead += 1
    while trail < _CONTEXT and changed[1] + trail < len(lines) and changed[1] + trail + 1 not in hidden:
        trail += 1
    at_start, at_end = changed[0] - lead == 0, changed[1] + trail == len(lines)
    if lead < trail and not at_start:
        trail = lead
    if trail < lead and not at_end:
        lead = trail
    return lead, trail


def _hunk(a: Sequence[str], b: Sequence[str], old: tuple[int, int], new: tuple[int, int]) -> str:
    body: list[str] = []
    matcher = difflib.SequenceMatcher(None, a[old[0] : old[1]], b[new[0] : new[1]], autojunk=False)
    for _, i1, i2, j1, j2 in matcher.get_opcodes():
        if _ == "equal":
            body.extend(" " + line for line in a[old[0] + i1 : old[0] + i2])
        else:
            body.extend("-" + line for line in a[old[0] + i1 : old[0] + i2])
            body.extend("+" + line for line in b[new[0] + j1 : new[0] + j2])
    head = f"@@ -{_range(*old)} +{_range(*new)} @@\n"
    return head + "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in body)


def _range(start: int, stop: int) -> str:
    length = stop - start
    first = start + 1 if length else start
    return str(first) if length == 1 else f"{first},{length}"


def _lines(text: str) -> list[str]:
    """Lines as `patch` counts them: a line feed ends one."""
    parts = text.split("\n")
    lines = [part + "\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def hidden_lines(raw: str, redacted: str) -> set[int]:
    """Lines that must not be shown: those that redaction changed, and those that look like a secret anyway."""
    lines, shown = raw.split("\n"), redacted.split("\n") if redacted else []
    hidden = {number for number, line in enumerate(lines, start=1) if _SECRET.search(line)}
    if shown and len(shown) == len(lines):
        hidden |= {n for n, (a, b) in enumerate(zip(lines, shown, strict=True), start=1) if a.rstrip() != b.rstrip()}
    elif shown:
        kept = set(shown)
        hidden |= {n for n, line in enumerate(lines, start=1) if line.strip() and line not in kept}
    return hidden
