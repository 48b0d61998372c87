"""Bytes of any origin to text: byte order marks, UTF-16 as PowerShell's `>` writes it, invalid bytes."""

import codecs

from copilot.errors import UsageError

_SAMPLE = 16384
_MAGIC = (
    b"\x7fELF",
    b"\x89PNG",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"%PDF-",
    b"\xff\xd8\xff",
    b"GIF8",
    b"BZh",
    b"\xfd7zXZ",
    b"GGUF",
    b"MZ\x90",
)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SPACE = 0x20
"""The first byte of ASCII that is no control."""
_TEXT_CONTROLS = frozenset(b"\t\n\r\x0b\x0c\x08\x07\x1b")


def decode(data: bytes) -> str:
    """The text of `data`; bytes that are no text become U+FFFD.

    Raises UsageError when the data is clearly not text (a program, an archive, a model file).
    """
    if is_binary(data):
        raise UsageError(
            "The input is a binary file, not a log.",
            "Give the text that the server printed, e.g. `docker logs NAME > server.log 2>&1`.",
        )
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    data = data.lstrip(b"\0") if _sparse(data) else data
    return data.decode(_wide(data) or "utf-8", errors="replace")


def is_binary(data: bytes) -> bool:
    """Whether `data` is clearly no text: a known file header, NUL bytes outside UTF-16, or mostly control bytes."""
    if data.startswith(_MAGIC):
        return True
    if any(data.startswith(mark) for mark, _ in _BOMS):
        return False
    sample = (data.lstrip(b"\0") if _sparse(data) else data)[:_SAMPLE]
    if not sample:
        return len(data) > 0
    if _wide(sample):
        return False
    controls = sum(1 for byte in sample if byte < _SPACE and byte not in _TEXT_CONTROLS)
    broken = sample.decode("utf-8", errors="replace").count("\ufffd")
    return sample.count(0) > len(sample) // 100 or controls > len(sample) // 10 or broken > len(sample) // 3


def _sparse(data: bytes) -> bool:
    """A log that was truncated while its writer kept the offset begins with a hole of NUL bytes."""
    return data.startswith(b"\0" * 8)


def _wide(data: bytes) -> str | None:
    """UTF-16 without a byte order mark: ASCII in it leaves every second byte NUL."""
    sample = data[: _SAMPLE - _SAMPLE % 2]
    half = len(sample) // 2
    for encoding, high, low in (("utf-16-le", sample[1::2], sample[0::2]), ("utf-16-be", sample[0::2], sample[1::2])):
        if high.count(0) > half * 0.4 and low.count(0) < half * 0.05 and _readable(sample, encoding):
            return encoding
    return None


def _readable(sample: bytes, encoding: str) -> bool:
    text = sample.decode(encoding, errors="replace")
    return sum(1 for char in text if char.isprintable() or char in "\t\n\r\x1b") > len(text) * 0.9
