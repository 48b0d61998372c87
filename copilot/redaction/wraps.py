"""Secrets that a terminal or a column limit broke over lines."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from copilot.redaction.chance import changes, looks_random
from copilot.redaction.rules import Candidates, candidates, shapes
from copilot.redaction.span import Span, inside
from copilot.redaction.stand_ins import is_placeholder
from copilot.redaction.views import PREFIX, View, joined

_LINE_REST = re.compile(r"(?:\x1b\[[0-9;]{0,12}m|[ \t│|\\]){0,12}\r?(?=\n)")
_NEXT = re.compile(
    PREFIX
    + r"(?:\x1b\[[0-9;]{0,12}m|[ \t│|]){0,24}(?P<run>[A-Za-z0-9+/_.~-][A-Za-z0-9+/_=.~-]{0,400})(?P<rest>[^\n]{0,80})"
)
_CLOSERS = re.compile(r"[\"'`,;)\]}│|\s\\>]*")
_LENGTHS = {"huggingface-token": (37,), "github-token": (40, 93), "gitlab-token": (26,), "anthropic-key": (108,)}
_NUMBERED = re.compile(r"v?\d[\d.]*[a-z]{0,2}|[A-Za-z]+[-_.]\d+|\d+[A-Za-z]{1,3}")
_CAMEL = re.compile(r"(?:[A-Z]?[a-z]+[-_.]?)+")
_LAST_TOKEN = re.compile(r"\r?[ \t│|\\]{0,12}(?P<token>[\w.~+/=-]{2,400})")
"""Backwards from the end of a line."""
_HALF_PREFIX = ("hf", "sk", "ghp", "gho", "ghs", "gsk", "glpat", "api_org", "github_pat", "dckr_pat", "nvapi", "xai")
_MOST_LINES = 40
_REACH = 6
"""Lines over which one token may be spread."""


def continued(text: str, span: Span) -> Iterator[Span]:
    """The further lines of a secret that ends where its line ends; prefixes of those lines go with them."""
    value, at = span.value, span.end
    for _ in range(_MOST_LINES):
        rest = _LINE_REST.match(text, at)
        found = _NEXT.match(text, rest.end() + 1) if rest and not _complete(span.kind, value) else None
        if not found or not _continues(span.kind, value, found["run"], found["rest"]):
            return
        start, at = found.start(), found.end("run")
        value += found["run"]
        yield Span(start, at, span.kind, span.value, span.rank, part=True)


def _complete(kind: str, value: str) -> bool:
    return len(value) in _LENGTHS.get(kind, ())


def _continues(kind: str, value: str, run: str, rest: str) -> bool:
    missing = [length - len(value) for length in _LENGTHS.get(kind, ())]
    if len(run) in missing and not run.islower():
        return True
    if run.startswith("--") or "=" in run.rstrip("=") or (rest.startswith((":", "=")) and not rest.startswith(":\n")):
        return False
    if not _CLOSERS.fullmatch(rest):
        return len(run) >= 12 and looks_random(run) and changes(run) > 0.3  # noqa: PLR2004 - no word of a log line
    return _piece(run) and looks_random(value[-24:] + run)


def _piece(run: str) -> bool:
    """A line that is nothing but this looks like the rest of a key, not like a word or a number."""
    letters, digits = any(c.isalpha() for c in run), any(c.isdigit() for c in run)
    if letters and digits:
        return _NUMBERED.fullmatch(run) is None or len(run) < 4  # noqa: PLR2004 - the very end of a key
    mixed = any(c.islower() for c in run) and any(c.isupper() for c in run) and _CAMEL.fullmatch(run) is None
    return mixed or (run.isalpha() and len(run) >= 8 and looks_random(run))  # noqa: PLR2004 - long enough to have no vowels by chance


def across(view: View, lower: str, found: Candidates, sure: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """Tokens whose shape shows only when wrapped lines are joined: their first line, in offsets of the view.

    `sure`: stretches, in order, that go anyhow.
    """
    for at, stop in sorted(_cut_tokens(lower, found)):
        if inside(at, stop, sure):
            continue
        start, end = max(0, at - 1), at
        for _ in range(_REACH):
            end = view.text.find("\n", end) + 1 or len(view.text)
        for offset, kind, first in _first_lines(view.text[start:end]):
            yield Span(start + offset, start + offset + len(first), kind, first, 0)


@lru_cache(maxsize=1024)
def _first_lines(text: str) -> tuple[tuple[int, str, str], ...]:
    """(offset, type, what stands in its first line) of each token that is broken over these lines."""
    whole = joined(View(text))
    if whole is None:
        return ()
    found = []
    for span in shapes(whole.text, candidates(whole.text, whole.text.lower(), joined=True)):
        start, stop = whole.back(span.start, span.end)
        first, broken, _ = text[start:stop].partition("\n")
        first = first.rstrip(" \t\r│|\\")
        if broken and not is_placeholder(first):
            found.append((start, span.kind, first))
    return tuple(found)


def _cut_tokens(lower: str, found: Candidates) -> set[tuple[int, int]]:
    """Tokens that reach the end of their line: (where the keyword is, where the token ends)."""
    cut: set[tuple[int, int]] = set()
    tails: dict[int, tuple[int, int]] = {}
    for rule, lines in found:
        for begin, stop in lines if rule.joined else ():
            if stop not in tails:
                tails[stop] = _tail(lower, begin, stop)
            first, last = tails[stop]
            if last > first:
                places = (lower.rfind(keyword, first, last) for keyword in rule.keywords)
                cut.update((at, last) for at in places if at >= 0)
    for half in _HALF_PREFIX:
        at = lower.find(half + "\n")
        while at >= 0:
            cut.add((at, at + len(half)))
            at = lower.find(half + "\n", at + 1)
    return cut


def _tail(lower: str, begin: int, stop: int) -> tuple[int, int]:
    """The token with which a line ends; empty where there is none, or no line follows."""
    found = _LAST_TOKEN.match(lower[max(begin, stop - 413) : stop][::-1]) if stop < len(lower) else None
    return (stop - found.end(), stop - found.start("token")) if found else (stop, stop)
