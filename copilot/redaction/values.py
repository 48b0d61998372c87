"""Where a value begins and ends behind a name, in any syntax; and whether it can be a secret at all."""

import re
from collections.abc import Iterator
from functools import lru_cache

from copilot.redaction.chance import looks_random
from copilot.redaction.stand_ins import is_placeholder
from copilot.redaction.words import listed

_LONGEST = 8192
_OPEN = re.compile(
    r"(?:[A-Za-z_.]{0,20}(?:Secret|secret|Some|Optional|Just|String|str|Redacted|Token|Password)[A-Za-z]{0,12}(?=[(\[{]))?"
    r"(?:(?P<bracket>[\[(]{1,3})\s{0,40}|[ \t]{0,4})(?:!!\w{1,8} |&\w{1,20} |value=)?"
    r"(?:[bBrRuUfF]{1,2}(?=[\"']))?(?P<quote>\"\"\"|'''|\\{0,4}[\"'`]|[“‘「『«])?"
)
_SCHEME = re.compile(
    r"(?i)(?:bearer|basic|token|apikey|api-key|digest|negotiate|oauth|bot|key|sso-key|splunk)"
    r"(?:[ \t]{1,4}|%20|\+|:[ \t]{1,3})(?=\S)"
)
_CLOSE = {"“": "”", "‘": "’", "「": "」", "『": "』", "«": "»"}
_BARE = re.compile(r"[^\s\"'`<>‹›“”‘’「」，。；、《》）]{1,8192}")
_CUT = re.compile(
    r"[,;&|)\]}](?=[\w.-]{1,60}[=:(]|[,;&|)\]}.]*$|\\[nrt])|\\[nrt](?![A-Za-z0-9])|&&|\|\||\\$|%26(?=\w+%3D)"
)
_NEXT = re.compile(r"\s{0,40},\s{0,40}(?:[bru]{1,2}(?=[\"']))?(?P<quote>[\"'])")
_CODE = re.compile(
    r"(?:self|os|args|config|settings|cfg|opts|options|ctx|request|req|params|kwargs|env|environ|process|data|response|client|secrets|st|app|json|this)"
    r"(?:\.|\[|->).*|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\(.*|[a-z_]+(?:\.[a-z_]+)+|(?:Optional|Union|List|Dict|Literal|Annotated)\[.*|[a-z]+(?:_[a-z]+)*"
)
_TYPE = re.compile(
    r"(?:Optional|Union|List|Dict|Literal|Annotated|Callable|Sequence|Mapping|Tuple)\[|[\u3400-\u9fff\uff00-\uffef]"
)
"""Annotations, and Chinese words: no key is made of those."""
_COUNT = re.compile(r"[-+]?\d{1,7}(?:\.\d+)?[A-Za-z%]{0,3}|0x[0-9a-fA-F]{1,16}")
_PATH = re.compile(r"(?:~|\.{1,2})?/[\w.@-]+(?:/[\w.@-]+)*/?|[A-Za-z]:[\\/].*|https?://.*|file://.*")
_WORD = re.compile(r"[A-Za-z][a-z]*(?:[-'/][A-Za-z]+)*[.!?:,;]*|\d{1,3}")
_DIGEST = re.compile(r"[0-9a-f-]+|[0-9A-F-]+")
_PROSE = listed("values", "prose")


def read(text: str, at: int, *, whole: bool = False) -> Iterator[tuple[int, int, str]]:
    """The values at `at` as (start, end, quote): one, or all of a list. `whole`: a bare value takes the whole line."""
    opened = _OPEN.match(text, at)
    start, quote, bracket = (opened.end(), opened["quote"] or "", opened["bracket"] or "") if opened else (at, "", "")
    for _ in range(20):
        end = _closing(text, start, quote) if quote else _bare_end(text, start, whole=whole)
        scheme = _SCHEME.match(text, start, end)
        begin = scheme.end() if scheme else start
        if end > begin:
            yield begin, end, quote
        following = _NEXT.match(text, end + len(quote)) if quote and "[" in bracket else None
        if not following:
            return
        start, quote = following.end(), following["quote"]


def _line_end(text: str, start: int) -> int:
    limit = min(len(text), start + _LONGEST)
    stop = text.find("\n", start, limit)
    return limit if stop < 0 else stop


def _closing(text: str, start: int, quote: str) -> int:
    stop = min(len(text), start + _LONGEST) if len(quote) == 3 else _line_end(text, start)  # noqa: PLR2004 - triple quotes
    close = _CLOSE.get(quote, quote)
    at = text.find(close, start, stop)
    while at > start and len(close) == 1 and (text[at - 1] == "\\" or _doubled(text, at)):
        at = text.find(close, at + (1 if text[at - 1] == "\\" else 2), stop)
    return at if at >= 0 else _bare_end(text, start, whole=False)


def _doubled(text: str, at: int) -> bool:
    """YAML's way to write a single quote inside single quotes: two of them, and the value goes on."""
    return text[at : at + 2] == "''" and text[at + 2 : at + 3].isalnum()


def _bare_end(text: str, start: int, *, whole: bool) -> int:
    if whole:
        end = _line_end(text, start)
        return start + len(text[start:end].rstrip(" \r\t,;'\"`"))
    match = _BARE.match(text, start)
    if not match:
        return start
    scheme = _SCHEME.match(text, start)
    rest = _BARE.match(text, scheme.end()) if scheme else None
    skip = scheme.end() - start if scheme and rest else 0
    value = text[start : rest.end()] if rest else match.group()
    cut = _CUT.search(value, skip + 1)
    value = value[: cut.start()] if cut else value
    return start + len(value.rstrip(",;\\") if cut else value.rstrip(",;)]}\\.:"))


@lru_cache(maxsize=4096)
def acceptable(value: str, kind: str, *, quoted: bool) -> bool:
    """Could this be a secret of that kind? Placeholders, code, paths, counts and truth values are none."""
    if is_placeholder(value) or not re.search(r"\w", value):
        return False
    if not quoted and _TYPE.match(value):
        return False
    if not quoted and _CODE.fullmatch(value) and (kind != "password" or "(" in value or "." in value or "_" in value):
        return looks_random(value) and "(" not in value
    if kind != "password" and _COUNT.fullmatch(value):
        return False
    if _PATH.fullmatch(value) and not looks_random(value.rsplit("/", 1)[-1]):
        return False
    return len(value) >= (3 if kind == "password" else 4)


def signed(value: str) -> bool:
    """A long value made by chance, as in signed links; not a digest, not the first key of a mapping (request ids)."""
    if len(value) < 16 or value[0] == "{":  # noqa: PLR2004 - as short as keys are
        return False
    return looks_random(value) and _DIGEST.fullmatch(value) is None


def prose(value: str, *, strict: bool) -> bool:
    """A word of a sentence (`token: expected ...`), not a value. `strict`: only words that no password is."""
    return value.lower().rstrip(".,:;!?") in _PROSE or (not strict and _WORD.fullmatch(value) is not None)
