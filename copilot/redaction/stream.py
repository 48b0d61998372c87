"""Redaction of text of any length in bounded memory, block by block.

What stands on several lines (a PEM block, a wrapped token, a name and its value below it) may lie across two blocks:
each block is redacted together with the lines before it, and its last lines wait for those that follow.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from copilot.redaction.placeholders import PLACEHOLDER
from copilot.redaction.redactor import Redactor

BLOCK = 512 * 1024
"""Characters redacted at a time."""
BEFORE = 440
"""Lines redacted once more with the next block: a private key has 400 at most."""
WAITING = 64
"""Lines at the end of a block that are redacted again when their successors are there."""
_LONGEST = 64 * 1024
"""Characters of a line; a longer one is cut where no token is, and put together again."""
_GAPS = " \t,;{}[]()<>|\"'"


class Stream:
    """Feed it text, write what it gives; the same secret has the same placeholder from the first byte to the last."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._before: list[str] = []
        self._open: list[str] = []
        self._rest = ""
        self._size = 0
        self.places: Counter[str] = Counter()
        """Replacements by type; a key over several lines counts once for each of them."""

    def feed(self, text: str) -> str:
        """More of the input; what of the output is certain by now."""
        pieces = list(_pieces(self._rest + text))
        self._rest = pieces.pop() if pieces and not pieces[-1].endswith("\n") else ""
        self._open.extend(pieces)
        self._size += sum(map(len, pieces))
        return self.settle() if self._size >= BLOCK else ""

    def settle(self) -> str:
        """What is certain of the lines that are there: a log that is followed pauses."""
        return self._redacted(len(self._open) - WAITING)

    def end(self) -> str:
        """No more input: the rest."""
        self._open.extend([self._rest] if self._rest else [])
        self._rest = ""
        return self._redacted(len(self._open))

    def _redacted(self, ready: int) -> str:
        """The output of the first `ready` open lines."""
        if ready <= 0:
            return ""
        start = len(self._before)
        raw = [*self._before, *self._open]
        # One line in, one line out: so a part of an overlong line is given an end, which is taken off again.
        text = "\n".join(line.removesuffix("\n") for line in raw)
        clean = self._redactor.redact(text).text.split("\n")[start : start + ready]
        self._count(raw[start : start + ready], clean)
        ends = ("\n" if line.endswith("\n") else "" for line in self._open)
        self._open = self._open[ready:]
        self._size = sum(map(len, self._open))
        self._before = _last(raw[: start + ready])
        return "".join(line + end for line, end in zip(clean, ends, strict=False))

    def _count(self, raw: Iterable[str], clean: Iterable[str]) -> None:
        for before, after in zip(raw, clean, strict=True):
            if "‹" in after:
                self.places.update(m[1] for m in PLACEHOLDER.finditer(after))
                self.places.subtract(m[1] for m in PLACEHOLDER.finditer(before))


def _last(lines: list[str]) -> list[str]:
    """The end of `lines`: as many as a key has where there is one, and not more than half a block."""
    lines = lines[-BEFORE:]
    if not any("PRIVATE KEY" in line or "Private-Lines" in line for line in lines):
        lines = lines[-WAITING:]
    kept, size = 0, 0
    for line in reversed(lines):
        size += len(line)
        if size > BLOCK // 2 and kept:
            break
        kept += 1
    return lines[-kept:] if kept else []


def _pieces(text: str) -> Iterator[str]:
    """Lines with their ends; overlong ones in parts without one."""
    at = 0
    while at < len(text):
        end = text.find("\n", at, at + _LONGEST) + 1
        if not end and len(text) - at > _LONGEST:
            gap = max(text.rfind(mark, at + _LONGEST // 2, at + _LONGEST) for mark in _GAPS) + 1
            end = gap or at + _LONGEST
        end = end or len(text)
        yield text[at:end]
        at = end
