"""All detectors over all readings of a text."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from copilot.redaction.assignments import assignments
from copilot.redaction.backstop import ENCODED_TEXT, chance, decoded
from copilot.redaction.literals import distinct
from copilot.redaction.network import network
from copilot.redaction.pem import private_keys
from copilot.redaction.placeholders import PLACEHOLDER
from copilot.redaction.rules import candidates, shapes
from copilot.redaction.span import Span, inside
from copilot.redaction.taint import any_of
from copilot.redaction.urls import userinfo
from copilot.redaction.users import users
from copilot.redaction.views import View, views
from copilot.redaction.wraps import across, continued


def detect(text: str, known: Mapping[str, str]) -> list[Span]:
    """The secrets of a text in its own offsets, unsorted; none touches a placeholder."""
    spans: list[Span] = []
    for view in views(text):
        for span in _found(view, known):
            start, end = view.back(span.start, span.end)
            here = span._replace(start=start, end=end) if view.widths else span
            spans.append(here)
            if span.rank <= 1 and not span.part and span.kind != "private-key":
                spans.extend(continued(text, here))
    taken = [m.span() for m in PLACEHOLDER.finditer(text)] if "‹" in text else []
    return [span for span in spans if not _touches(span, taken)] if taken else spans


def _found(view: View, known: Mapping[str, str]) -> list[Span]:
    """What all detectors find in one reading, in its offsets."""
    lower, words = _lower(view.text), distinct(view.text)
    shaped = candidates(view.text, lower, words)
    tokens = list(shapes(view.text, shaped))
    spans = [*_secrets(view.text, lower, words), *tokens]
    spans.extend(across(view, lower, shaped, _stretches(token for token in tokens if token.rank == 0)))
    sure = _stretches(spans)
    spans.extend(_encoded(view.text, words, known, sure))
    spans.extend(chance(view.text, words, sure))
    return spans


def _stretches(spans: Iterable[Span]) -> list[tuple[int, int]]:
    return sorted((span.start, span.end) for span in spans)


def _touches(span: Span, taken: Sequence[tuple[int, int]]) -> bool:
    """The span overlaps one of the stretches, which are in order."""
    after = bisect_left(taken, (span.end, 0))
    return after > 0 and taken[after - 1][1] > span.start


def _lower(text: str) -> str:
    """Lower case of the same length: offsets stay true (`İ` would become two characters)."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if c.isascii() else c for c in text)


def _secrets(text: str, lower: str, words: str) -> Iterator[Span]:
    """Everything but the shapes of tokens. `words`: the different words of the text."""
    yield from assignments(text, lower)
    yield from userinfo(text)
    yield from private_keys(text)
    yield from users(text, lower)
    yield from network(text, words)


def _encoded(text: str, words: str, known: Mapping[str, str], sure: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """Base64 runs that hide a secret: docker auth, Kubernetes data, headers. `sure`: stretches that go anyhow."""
    for run in ENCODED_TEXT.finditer(text) if ENCODED_TEXT.search(words) else ():
        if inside(run.start(), run.end(), sure):
            continue
        plain = decoded(run.group())
        if plain and (_hides(plain) or any_of(known, plain)):
            yield Span(run.start(), run.end(), "secret", run.group(), 2)


@lru_cache(maxsize=4096)
def _hides(plain: str) -> bool:
    """A decoded text holds a secret."""
    return any(_hidden(plain))


def _hidden(plain: str) -> Iterator[Span]:
    lower = _lower(plain)
    yield from shapes(plain, candidates(plain, lower))
    yield from assignments(plain, lower)
    yield from userinfo(plain)
    yield from private_keys(plain)
