"""Values of secret-named variables, options, fields and headers, in every syntax that carries a name and a value."""

import re
from collections.abc import Iterator

from copilot.redaction import values
from copilot.redaction.names import is_header, kind_of_name
from copilot.redaction.rules import kind_of
from copilot.redaction.span import Span

_KEYWORD = (
    r"(?:token|secret|passw|passphrase|pass|pwd|key|auth|cred|cookie|sig|salt|bearer|jwt|_pat|sessionid|sid|pin|mima"
    r"|密码|密碼|口令|密钥|秘钥|令牌|私钥|凭证|授权码)"
)
_FIND = re.compile(
    _KEYWORD + r"[\w.-]{0,24}(?P<close>\\{0,4}[\"'`\])}*]{0,4})(?P<sep>\s{0,3}(?:=>|:=|\?=|\+=|==|<-|->|＝|：)\s{0,12}|\s{0,3}=\s{0,12}|[ \t]{0,8}::?[ \t]{0,24}|[ \t]{0,24}[,|][ \t]{0,24}|>|[ \t]{1,24}|,?[ \t]{0,4}\r?\n[\w .|-]{0,60}?(?=-[ \t]|[\"']|value:))"
)
_NAME = re.compile(r"[\w.-]{0,64}$")
_YAML = re.compile(r"[ \t]*(?:-[ \t]+)?$")
_WORD_NAME = re.compile(r"[a-z]+$", re.IGNORECASE)
_NETRC = re.compile(r"(?:machine|login|default|password|account)\b", re.IGNORECASE)
_VALUE_LINE = re.compile(r"(?:-[ \t]+)?[\"']?value[\"']?[ \t]{0,4}[:=][ \t]{0,8}")


def assignments(text: str, lower: str) -> Iterator[Span]:
    """Every value that its name makes a secret."""
    for match in _FIND.finditer(lower):
        name_end = match.start("close")
        left = _NAME.search(text, max(0, match.start() - 64), match.end("close") if False else name_end)
        name = left.group() if left else text[match.start() : name_end]
        option = name.startswith("-")
        kind = kind_of_name(name.strip("-."))
        if kind is None:
            continue
        yield from _values(text, match, name, kind, option)


def _values(text: str, match: re.Match[str], name: str, kind: str, option: bool) -> Iterator[Span]:
    separator, start, at = match.group("sep"), match.end("close") - len(name) - len(match.group("close")), match.end()
    if not _separates(text, match, name, option):
        return
    if "\n" in separator:
        skipped = _VALUE_LINE.match(text, at)
        at = skipped.end() if skipped else at + (2 if text[at : at + 2] == "- " else 0)
    whole = is_header(name) and kind in {"cookie"} or (":" in separator and _YAML.fullmatch(text[text.rfind("\n", 0, start) + 1 : start]) is not None and kind == "password")
    for begin, end in values.read(text, at, whole=whole):
        value = text[begin:end]
        if values.acceptable(value, kind, quoted=text[begin - 1 : begin] in "\"'`"):
            yield Span(begin, end, kind_of(value) or kind, value, 1)


def _separates(text: str, match: re.Match[str], name: str, option: bool) -> bool:
    separator, close = match.group("sep"), match.group("close")
    symbol = separator.strip()
    if symbol in {"=", ":", "=>", ":=", "?=", "+=", "<-", "->", "＝", "：", "::", ">"} or "\n" in separator:
        return "\n" not in separator or option or "name" in text[max(0, match.start() - 80) : match.start()].lower() or bool(close)
    if symbol == ",":
        return bool(close) 
    if symbol == "|":
        return True
    if symbol == "":
        return option or _spaced(text, match, name)
    return False


def _spaced(text: str, match: re.Match[str], name: str) -> bool:
    """A name and a value with only a space between: netrc, setx, `set -x`, `ENV`, `SetEnv`, header directives."""
    line = text[max(text.rfind("\n", 0, match.start()) + 1, match.start() - 200) : match.start("close") - len(name)]
    if re.search(r"(?i)(?:\bsetx|\bset -\w+|\benv|\bsetenv|\bset|\bheader|\bproxy_set_header|\badd_header|\bmachine\b.*|\blogin\b.*|\bconfig set)\s+[\"']?$", line):
        return True
    return bool(re.search(r"^[ \t]*$", line)) and name.lower() in {"password", "authorization", "requirepass", "masterauth"}
