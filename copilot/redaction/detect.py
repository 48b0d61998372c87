"""All detectors over all readings of a text."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from copilot.redaction.assignments import assignments
from copilot.redaction.backstop import ENCODED_TEXT, chance, decoded
from copilot.redaction.network import network
from copilot.redaction.pem import private_keys
from copilot.redaction.placeholders import PLACEHOLDER
from copilot.redaction.rules import candidates, distinct, shapes
from copilot.redaction.span import Span
from copilot.redaction.taint import inside
from copilot.redaction.urls import userinfo
from copilot.redaction.users import users
from copilot.redaction.views import View, views
from copilot.redaction.wraps import across, continued


def detect(text: str, known: Mapping[str, str]) -> list[Span]:
    """The secrets of a text in its own offsets, unsorted; none touches a placeholder."""
    spans: list[Span] = []
    for view in views(text):
        lower = _lower(view.text)
        words = distinct(view.text)
        found = candidates(view.text, lower, words)
        for span in (*_secrets(view, lower, words, known), *shapes(view.text, found), *across(view, lower, found)):
            start, end = view.back(span.start, span.end)
            here = Span(start, end, span.kind, span.value, span.rank, span.part)
            spans.append(here)
            spans.extend(
                continued(text, here) if not here.part and span.rank <= 1 and span.kind != "private-key" else ()
            )
    taken = [m.span() for m in PLACEHOLDER.finditer(text)] if "‹" in text else []
    return [span for span in spans if not _touches(span, taken)]


def _touches(span: Span, taken: Sequence[tuple[int, int]]) -> bool:
    """The span overlaps one of the stretches, which are in order."""
    after = bisect_left(taken, (span.end, 0))
    return after > 0 and taken[after - 1][1] > span.start


def _lower(text: str) -> str:
    """Lower case of the same length: offsets stay true (`İ` would become two characters)."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if c.isascii() else c for c in text)


def _secrets(view: View, lower: str, words: str, known: Mapping[str, str]) -> Iterator[Span]:
    """Everything but the shapes of tokens. `words`: the different words of the view."""
    text = view.text
    yield from assignments(text, lower)
    yield from userinfo(text)
    yield from private_keys(text)
    yield from users(text, lower)
    yield from network(text, words)
    yield from chance(text, words)
    yield from _encoded(text, words, known)


def _encoded(text: str, words: str, known: Mapping[str, str]) -> Iterator[Span]:
    """Base64 runs that hide a secret: docker auth, Kubernetes data, headers."""
    plain = {run: decoded(run) for run in set(ENCODED_TEXT.findall(words))}
    hiding = {run for run, inner in plain.items() if inner and (inside(inner, known) or any(_hidden(inner)))}
    for run in ENCODED_TEXT.finditer(text) if hiding else ():
        if run.group() in hiding:
            yield Span(run.start(), run.end(), "secret", run.group(), 2)


def _hidden(plain: str) -> Iterator[Span]:
    lower = _lower(plain)
    yield from shapes(plain, candidates(plain, lower))
    yield from assignments(plain, lower)
    yield from userinfo(plain)
    yield from private_keys(plain)
