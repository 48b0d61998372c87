"""All detectors over all readings of a text."""

import re
from collections.abc import Iterator, Mapping

from copilot.redaction.assignments import assignments
from copilot.redaction.backstop import chance, decoded
from copilot.redaction.pem import private_keys
from copilot.redaction.people import people
from copilot.redaction.placeholders import PLACEHOLDER
from copilot.redaction.rules import shapes
from copilot.redaction.span import Span
from copilot.redaction.taint import inside
from copilot.redaction.urls import userinfo
from copilot.redaction.views import View, views
from copilot.redaction.wraps import across, continued

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,20000}={0,2}")


def detect(text: str, known: Mapping[str, str]) -> list[Span]:
    """The secrets of a text in its own offsets, unsorted; none touches a placeholder."""
    spans: list[Span] = []
    for view in views(text):
        for span in (*_secrets(view.text, known), *across(view)):
            start, end = view.back(span.start, span.end)
            found = Span(start, end, span.kind, span.value, span.rank, span.part)
            spans.append(found)
            spans.extend(continued(text, found) if not found.part and span.rank <= 1 and span.kind != "private-key" else ())
    taken = [m.span() for m in PLACEHOLDER.finditer(text)] if "‹" in text else []
    return [span for span in spans if not any(a < span.end and span.start < b for a, b in taken)]


def _secrets(text: str, known: Mapping[str, str]) -> Iterator[Span]:
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c.lower() if c.isascii() else c for c in text)
    yield from shapes(text, lower)
    yield from assignments(text, lower)
    yield from userinfo(text)
    yield from private_keys(text)
    yield from people(text)
    yield from chance(text)
    yield from _encoded(text, known)


def _encoded(text: str, known: Mapping[str, str]) -> Iterator[Span]:
    """Base64 runs that hide a secret: docker auth, Kubernetes data, headers."""
    for run in _BASE64.finditer(text):
        plain = decoded(run.group())
        if plain is not None and (inside(plain, known) or any(_hidden(plain))):
            yield Span(run.start(), run.end(), "secret", run.group(), 2)


def _hidden(plain: str) -> Iterator[Span]:
    lower = plain.lower()
    if len(lower) == len(plain):
        yield from shapes(plain, lower)
        yield from assignments(plain, lower)
        yield from userinfo(plain)
        yield from private_keys(plain)
