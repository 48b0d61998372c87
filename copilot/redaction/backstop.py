"""The last net: long runs made by chance that neither a name nor a shape explains."""

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from copilot.redaction.chance import changes, varied
from copilot.redaction.span import Span, inside
from copilot.redaction.stand_ins import is_placeholder

RUN = re.compile(r"[A-Za-z0-9_+/-]{20,}={0,2}")
_PIECE = re.compile(r"[A-Za-z0-9]{14,}")
_HUMP = re.compile(r"[A-Z][a-z]{2,}|[a-z]{4,}")
_ID = re.compile(
    r"(?:req|chatcmpl|cmpl|resp|msg|call|toolu|tool|fc|rs|run|thread|asst|file|batch|gen|evt|trace|span|embd|embed|score|rerank|request|chat|completion|ws|step|item|rank|pool|transcr|transl)"
    r"(?:-tool)?[-_]|_Z|AAAA[BCE]|sha\d|data:|MII|ey[A-Z]?$|GPU-|MIG-|triton_|void_|cutlass|_?ZN"
)
_LABEL = re.compile(
    r"(?i)(?:-id-\d|\bid|_id|-id-\d|uuid|etag|nonce|hash|digest|checksum|sha\d{0,3}|[-_]ray|trace|request|fingerprint|commit|build|version|model|revision|file|path|base64,"
    r"|ssh-\w{2,10}|ecdsa-\S{1,20}|integrity|symbol|kernel|name)(?:[\"'\])]{0,2}[ ]{0,3}[:=,]?[ ]{0,3}[\[(\"']{0,2}|:)$"
)
_PUBLIC = re.compile(
    r"-----BEGIN (?:[A-Z0-9 ]{0,30}PUBLIC KEY|CERTIFICATE[A-Z ]{0,20}|PGP SIGNATURE|PGP MESSAGE)-----[^-]{0,20000}"
)
_TEXT = re.compile(rb"[\x09\x0a\x0d\x20-\x7e\xc2-\xf4\x80-\xbf]*")
_SHORTEST = 12
ENCODED_TEXT = re.compile(
    r"[CDI-Za-f](?<![A-Za-z0-9+/_=-].)(?:[A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-])(?:[CDI-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]){3,5000}[A-Za-z0-9+/_-]{0,3}={0,2}"
)
"""Base64 of ASCII text: its bytes below 128 leave their mark on three of every four characters."""


def chance(text: str, words: str, sure: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """Runs of at least twenty characters in which upper case, lower case and digits change as only chance has it.

    `words`: the different words of the text; where none of them has such a run, the text itself is not looked at.
    `sure`: stretches, in order, that go for another reason.
    """
    wanted = {run for run in set(RUN.findall(words)) if by_chance(run)}
    if not wanted:
        return
    public = [m.span() for m in _PUBLIC.finditer(text)] if "-----BEGIN" in text else []
    for run in RUN.finditer(text):
        at = run.start()
        if run.group() not in wanted or inside(at, at + 1, public) or inside(at, run.end(), sure):
            continue
        if not _explained(text, run):
            yield Span(run.start(), run.end(), "secret", run.group(), 5)


@lru_cache(maxsize=16384)
def by_chance(run: str) -> bool:
    """A piece of the run changes between upper case, lower case and digits as only chance has it."""
    pieces = _PIECE.findall(run)
    if not pieces:
        return False
    longest = max(pieces, key=len)
    mixed = longest.upper() != longest and longest.lower() != longest and not longest.isalpha()
    if not mixed or sum(map(len, _HUMP.findall(longest))) > 0.6 * len(longest):
        return False  # words in camel case: `BailingMoeV2ForCausalLM`
    return changes(longest) > 0.38 and varied(longest, 3.0)  # noqa: PLR2004 - measured on the corpus


def _explained(text: str, run: re.Match[str]) -> bool:
    value, before = run.group(), text[max(0, run.start() - 40) : run.start()]
    if (
        _ID.match(value)
        or _LABEL.search(before)
        or is_placeholder(value)
        or before.endswith(("models--", "sha256:", "@", "$", "${", 'W/"'))
    ):
        return True
    return decoded(value) is not None


@lru_cache(maxsize=4096)
def decoded(run: str) -> str | None:
    """The text behind a base64 run, None where it is not text."""
    core = run.strip("=").replace("-", "+").replace("_", "/")
    core = core[: len(core) // 4 * 4]
    try:
        data = base64.b64decode(core, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data.decode("utf-8", "replace") if len(data) >= _SHORTEST and _TEXT.fullmatch(data) else None
