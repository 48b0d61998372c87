"""Text of any origin to lines that are safe to store, count and show: one line in, one line out."""

import json
import re

from copilot.logs.wrapped import rejoined

LONGEST = 8192
"""Characters of the longest line kept whole."""

_ESCAPES = re.compile(
    r"""(?: \x1b\] [^\x07\x1b\n]* (?: \x07 | \x1b\\ | (?=\n) | \Z )   # OSC: titles, links
          | \x1b[PX^_] [^\x1b\n]* (?: \x1b\\ | (?=\n) | \Z )          # DCS, SOS, PM, APC
          | (?: \x1b\[ | \x9b ) [0-?]* [ -/]* [@-~]                   # CSI: colours, cursor, erase
          | \x1b [ -/]* [0-~]                                         # two-character sequences
        )""",
    re.VERBOSE,
)
_LOST_ESCAPES = re.compile(r"(?:\^\[|#033|\\x1b|\\033|\\u001b|␛)?\[(?:\d{1,3})(?:;\d{1,3}){0,4}m(?!\])")
"""Colours whose escape character was lost on the way (a web form, syslog, `cat -v`)."""
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""Control characters (but tab and newline), bidirectional controls, zero-width characters, lone surrogates."""
_SEPARATORS = re.compile("[\u2028\u2029]")
_JSON_LINE = re.compile(r'\s*\{\s*"log"\s*:\s*"')
_BREAK = re.compile(r"[\s,;'\"]")


def clean(text: str) -> str:
    r"""The text without what a terminal would act on.

    Docker json-file lines become the text in them, a line that was overwritten with carriage returns keeps its last
    state, lines that a terminal broke at its edge are put together, lines over 8,192 characters lose their middle. Only
    `\n` ends a line, before and after.
    """
    text = text.replace("\r\n", "\n")
    lines = _unwrap(text.split("\n")) if '"log"' in text else text.split("\n")
    return "\n".join(rejoined([_line(line) for line in lines]))


def _line(line: str) -> str:
    if not (line.isascii() and line.isprintable()):
        line = _ESCAPES.sub("", line)
        if "\r" in line:
            line = next((part for part in reversed(line.split("\r")) if part.strip()), "")
        line = _UNSEEN.sub("", _SEPARATORS.sub(" ", line))
    if "[" in line:
        line = _LOST_ESCAPES.sub("", line)
    return _cut(line) if len(line) > LONGEST else line


def _cut(line: str) -> str:
    """Both ends of a very long line, cut at a separator where one is near: half a word could be half a secret."""
    keep = (LONGEST - 64) // 2
    head, tail = line[:keep], line[-keep:]
    breaks = [found.start() for found in _BREAK.finditer(head, keep - 512)]
    if breaks:
        head = head[: breaks[-1] + 1]
    first = _BREAK.search(tail, 0, 512)
    if first:
        tail = tail[first.start() :]
    return f"{head}[... {len(line) - len(head) - len(tail)} characters left out ...]{tail}"


def _unwrap(lines: list[str]) -> list[str]:
    """Docker's json-file format: the daemon splits long lines, the parts but the last have no newline."""
    plain: list[str] = []
    partial = ""
    for line in lines:
        text = _json_text(line)
        if text is None:
            if partial:
                plain.append(partial)
                partial = ""
            plain.append(line)
        elif text.endswith("\n"):
            plain.append((partial + text).rstrip("\r\n").replace("\n", " "))
            partial = ""
        else:
            partial += text
    return [*plain, partial] if partial else plain


def _json_text(line: str) -> str | None:
    if not _JSON_LINE.match(line):
        return None
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    text = entry.get("log") if isinstance(entry, dict) else None
    return text if isinstance(text, str) else None
