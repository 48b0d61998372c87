"""Passwords in the userinfo of URLs and connection strings."""

import re
from collections.abc import Iterator

from copilot.redaction.chance import looks_random
from copilot.redaction.literals import lines_with
from copilot.redaction.rules import kind_of
from copilot.redaction.span import Span
from copilot.redaction.stand_ins import is_placeholder

_USERINFO = re.compile(
    r"://(?P<user>[^\s/@:\"'<>`‹›]{0,200})(?::(?P<password>[^\s\"'<>`‹›]{1,400}?))?@(?=[\w.\[$({*-])(?![^\s/\"'<>`]{0,200}@)"
)
_BARE = re.compile(
    r"(?<![\w/.:-])(?P<user>[\w.-]{1,60}):(?P<password>[^\s/@\"'<>`‹›:,]{3,100})@(?!sha\d)(?:tcp\(|[A-Za-z0-9.-]{1,100}:\d{2,5}\b)"
)
_BARE_HOST = re.compile(r"@(?:tcp\(|[A-Za-z0-9.-]{1,100}:\d)")
_ORACLE = re.compile(r"(?<=thin:)(?P<user>[\w.-]{1,60})/(?P<password>[^\s/@\"'<>`‹›]{1,100})@")
_PORT = re.compile(r"\d{1,5}(?:[/?#].*)?")


def userinfo(text: str) -> Iterator[Span]:
    """Passwords, and tokens in the place of a user name."""
    if "@" not in text:
        return
    at = lines_with("@", text)
    bare = [(begin, end) for begin, end in at if _BARE_HOST.search(text, begin, end)]
    for pattern, lines in ((_USERINFO, at), (_BARE, bare), (_ORACLE, lines_with(["thin:"], text))):
        for match in (match for begin, end in lines for match in pattern.finditer(text, begin, end)):
            user, password = match["user"], match["password"]
            if password and not is_placeholder(password) and not _PORT.fullmatch(password):
                yield Span(*match.span("password"), kind_of(password) or "password", password, 1)
            if user and (kind_of(user) or (len(user) >= 16 and looks_random(user))):  # noqa: PLR2004 - longer than names
                yield Span(*match.span("user"), kind_of(user) or "token", user, 1)
