"""Where a value begins and ends behind a name, in any syntax; and whether it can be a secret at all."""

import re
from collections.abc import Iterator

from copilot.redaction.placeholder_words import is_placeholder

_OPEN = re.compile(
    r"(?:[A-Za-z_.]{0,20}(?:Secret|secret|Some|Optional|Just|String|str|Redacted|Token|Password)[A-Za-z]{0,12}(?=[(\[{]))?"
    r"[\[({]{0,3}\s{0,4}(?:!!\w{1,8} |&\w{1,20} |value=)?"
    r"(?:[bBrRuUfF]{1,2}(?=[\"']))?(?P<quote>\"\"\"|'''|\\{0,4}[\"'`]|[“‘「『«])?"
)
_SCHEME = re.compile(r"(?i)(?:bearer|basic|token|apikey|api-key|digest|negotiate|oauth|bot|key|sso-key|splunk)(?:\s{1,4}|%20|\+)(?=\S)")
_CLOSE = {"“": "”", "‘": "’", "「": "」", "『": "』", "«": "»"}
_BARE = re.compile(r"[^\s\"'`<>‹›“”‘’「」，。；、《》]{1,8192}")
_TRIM = re.compile(r"(?:[,;)\]}&|]+(?=$|[A-Za-z_-]{1,40}[=:])|[)\]},;&|].*(?<=[)\]},;&|])$)")
_CUT = re.compile(r"[,;&|)\]}](?=[\w.-]{1,60}[=:(]|$|[,;&|)\]}]*$|\\n)|\\[nrt](?![A-Za-z0-9])|\\n|&&|\|\|")
_NEXT = re.compile(r"\s{0,40},\s{0,40}(?:[bru]{1,2}(?=[\"']))?(?P<quote>[\"'])")
_CODE = re.compile(
    r"(?:self|os|args|config|settings|cfg|opts|options|ctx|request|req|params|kwargs|env|environ|process|data|response|client|secrets|st|app|json|this)"
    r"(?:\.|\[|->).*|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\(.*|[a-z_]+(?:\.[a-z_]+)+|(?:lambda|await|not|if|else|for|return|new)\b.*"
)


def read(text: str, at: int, *, whole: bool = False) -> Iterator[tuple[int, int]]:
    """The values at `at`: one, or all of a list. `whole`: an unquoted value runs to the end of the line (headers, YAML)."""
    opened = _OPEN.match(text, at)
    start, quote = at, None
    if opened:
        start, quote = opened.end(), opened.group("quote")
    for _ in range(20):
        end = _closing(text, start, quote) if quote else _bare_end(text, start, whole=whole)
        scheme = _SCHEME.match(text, start, end)
        if end > (scheme.end() if scheme else start):
            yield (scheme.end() if scheme else start), end
        following = _NEXT.match(text, end + len(quote)) if quote and opened and "[" in opened.group() else None
        if not following:
            return
        start, quote = following.end(), following.group("quote")


def _closing(text: str, start: int, quote: str) -> int:
    stop = text.find("\n", start, start + 8192)
    stop = min(len(text), start + 8192) if stop < 0 else stop
    if len(quote) == 3:  # noqa: PLR2004 - triple quotes may span lines
        stop = min(len(text), start + 8192)
    close, at = _CLOSE.get(quote, quote), start
    while True:
        at = text.find(close, at, stop)
        if at < 0:
            return _bare_end(text, start, whole=False)
        if len(quote) > 1 or text[at - 1] != "\\" or at == start:
            return at
        at += 1


def _bare_end(text: str, start: int, *, whole: bool) -> int:
    if whole:
        stop = text.find("\n", start, start + 8192)
        end = min(len(text), start + 8192) if stop < 0 else stop
        comment = text.find(" #", start, end)
        end = comment if comment >= 0 else end
        return start + len(text[start:end].rstrip(" \r\t,;'\"`"))
    match = _BARE.match(text, start)
    if not match:
        return start
    value = match.group()
    scheme = _SCHEME.match(text, start)
    if scheme:
        rest = _BARE.match(text, scheme.end())
        value = text[start : rest.end()] if rest else value
    cut = _CUT.search(value, scheme.end() - start if scheme else 0)
    value = value[: cut.start()] if cut else value
    return start + len(value.rstrip(",;)]}\\.:" if not cut else ",;"))


def acceptable(value: str, kind: str, *, quoted: bool) -> bool:
    """Could this be a secret of that kind? Placeholders, code, counts and truth values are none."""
    if is_placeholder(value) or (not quoted and _CODE.fullmatch(value)):
        return False
    if kind != "password" and re.fullmatch(r"-?\d{1,7}(?:\.\d+)?[A-Za-z%]{0,3}", value):
        return False
    return len(value) >= (3 if kind == "password" else 4) and not re.fullmatch(r"[\W_]+", value)
