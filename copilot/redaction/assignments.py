"""Values of secret-named variables, options, fields and headers, in every syntax that carries a name and a value."""

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass

from copilot.redaction import values
from copilot.redaction.chance import looks_random
from copilot.redaction.names import is_header, kind_of_name, words
from copilot.redaction.rules import kind_of
from copilot.redaction.span import Span
from copilot.redaction.stand_ins import is_placeholder

_KEYWORD = (  # every alternative begins with a literal: so `re` skips to the characters that can begin one
    r"(?:token|secret|pass|pwd|key|auth|cred|cookie|sig|salt|bearer|jwt|_pat|-pat|_pw|-pw|session|sid|sas|_sk|-sk|psk|otp"
    r"|pw(?<![a-z]pw)|mima|密码|密碼|口令|密钥|秘钥|令牌|私钥|凭证|授权码)"
)
_SEPARATOR = (
    r"(?::[ \t]{1,4}[|>][+-]?\d?[ \t]{0,8}\r?\n[ \t]{1,60}"  # a YAML block
    r"|[^\S\n]{0,60}(?:[=-]>|→|[:?+]?={1,2}|＝|：|::?)(?:\*{1,2}(?=\s))?\s{0,60}"  # NAME=, name:, name => , name :=
    r"(?:(?<=\s)-[ \t]{1,4}(?=[\w\"']))?"  # the first item of its list
    r"|[\s,;{]{0,40}[\"']?(?:value|val|content|default)[\"']?[ \t]{0,4}[:=][ \t]{0,8}"  # name: X / value: Y
    r"|[ \t]{1,4}-value[ \t]{1,4}"
    r"|[ \t]{0,12}[,|][ \t]{0,24}(?![ \t\r\n])"  # ("name", "value"), | name | value |
    r"|(?:\.\d{1,3})?\r?\n[^\n]{0,300}?input_value="  # pydantic: the field, then what was wrong with it
    r"|>|,?[ \t]{0,4}\\?\r?\n(?:[\w.-]{1,40} {0,20}\|)?[ \t]{0,60}(?:-[ \t]{1,4})?"  # <name>value, list items
    r"|[ \t]{1,24})"
)
_FIND = re.compile(
    _KEYWORD + r"(?P<tail>[\w.-]{0,24})(?P<close>\\{0,4}[\"'`\])*]{0,4})(?P<separator>" + _SEPARATOR + ")"
)
_NAME = re.compile(r"[\w.-]*")
_NAME_CHARACTERS = string.ascii_letters + string.digits + "_.-"
_LONGEST_NAME = 64
_FIRST_WORD = re.compile(r"(?:api|access|secret|private|auth|master|encryption|account|public) $", re.IGNORECASE)
"""Two words that are one name: `api key: ...`."""
_LONGEST_WORD = len("encryption ")
_SPACED = re.compile(
    r"(?:\bsetx(?: /m)?|\bset -\w{1,4}|\benv|\#define|\bsetenv|\bset|_set_header|\badd_header|\bmachine"
    r"|\bheader|\bconfig set|\bvalue|\bexport)\s{1,4}[\"']?$",
    re.IGNORECASE,
)
_BETWEEN = frozenset(" \t\r\n\v\f\"'\u00a0\u3000")
_COMMAND = 24
"""Characters at the end of a line's beginning in which `_SPACED` may stand."""
_LOGIN = re.compile(r"(?:\bmachine\b.{0,80}|\blogin .{0,60})\s{1,4}[\"']?$", re.IGNORECASE)
_LOGIN_WORD = re.compile(r"machine|login ", re.IGNORECASE)
_BULLET = re.compile(r"[ \t>#*-]{0,20}$")
_SYMBOLS = frozenset({"=", ":", "=>", "->", "→", ":=", "?=", "+=", "==", "＝", "：", "::"})
_BLOCK = re.compile(r":[ \t]+[|>][+-]?\d?[ \t]*\r?\n[ \t]+")
_MEASURED = re.compile(r"\d+\.\d+\w{0,3}|\d+(?:ms|s|%)")
_VALUE_FIELD = re.compile(r"val|content|default", re.IGNORECASE)
_SPARE = 100_000
"""Characters of values that may be examined beyond eight times the text."""
_CHOSEN = re.compile(r"[a-z][a-z_-]{5,40}")
_NEXT_OPTION = re.compile(r"[ \t]{1,8}(?:--?[a-z]|\\\r?\n|[|&;<>]|\d?>)")
_ITEM = re.compile(r"\r?\n[ \t]{0,60}-[ \t]{1,4}[\"']?(?P<value>[\w+/=.~-]{12,400})[\"']?(?=[ \t]*\r?(?:\n|$))")
_ANOTHER = re.compile(r"[ \t]{1,4}(?P<value>[A-Za-z0-9_]{12,80})(?=[ \t]|$)")
_KEYED = re.compile(r"[\w.\"'-]{1,60}[ \t]{0,4}:")


@dataclass(slots=True)
class _Named:
    """A secret name and what stands between it and its value."""

    name: str
    kind: str
    before: str
    """The line up to the name."""
    close: str
    separator: str
    symbol: str
    """The separator without blanks and list marks."""
    at: int
    """Where the value may begin."""

    @property
    def placeholder(self) -> str:
        """The type of placeholder."""
        return "secret" if self.kind == "weak" else self.kind

    @property
    def option(self) -> bool:
        return self.name.startswith("-")

    @property
    def identifier(self) -> bool:
        """`api_key`, `--token`, `HF_TOKEN`: nobody writes prose so."""
        return self.option or len(words(self.name)) > 1 or self.name.isupper()


def assignments(text: str, lower: str) -> Iterator[Span]:
    """Every value that its name makes a secret. `lower`: the text in lower case."""
    done, budget = 0, _SPARE + 8 * len(text)
    for match in _FIND.finditer(lower):
        if match.end() < done:
            continue  # inside a value that goes as a whole
        named = _named(text, match)
        if named is None or not _separates(named):
            continue
        for span, examined in _values(text, named, blind=budget < 0):
            budget -= examined
            if span:
                done = max(done, span.end)
                yield span


def _named(text: str, match: re.Match[str]) -> _Named | None:
    end = match.end("tail")
    name = _name(text, match.start(), end)
    kind = kind_of_name(name)
    if kind is None:
        return None
    line = text.rfind("\n", max(0, match.start() - 300), match.start()) + 1
    before = text[max(line, match.start() - 300) : end - len(name)]
    separator = match["separator"]
    symbol = separator.strip(" \t\r\n-*") or separator.strip()
    return _Named(name, kind, before, match["close"], separator, symbol, match.end())


def _name(text: str, start: int, end: int) -> str:
    before = text[max(0, start - _LONGEST_NAME) : start]
    rest = before.rstrip(_NAME_CHARACTERS)
    if rest and not rest[-1].isascii():
        found = _NAME.match(before[::-1])
        rest = before[: len(before) - found.end()] if found else before
    begin = start - len(before) + len(rest)
    if text[begin - 1 : begin] == " ":
        first = _FIRST_WORD.search(text, max(0, begin - _LONGEST_WORD), begin)
        if first and not _NAME.fullmatch(text, first.start() - 1, first.start()):
            begin = first.start()
    return text[begin:end]


def _separates(named: _Named) -> bool:
    """Something between name and value that makes the one the value of the other."""
    symbol = named.symbol
    if named.before.endswith(("${", "$")) or named.name.startswith("."):
        return False
    if symbol in _SYMBOLS or (symbol and (_VALUE_FIELD.search(symbol) or _BLOCK.fullmatch(named.separator))):
        return True
    if symbol and symbol in ">,|":
        return _delimits(named, symbol)
    if "\n" in named.separator:
        return named.option
    return named.option or _starts_line(named) or _spaced(named.before)


def _spaced(before: str) -> bool:
    """A command or a word that gives a name its value with nothing but a space between."""
    if before[-1:] not in _BETWEEN:
        return False
    if _SPACED.search(before, max(0, len(before) - _COMMAND)):
        return True
    return _LOGIN_WORD.search(before) is not None and _LOGIN.search(before) is not None


def _delimits(named: _Named, symbol: str) -> bool:
    """XML (`<name>value`), tuples (`("name", "value")`) and tables (`| name | value |`)."""
    if symbol == ">":
        return named.before.endswith("<") or ("<" in named.before and named.close[-1:] in {'"', "'"})
    if "\n" in named.separator:
        return named.option
    if symbol == ",":
        return bool(named.close) and named.close[-1] not in ")]"
    return "|" in named.before


def _starts_line(named: _Named) -> bool:
    """netrc, redis.conf, squid: the name begins the line, a space follows."""
    return _BULLET.fullmatch(named.before) is not None and (
        named.name.lower() in {"password", "requirepass", "masterauth", "authorization"}
        or (named.identifier and named.name.isupper())
    )


def _values(text: str, named: _Named, *, blind: bool) -> Iterator[tuple[Span | None, int]]:
    """(a value that goes, or None for one that stays; the characters looked at).

    `blind`: a text that is nothing but names and signs has used up its time, and what follows goes unexamined.
    """
    whole = named.kind == "cookie" and is_header(named.name) and named.symbol == ":"
    strict = "\n" in named.separator and not named.option and not _BLOCK.fullmatch(named.separator)
    for begin, end, quote in values.read(text, named.at, whole=whole):
        value = text[begin:end]
        if blind:
            yield Span(begin, end, named.placeholder, value, 1), 0
            return
        yield None, end - begin
        if quote and _KEYED.match(text, end + len(quote)) and text[end + len(quote) : end + len(quote) + 1] == ":":
            continue
        if strict and not quote and not looks_random(value):
            continue
        if _wanted(value, named, quoted=bool(quote)) or _typed(text, named, begin, end):
            yield Span(begin, end, kind_of(value) or named.placeholder, value, 1), 0
            for further in _further(text, named, end + len(quote), quoted=bool(quote)):
                yield further, 0


def _typed(text: str, named: _Named, begin: int, end: int) -> bool:
    """A plain word where only a value can stand: `API_KEY=word`, `--api-key word --port 1`."""
    value = text[begin:end]
    if not _CHOSEN.fullmatch(value) or is_placeholder(value) or values.prose(value, strict=True):
        return False
    if named.option:
        return named.separator == "=" or _NEXT_OPTION.match(text, end) is not None
    return named.name.isupper() and "_" in named.name and named.separator == "="


def _further(text: str, named: _Named, at: int, *, quoted: bool) -> Iterator[Span]:
    """More values of an option (`--api-key A B`) or of a YAML list: only what chance made."""
    listed = "-" in named.separator and "\n" in named.separator
    pattern = _ITEM if listed else _ANOTHER if named.option and not quoted else None
    while pattern and (found := pattern.match(text, at)) and looks_random(found["value"]):
        at = found.end()
        if not is_placeholder(found["value"]):
            yield Span(*found.span("value"), kind_of(found["value"]) or named.placeholder, found["value"], 1)


def _wanted(value: str, named: _Named, *, quoted: bool) -> bool:
    if not values.acceptable(value, named.kind, quoted=quoted):
        return False
    if not quoted and value.startswith("-") and not named.symbol:
        return False
    if named.name.lower() == "pass" and _MEASURED.fullmatch(value):
        return False
    if named.kind == "weak":
        return values.signed(value)
    if quoted or named.identifier or named.kind == "cookie":
        return True
    return not values.prose(value, strict=named.kind == "password" and named.symbol in {"=", ":"})
