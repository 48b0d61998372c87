"""What gives a person or a company away without being a secret: user names, private hosts, e-mail, public addresses."""

import re
from collections.abc import Iterator

from copilot.redaction import hosts
from copilot.redaction.placeholder_words import is_placeholder
from copilot.redaction.span import Span

_GENERIC = frozenset(
    """user users username root ubuntu debian admin administrator runner app vllm ollama docker node jovyan nonroot ec2-user azureuser
    opc pi vagrant coder vscode worker service nobody default public all guest model models shared data huggingface hf
    you me name your-name yourname youruser your_user your-user your_username someone somebody user1 linuxbrew git conda
    appuser container ray openwebui python nginx postgres redis mysql cache test dev llm gpu workspace desktop""".split()
)
_HOME = re.compile(
    r"(?<![\w.-])(?:(?:/mnt)?/[a-z]/[Uu]sers/|/(?:host_mnt|run/desktop/mnt/host)/[a-z]/[Uu]sers/|/(?:var/|export/|data/|mnt/)?home/|/Users/|[A-Za-z]:(?:\\{1,4}|/)[Uu]sers(?:\\{1,4}|/)"
    r"|\\{1,4}home\\{1,4}|(?<=file:/{2})/home/)(?P<user>[^\s/\\:\"'`<>|,;()\[\]{}*?$%‹›]{1,64})"
)
_ACCOUNT = re.compile(r"(?<![\w.])(?:USER|LOGNAME|USERNAME|SUDO_USER|USERPROFILE_NAME)(?:=|: )[\"']?(?P<user>[A-Za-z][\w.-]{1,40})(?![\w.\\/-])")
_PROMPT = re.compile(r"(?<![\w.+-])(?P<user>[a-z_][\w.-]{0,31})@(?P<host>[A-Za-z0-9][\w.-]{0,62})(?=:[~/][^\s]{0,100}[$#] ?|:~|:/\S{0,100}[$#])")
_BRACKET_PROMPT = re.compile(r"(?<=\[)(?P<user>[a-z_][\w.-]{0,31})@(?P<host>[A-Za-z0-9][\w.-]{0,62})(?= [~\w/.-]{1,60}\][$#])")
_TLD = (
    r"com|org|net|edu|gov|mil|int|info|biz|io|ai|dev|app|cloud|tech|xyz|me|co|cn|hk|tw|jp|kr|sg|in|de|fr|uk|nl|it|es|ch|at|be|pl|se|no|fi|dk|pt|cz|ru|ua|ca|us|au|nz|br|mx|eu|tv|cc|top|site|online|email|example|test|local|internal|corp|lan|company|systems|group|ltd|club|vip|work"
)
_EMAIL = re.compile(r"(?<![\w.+/%=-])[A-Za-z0-9][\w.+-]{0,63}@(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,6}(?:" + _TLD + r")(?![\w(/-]|\.[A-Za-z])")
_URL_HOST = re.compile(r"://(?:[^\s/@\"'<>]{1,400}@)?(?P<host>[A-Za-z0-9][A-Za-z0-9.-]{2,252}\.[A-Za-z]{2,24})\.?(?=[:/?#\s\"'`<>\\,;)\]}|&]|$)")
_NAMED_HOST = re.compile(
    r"(?i)(?:host(?:name)?|server|endpoint|resolve host|could not resolve|resolving|proxy|address|domain|fqdn|nodename|node)(?:[\"']?\s{0,3}[:=]\s{0,3}|\s{1,3})[\"'(]?(?P<host>[A-Za-z0-9][A-Za-z0-9.-]{1,200}\.[A-Za-z]{2,24})(?![\w(/.-])"
)
_PRIVATE_HOST = re.compile(r"(?i)(?<![\w./@-])(?P<host>(?:[a-z0-9](?:[a-z0-9-]{0,61})\.){1,6}(?:local|lan|internal|intranet|corp|localdomain|home\.arpa|ts\.net|fritz\.box|example|corp\.example))(?![\w(-]|\.\w)")
_AT_HOST = re.compile(r"(?<=[^\s]@)(?P<host>[A-Za-z0-9][A-Za-z0-9.-]{1,200}\.[A-Za-z]{2,24})(?=[:/])")
_IPV4 = re.compile(r"(?<![\w.=~<>-])(?:\d{1,3}\.){3}\d{1,3}(?![\w.-]*[A-Za-z_]|\.\d|-\d)")
_ADDRESSED = re.compile(r"(?i)(?:\bip\b|ipv4|addr|host|client|peer|remote|server|connect|from|\bto\b|://|@|listen|forwarded|real-ip|proxy|dns|gateway|route|ping|\bat\b)[^\n]{0,40}$")
_VERSIONED = re.compile(r"(?i)(?:version|driver|cudnn|cublas|nccl|build|release|==|>=|<=|~=|\bv|cu\d{2,3}|toolkit|kernel|package|library|lib\w*)[^\n]{0,24}$")
_IPV6 = re.compile(r"(?<![\w:.])(?:[23][0-9a-fA-F]{3}):(?:[0-9a-fA-F]{0,4}:){1,6}[0-9a-fA-F]{0,4}(?![\w:])")


def people(text: str) -> Iterator[Span]:
    """User names, e-mail addresses, private hosts, public IP addresses."""
    yield from _users(text)
    yield from _emails(text)
    yield from _hosts(text)
    yield from _addresses(text)


def _users(text: str) -> Iterator[Span]:
    for pattern in (_HOME, _ACCOUNT, _PROMPT, _BRACKET_PROMPT):
        for match in pattern.finditer(text):
            user = match["user"]
            if user.lower() not in _GENERIC and not is_placeholder(user) and not user.startswith("."):
                yield Span(*match.span("user"), "user", user, 3)
            host = match.groupdict().get("host")
            if host and not re.fullmatch(r"[0-9a-f]{12}", host) and not (hosts.stays(host) and "." in host) and host != "localhost":
                yield Span(*match.span("host"), "host", host.lower(), 3)


def _emails(text: str) -> Iterator[Span]:
    if "@" not in text:
        return
    for match in _EMAIL.finditer(text):
        local = match.group().partition("@")[0]
        if local not in {"git", "user", "you", "your-email", "name"} and not match.group().endswith(("@example.com", "users.noreply.github.com")):
            yield Span(match.start(), match.end(), "email", match.group().lower(), 3)


def _hosts(text: str) -> Iterator[Span]:
    patterns = [_NAMED_HOST, _PRIVATE_HOST]
    if "://" in text:
        patterns.append(_URL_HOST)
    if "@" in text:
        patterns.append(_AT_HOST)
    for pattern in patterns:
        for match in pattern.finditer(text):
            host = match["host"]
            if not hosts.stays(host) and (pattern is not _NAMED_HOST or _plausible(host)):
                yield Span(*match.span("host"), "host", host.lower(), 3)


def _plausible(host: str) -> bool:
    """A domain name rather than an attribute or a file name."""
    return re.search(r"\.(?:" + _TLD + r")$", host.lower()) is not None and host.lower() == host


def _addresses(text: str) -> Iterator[Span]:
    for match in _IPV4.finditer(text):
        if hosts.public_address(match.group()) and _is_address(text, match):
            yield Span(match.start(), match.end(), "ip", match.group(), 3)
    for match in _IPV6.finditer(text):
        if hosts.public_address(match.group()):
            yield Span(match.start(), match.end(), "ip", match.group().lower(), 3)


def _is_address(text: str, match: re.Match[str]) -> bool:
    """Four numbers are also versions: an address has a port, an address word before it, or begins an access log line."""
    before = text[max(0, match.start() - 60) : match.start()]
    if _VERSIONED.search(before):
        return False
    return re.match(r":\d{2,5}\b|/\d{1,2}\b| - ", text[match.end() : match.end() + 8]) is not None or _ADDRESSED.search(before) is not None or not before.rpartition("\n")[2].strip()
