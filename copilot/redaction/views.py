r"""Other readings of the same text, with the way back: escapes removed, characters decoded, wrapped lines joined.

A secret broken by a colour code or written as `\u0068f_...` is found in the reading in which it is whole, and
replaced in the text as it stands.
"""

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

NOISE = re.compile(
    r"(?:\x1b|\\x1b|\\u001b|\\033|\\e|\^\[|␛)\[[0-9;:?]{0,16}[ -/]?[@-~]"  # colours, also where ESC is written out
    r"|\x1b\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)"  # titles and links
    r"|\x1b[@-_]|[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u00ad\u180e\x00]"
    r"|[\x01-\x08\x0b\x0c\x0e-\x1a]"
)
_NOISY = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff␛]|\^\[\[|\\(?:x1b|u001b|033|e)\["
)
_ESCAPE = re.compile(
    r"%[0-9A-Fa-f]{2}(?:%[89A-Fa-f][0-9A-Fa-f]){0,3}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\[\"'/\\nrt]"
    r"|&(?:quot|apos|amp|lt|gt|#\d{2,5}|#x[0-9A-Fa-f]{2,4});"
)
PREFIX = (
    r"(?:[A-Za-z0-9][\w.-]{0,60} {0,30}\|[ \t]{0,8})?"  # compose: `vllm-1  | `
    r"(?:\d{4}-\d\d-\d\dT[\d:.]{8,20}(?:Z|[+-]\d\d:\d\d)[ \t])?"  # docker logs -t
)
JOIN = re.compile(r"(?<=[\w+/=.~-])[ \t]{0,4}\\?\r?\n" + PREFIX + r"[ \t│|]{0,24}(?=[\w+/=.~-])")


@dataclass(frozen=True)
class View:
    """A reading of the text; `back` maps its offsets to the original."""

    text: str
    starts: tuple[int, ...] = (0,)
    origins: tuple[int, ...] = (0,)
    """Piece i begins at starts[i] here and at origins[i] there."""
    widths: tuple[int, ...] = ()
    """0: a piece copied as it is; n: one decoded character that stands for n there. Empty: the text itself."""

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The original stretch behind `text[start:end]`; start < end."""
        return self.origin(start)[0], self.origin(end - 1)[1]

    def origin(self, at: int) -> tuple[int, int]:
        """The stretch of the original behind one character."""
        if not self.widths:
            return at, at + 1
        piece = bisect_right(self.starts, at) - 1
        begin = self.origins[piece]
        if self.widths[piece]:
            return begin, begin + self.widths[piece]
        begin += at - self.starts[piece]
        return begin, begin + 1


class _Builder:
    """Collects pieces of a new view of `base`."""

    def __init__(self, base: View) -> None:
        self.base = base
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.origins: list[int] = []
        self.widths: list[int] = []
        self.length = 0

    def copy(self, start: int, end: int) -> None:
        """A stretch of the base as it is; pieces of the base stay pieces."""
        at = start
        while at < end:
            stop, width = self._piece_end(at, end)
            first, last = self.base.origin(at)[0], self.base.origin(stop - 1)[1]
            self._add(self.base.text[at:stop], first, (last - first) if width else 0)
            at = stop

    def _piece_end(self, at: int, end: int) -> tuple[int, bool]:
        if not self.base.widths:
            return end, False
        piece = bisect_right(self.base.starts, at) - 1
        if self.base.widths[piece]:
            return at + 1, True
        following = self.base.starts[piece + 1] if piece + 1 < len(self.base.starts) else end
        return min(end, following), False

    def decoded(self, text: str, start: int, end: int) -> None:
        """`text`, which stands for `base.text[start:end]`."""
        first, last = self.base.back(start, end)
        for character in text:
            self._add(character, first, last - first)

    def _add(self, text: str, origin: int, width: int) -> None:
        self.parts.append(text)
        self.starts.append(self.length)
        self.origins.append(origin)
        self.widths.append(width)
        self.length += len(text)

    def view(self) -> View:
        """What was collected."""
        return View("".join(self.parts), tuple(self.starts), tuple(self.origins), tuple(self.widths))


def _rewritten(base: View, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str]) -> View:
    """The lines of `base` in which `pattern` occurs, with each occurrence replaced."""
    builder = _Builder(base)
    text, at = base.text, 0
    for match in pattern.finditer(text):
        line = text.rfind("\n", at, match.start()) + 1
        if line > at:
            stop = text.find("\n", at)
            builder.copy(at, stop + 1 if at and 0 <= stop < line else at)
            at = line
        builder.copy(at, match.start())
        new = replacement(match)
        if new:
            builder.decoded(new, match.start(), match.end())
        at = match.end()
    stop = text.find("\n", at)
    builder.copy(at, len(text) if stop < 0 else stop + 1)
    return builder.view()


def _remover(text: str) -> Callable[[re.Match[str]], str]:
    """Noise vanishes; a NUL that separates becomes a line end."""
    separator = "" if _wide(text) else "\n"
    return lambda match: separator if match.group() == "\0" else ""


def _blanked(_: re.Match[str]) -> str:
    return " "


def _wide(text: str) -> bool:
    """Every other character is NUL: UTF-16 read as a one-byte encoding. Else NUL separates (`/proc/*/environ`)."""
    return text.count("\0") * 3 > len(text)


def _unescaped(match: re.Match[str]) -> str:
    text = match.group()
    if text[0] == "%":
        return unquote(text, errors="replace")
    if text[0] == "&":
        return html.unescape(text)
    if text[1] in "ux":
        return chr(int("0x" + text[2:], 0))
    return {"n": "\n", "r": "\n", "t": "\t"}.get(text[1], text[1])


def views(text: str) -> Iterator[View]:
    """The text itself, then every other reading that differs from it."""
    base = View(text)
    yield base
    if _NOISY.search(text):
        yield _rewritten(base, NOISE, _blanked)
        base = _rewritten(base, NOISE, _remover(text))
        yield base
    for _ in range(3):
        if not _ESCAPE.search(base.text):
            return
        base = _rewritten(base, _ESCAPE, _unescaped)
        yield base


def joined(view: View) -> View | None:
    """The view with the ends of wrapped lines taken out; None where no line could be a wrapped one."""
    if not JOIN.search(view.text):
        return None
    return _rewritten(view, JOIN, lambda _: "")
