"""User names: in paths of home directories, in prompts, in variables that hold them."""

import re
from collections.abc import Iterable, Iterator

from copilot.redaction.hosts import stays
from copilot.redaction.literals import lines_with
from copilot.redaction.span import Span
from copilot.redaction.stand_ins import is_placeholder
from copilot.redaction.words import listed

_GENERIC = listed("users", "generic")
_HOME = re.compile(
    r"(?<![\w.-])(?:(?:/mnt|/host_mnt|/run/desktop/mnt/host)?/[a-z]/[Uu]sers/|(?:/var|/export|/data|/mnt|/volume1|/nfs)?/home/|/Users/"
    r"|[A-Za-z]:(?:\\{1,4}|/)[Uu]sers(?:\\{1,4}|/)|\\{1,4}home\\{1,4})(?P<user>[^\s/\\:\"'`<>|,;()\[\]{}*?$%‹›]{1,64})"
)
_ACCOUNT = re.compile(
    r"(?:(?<![\w.])(?:USER|LOGNAME|USERNAME|SUDO_USER)(?:=|\"?: )[\"']?|\b[ug]id=\d{1,7}\()"
    r"(?P<user>[A-Za-z][\w.-]{1,40})(?![\w.\\/:-])"
)
_PROMPT = re.compile(
    r"(?<![\w.+/-])(?P<user>[a-z_][\w.-]{0,31})@(?P<host>[A-Za-z0-9][\w.-]{0,62})"
    r"(?=:[~/]\S{0,100}[$#]|:~| [~\w/.-]{1,60}\][$#])"
)
_ANY_HOST = frozenset({"localhost", "host", "hostname", "server", "desktop", "docker-desktop", "ubuntu", "debian"})
_CONTAINER_ID = re.compile(r"[0-9a-f]{12}")
_HOME_WORDS = ("home/", "home\\", "users/", "users\\")
_ACCOUNT_WORDS = ("USER", "LOGNAME", "uid=", "gid=")


def users(text: str, lower: str) -> Iterator[Span]:
    """User names that belong to a person, and the hosts of prompts."""
    for pattern, lines in (
        (_HOME, lines_with(_HOME_WORDS, lower)),
        (_ACCOUNT, lines_with(_ACCOUNT_WORDS, text)),
        (_PROMPT, lines_with("@", text)),
    ):
        for begin, end in lines:
            yield from _named(pattern.finditer(text, begin, end))


def _named(found: Iterable[re.Match[str]]) -> Iterator[Span]:
    for match in found:
        user, host = match["user"], match.groupdict().get("host")
        if not generic(user):
            yield Span(*match.span("user"), "user", user, 3)
        if (
            host
            and host not in _ANY_HOST
            and not _CONTAINER_ID.fullmatch(host)
            and ("." not in host or not stays(host))
        ):
            yield Span(*match.span("host"), "host", host.lower(), 3)


def generic(user: str) -> bool:
    """A name that every image and every guide uses: it says nothing about a person."""
    return user.lower() in _GENERIC or is_placeholder(user) or user.startswith(".")
