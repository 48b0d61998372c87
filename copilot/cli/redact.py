"""`copilot redact [FILE|-]`: a text without its secrets, for anyone who is about to paste it somewhere."""

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from copilot.cli.known import known
from copilot.cli.options import Lang, language

Source = Annotated[str, typer.Argument(metavar="[FILE|-]", help="The text; - or nothing reads standard input.")]

CHUNK = 64 * 1024
PAUSE = 0.5
"""Seconds without input after which the lines of a followed log are shown."""


def redact(source: Source = "-", *, lang: Lang = None) -> int:
    """Print a text with its secrets, user names, private hosts and addresses replaced; the summary goes to stderr."""
    from copilot.redaction import Redactor, Stream
    from copilot.text import say

    chosen = language(lang)
    stream = Stream(Redactor(known()))
    chunks = _chunks(source)
    first = next(chunks, b"")
    encoding = _encoding(first)
    for text in _decoded(first, chunks, encoding):
        _write(stream.feed(text) if text else stream.settle(), encoding)
    _write(stream.end(), encoding)
    places = +stream.places
    listed = ", ".join(f"{count} × {kind}" for kind, count in sorted(places.items()))
    key = "redact.some" if places else "redact.none"
    print(say(key, chosen, kinds=listed), file=sys.stderr)
    return 0


def _chunks(source: str) -> Iterator[bytes]:
    """The bytes of a file or of standard input; an empty chunk: nothing came for a while."""
    import select

    from copilot.errors import UsageError

    try:
        with open(0 if source == "-" else source, "rb", buffering=0, closefd=source != "-") as file:
            while True:
                if not select.select([file], [], [], PAUSE)[0]:
                    yield b""
                elif chunk := file.read(CHUNK):
                    yield chunk
                else:
                    return
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no such input"
        raise UsageError(f"{source} cannot be read: {reason}.", "Name a text file, or pipe one in.") from error


def _encoding(first: bytes) -> str:
    """UTF-16 where its mark says so, else UTF-8; UsageError for what is no text."""
    import codecs

    from copilot.errors import UsageError
    from copilot.logs import is_binary

    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16-le" if first.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
    if is_binary(first):
        raise UsageError("The input is a binary file, not text.", "Give text, for example a log.")
    return "utf-8"


def _decoded(first: bytes, chunks: Iterator[bytes], encoding: str) -> Iterator[str]:
    """The text. Bytes that are no text come out again as they went in."""
    import codecs

    errors = "surrogateescape" if encoding == "utf-8" else "surrogatepass"
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    yield decoder.decode(first)
    for chunk in chunks:
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)


def _write(text: str, encoding: str) -> None:
    errors = "surrogateescape" if encoding == "utf-8" else "surrogatepass"
    sys.stdout.buffer.write(text.encode(encoding, errors))
    if text:
        sys.stdout.buffer.flush()
