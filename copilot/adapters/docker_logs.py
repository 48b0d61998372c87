"""A container's log as one text: two timestamped streams merged by time, the engine's stamps taken out again."""

import re
from collections.abc import Iterable

_STAMP = re.compile(rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ")
_LONG = 8_000
"""Engines store a line longer than 16 KiB in pieces and stamp each; a shorter line holds one stamp."""


def merge(out: bytes, err: bytes, tail: int) -> tuple[bytes, tuple[int, ...]]:
    """The last `tail` lines of both streams in order of time, and the numbers (from 1) of those from stderr.

    Two lines with the same stamp stay in the order stdout, stderr; a line without a stamp goes with the one before it.
    """
    # each stream's own tail may reach further back than the other's: before that the text would have gaps
    stamped = sorted([*_lines(out, 0), *_lines(err, 1)], key=lambda item: item[0])[-tail:]
    stderr = tuple(number for number, (_, stream, _) in enumerate(stamped, start=1) if stream)
    text = b"\n".join(line for _, _, line in stamped)
    return text + b"\n" if stamped else b"", stderr


def whole_seconds(text: bytes) -> bool:
    """Whether the stamps have no fractions (Podman): then two streams cannot be merged by them."""
    match = _STAMP.match(text)
    return match is not None and b"." not in match[1]


def unstamped(text: bytes) -> bytes:
    """One stream without its stamps (a terminal's carriage returns stay: they are the log's own)."""
    return b"".join(line + b"\n" for _, _, line in _lines(text, 0))


def _lines(text: bytes, stream: int) -> Iterable[tuple[bytes, int, bytes]]:
    last = b""
    for line in text.split(b"\n")[: None if not text.endswith(b"\n") else -1]:
        match = _STAMP.match(line)
        if match is not None:
            last, line = _sortable(match[1]), line[match.end() :]  # noqa: PLW2901
        if len(line) > _LONG:
            line = _STAMP.sub(b"", line)  # noqa: PLW2901
        if text or line:
            yield last, stream, line


def _sortable(stamp: bytes) -> bytes:
    """Docker's stamps always have nine digits; Podman and others drop zeros at the end."""
    head, point, tail = stamp.rstrip(b"Z").partition(b".")
    return head + b"." + tail.ljust(9, b"0") if point else head + b".000000000"
