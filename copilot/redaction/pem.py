"""Private keys in PEM form: over lines, behind prefixes, indented, cut off at either end."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from copilot.redaction.span import Span

_MARK = re.compile(r"-{2,5} ?(?P<what>BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{2,5}|Private-Lines: \d{1,3}")
_SAME_LINE = re.compile(r"[ \tA-Za-z0-9+/=]*")
_BODY = re.compile(
    r"(?<![A-Za-z0-9+/=])(?P<body>[A-Za-z0-9+/]{4,100}={0,2}"
    r"|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\n]{1,200}?)(?=[\s\"',\\│|]{0,8}$)"
)
_WORD = re.compile(r"[A-Za-z]{3,}")
_TAIL = 320
"""Characters of a line in which its part of a key is looked for: prefixes and keys are shorter."""
_MOST_LINES = 400
_BLANK = " \t\r|│>\"'"


def private_keys(text: str) -> Iterator[Span]:
    """One span per line of a key; the first carries the count, the others continue it."""
    if "PRIVATE KEY" not in text and "Private-Lines" not in text:
        return
    marks = list(_MARK.finditer(text))
    starts = [mark.start() for mark in marks]
    done = 0
    for mark in marks:
        if mark.start() < done:
            continue
        begins = mark["what"] != "END"
        following = marks[bisect_left(starts, mark.end()) :][:1] if begins else []
        parts = _forward(text, mark, following) if begins else _backward(text, mark, done)
        done = parts[-1][1]
        value = "".join(text[a:b] for a, b in parts)
        for number, (start, end) in enumerate(parts):
            yield Span(start, end, "private-key", value, 0, part=number > 0)


def _forward(text: str, mark: re.Match[str], following: Sequence[re.Match[str]]) -> list[tuple[int, int]]:
    """The marker and what follows it, up to the next marker or the last line that can be part of a key."""
    limit = following[0].start() if following else len(text)
    line_end = _line_end(text, mark.end(), limit)
    rest = _SAME_LINE.match(text, mark.end(), line_end)
    parts = [(mark.start(), mark.end() + len(rest.group().rstrip()) if rest else mark.end())]
    blanks = 0
    for _ in range(_MOST_LINES):
        at = line_end + 1
        if line_end >= limit or at >= limit:
            break
        line_end = _line_end(text, at, limit)
        body = (
            _BODY.search(text, max(at, line_end - _TAIL), line_end) if line_end < limit or limit == len(text) else None
        )
        if body and not _sentence(text[at : body.start()]):
            parts.append((at, body.end("body")))
            continue
        blanks += 1
        if line_end < limit and (blanks > 1 or text[at:line_end].rpartition("|")[2].strip(_BLANK)):
            return parts
    if following and following[0]["what"] == "END" and line_end + 1 >= limit:
        parts.append((max(at, parts[-1][1]) if at <= limit else limit, following[0].end()))
    return parts


def _backward(text: str, mark: re.Match[str], floor: int) -> list[tuple[int, int]]:
    """Lines of a key whose begin marker was cut off."""
    parts = [mark.span()]
    line = text.rfind("\n", floor, mark.start())
    for _ in range(_MOST_LINES):
        if line <= floor:
            break
        start = text.rfind("\n", floor, line) + 1
        start = max(start, floor)
        body = _BODY.search(text, max(start, line - _TAIL), line)
        if not body or len(body["body"]) < 16 or _sentence(text[start : body.start()]):  # noqa: PLR2004 - shorter may be a word
            break
        parts.append((start, body.end("body")))
        line = start - 1
    return parts[::-1]


def _sentence(before: str) -> bool:
    """More than a prefix (compose, time stamp, level) stands before the last word: this is a sentence."""
    return len(before) > 100 or len(_WORD.findall(before)) > 4  # noqa: PLR2004 - see above


def _line_end(text: str, at: int, limit: int) -> int:
    end = text.find("\n", at, limit)
    return limit if end < 0 else end
