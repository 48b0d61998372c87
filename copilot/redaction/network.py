"""E-mail addresses, private host names and public IP addresses."""

import re
from collections.abc import Iterator
from functools import lru_cache

from copilot.redaction.hosts import public_address, stays
from copilot.redaction.span import Span
from copilot.redaction.words import listed

_TLD = (
    r"com|org|net|edu|gov|mil|int|info|biz|io|ai|dev|app|cloud|tech|xyz|me|co|cn|hk|tw|jp|kr|sg|in|de|fr|uk|nl|it|es|ch|at|be|pl|se|no|fi"
    r"|dk|pt|cz|ru|ua|ca|us|au|nz|br|mx|eu|tv|cc|top|site|online|email|company|systems|group|ltd|club|vip|work|box"
)
_PRIVATE_TLD = r"local|lan|internal|intranet|corp|localdomain|arpa|example|home|private"
_DOMAIN = re.compile(
    r"\.(?:(?P<public>" + _TLD + r")|(?P<private>" + _PRIVATE_TLD + r"))(?![\w-]|\.[A-Za-z0-9])", re.IGNORECASE
)
_LABELS = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,251}")
"""Backwards from the last dot."""
_LOCAL = re.compile(r"(?<![\w.+/%=-])[A-Za-z0-9][\w.+-]{0,63}@$")
_NAMED = re.compile(
    r"(?i)(?:host(?:name)?|server|endpoint|resolv(?:e|ing)|proxy|address|domain|fqdn|nodename|node|ssh|ping|curl|dig|nslookup|connect(?:ing|ed)?|to|from|at)"
    r"(?: host)?(?:[\"']?\s{0,3}[:=(]\s{0,3}|\s{1,3})[\"'(]?$"
)
_LISTED = re.compile(r"(?i)no_?proxy[\"']?\s?[=:]\s?[\"']?(?:[\w.*:/-]{1,60},\s?){0,8}\.?$")
"""`NO_PROXY=localhost,.corp.example`: every entry but addresses and plain names."""
_IMAGE = re.compile(
    r"(?:\bimage[\"']?\s{0,3}[:=]\s{0,3}|\bdocker (?:pull|push|login|tag) |\bFROM |[Pp]ull(?:ing)? image )[\"']?$"
)
_REACHED = re.compile(
    r"(?i)(?:(?:host(?:name)?|server|endpoint|resolv(?:e|ing)|proxy|domain|fqdn|nodename|ssh|ping|curl|dig|nslookup)"
    r"(?: host)?(?:[\"']?\s{0,3}[:=(]\s{0,3}|\s{1,3})"
    r"|(?:connect\w{0,5}|request\w{0,2}|reach\w{0,3}|deployed|running|listening|hosted|login|logged in"
    r"|redirect\w{0,3}|refused)\s(?:to|at|from|by|on)\s)[\"'(]?$"
)
"""Only a host is spoken of so, where `from`, `to` and `at` also stand before modules."""
_PORT = re.compile(r":\d{2,5}\b|/")
_PACKAGES = listed("hosts", "package")
_OBJECTS = listed("hosts", "object")
_NO_ATTRIBUTE = frozenset({"com", "org", "net", "edu", "gov", "cn"})
_IMPORTING = re.compile(
    r"(?:\bimport(?:s|ed|ing)?\s(?:[\w.*,' ()\"]{1,60}\s)?(?:from\s)?|\bmodules?\s(?:named\s)?"
    r"|\b(?:class|function|package|attribute|object)\s)[\"'`(]?$"
)
_IMPORTED = re.compile(r"[\"'`]?\s{1,4}import\b|[\"'`]?\s\((?:/|unknown location|most likely)")
_NOREPLY = frozenset({"git", "user", "you", "your-email", "name"})
_DESKS = frozenset({"support", "noreply", "no-reply", "security", "info", "help", "contact", "abuse", "conduct"})
_IPV4 = re.compile(r"\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\w-]*[A-Za-z_]|\.\d|-\d|\d)")
_FIRST = re.compile(r"(?<![\w.=~<>-])\d{1,3}$")
_ADDRESSED = re.compile(
    r"(?i)\bip\b|ipv4|addr|host|client|peer|remote|server|connect|from|\bto\b|://|@|listen|forwarded|real-ip|proxy|dns|gateway|route|ping|\bat\b"
)
_VERSIONED = re.compile(
    r"(?i)version|driver|cudnn|cublas|nccl|build|release|==|>=|<=|~=|\bv|cu\d{2,3}|toolkit|kernel|package|library|lib\w*"
)
_AFTER = re.compile(r":\d{2,5}\b|/\d{1,2}\b| - ")
_IPV6 = re.compile(r":(?:[0-9a-fA-F]{0,4}:){1,6}[0-9a-fA-F]{0,4}(?![\w:])")
_GROUP = re.compile(r"(?<![\w:.])[23][0-9a-fA-F]{3}$")


def network(text: str, words: str) -> Iterator[Span]:
    """What tells whose network this is. `words`: the different words of the text."""
    if _DOMAIN.search(words):
        yield from _names(text)
    if _IPV4.search(words) or _IPV6.search(words):
        yield from _addresses(text)


def _names(text: str) -> Iterator[Span]:
    for match in _DOMAIN.finditer(text):
        labels = _LABELS.match(text[max(0, match.start() - 252) : match.start()][::-1])
        if not labels:
            continue
        start, end = match.start() - len(labels.group().rstrip(".-")), match.end()
        local = _LOCAL.search(text, max(0, start - 66), start) if text[start - 1 : start] == "@" else None
        host = text[start:end]
        if local and text[end : end + 1] not in {"(", "/", ":"} and text[local.start() - 3 : local.start()] != "://":
            if not _anybody(local.group()[:-1], host):
                yield Span(local.start(), end, "email", text[local.start() : end].lower(), 3)
        elif not stays(host) and _is_host(text, start, end, private=match["private"] is not None):
            yield Span(start, end, "host", host.lower(), 3)


def _anybody(local: str, host: str) -> bool:
    """An address that is nobody's: of documentation, or of a public service's desk."""
    return (
        local in _NOREPLY
        or host.endswith(("example.com", "noreply.github.com"))
        or (local.lower() in _DESKS and stays(host))
    )


def _is_host(text: str, start: int, end: int, *, private: bool) -> bool:
    """A host rather than an attribute (`torch.io`) or a file name: by what stands before, or by a private domain."""
    before = text[max(0, start - 60) : start]
    if before.endswith(("://", "@")) or (text[end : end + 1] in {"/", ":"} and _IMAGE.search(before)):
        return True
    if before[-1:] in {"=", ",", ".", " "} and _LISTED.search(text, max(0, start - 300), start):
        return True
    if before[-1:] in {"/", "\\", ".", "_", "-", "$"} or text[end : end + 1] == "(":
        return False
    host = text[start:end]
    if host != host.lower() or (not private and _attribute(before, host, text[end : end + 40])):
        return False
    return private or _NAMED.search(before) is not None


def _attribute(before: str, name: str, after: str) -> bool:
    """A dotted Python name: an attribute of a known package, or whatever stands where only modules are named."""
    first, _, rest = name.partition(".")
    if (first in _PACKAGES or first in _OBJECTS) and "." not in rest and rest not in _NO_ATTRIBUTE:
        return True
    if first in _PACKAGES and name.rpartition(".")[2] not in _NO_ATTRIBUTE:
        return not (_PORT.match(after) or _REACHED.search(before))
    return _IMPORTING.search(before.rpartition("\n")[2]) is not None or _IMPORTED.match(after) is not None


def _addresses(text: str) -> Iterator[Span]:
    for match in _IPV4.finditer(text):
        first = _FIRST.search(text, max(0, match.start() - 8), match.start())
        if (
            first
            and public_address(address := text[first.start() : match.end()])
            and _is_address(text, first.start(), match.end())
        ):
            yield Span(first.start(), match.end(), "ip", address, 3)
    for match in _IPV6.finditer(text):
        first = _GROUP.search(text, max(0, match.start() - 6), match.start())
        if first and public_address(address := text[first.start() : match.end()]):
            yield Span(first.start(), match.end(), "ip", address.lower(), 3)


def _is_address(text: str, start: int, end: int) -> bool:
    """Four numbers are also versions: an address has a port, a word of networks before it, or begins the line."""
    before = text[max(0, start - 60) : start].rpartition("\n")[2]
    if _near(_VERSIONED, before, 24):
        return False
    return bool(_AFTER.match(text, end)) or _near(_ADDRESSED, before, 40) or not before.strip()


@lru_cache(maxsize=1024)
def _near(pattern: re.Pattern[str], before: str, reach: int) -> bool:
    """One of the words ends within that many characters of the end."""
    return any(match.end() >= len(before) - reach for match in pattern.finditer(before))
