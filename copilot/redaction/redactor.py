"""The one way from raw text to text that may be stored, shown or sent."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from copilot.model.text import RedactedText
from copilot.redaction.assignments import assignments
from copilot.redaction.placeholders import Placeholders
from copilot.redaction.rules import shapes
from copilot.redaction.span import Span
from copilot.redaction.views import View, views


@dataclass(frozen=True)
class Redacted:
    """A text without its secrets, and how many of each type were replaced."""

    text: RedactedText
    found: dict[str, int]


class Redactor:
    """Redacts the texts of one session: the same secret gets the same placeholder in all of them."""

    def __init__(self, known: Iterable[str] = (), state: Mapping[str, object] | None = None) -> None:
        self._placeholders = Placeholders(state)
        self._found: Counter[str] = Counter()
        self._known: dict[str, str] = {}
        self.learn(known)

    @property
    def found(self) -> dict[str, int]:
        """Totals over all texts so far."""
        return dict(self._found)

    def learn(self, values: Iterable[str]) -> None:
        """Adds literal values that are removed wherever they appear."""
        for value in values:
            if len(value) >= 4:
                self._known.setdefault(value, "secret")

    def state(self) -> dict[str, object]:
        """What keeps the numbers stable in a later process; no secret can be read from it."""
        return self._placeholders.state()

    def redact(self, text: str) -> Redacted:
        """The text with its secrets replaced; it has as many lines as before."""
        self._placeholders.reserve(text)
        found: Counter[str] = Counter()
        for _ in range(3):
            spans = _merged(self._spans(text))
            if not spans:
                break
            text = self._replace(text, spans)
            found.update(span.kind for span in spans)
        self._found.update(found)
        return Redacted(RedactedText(text), dict(found))

    def _spans(self, text: str) -> Iterator[Span]:
        spans: list[Span] = []
        for view in views(text):
            lower = _lower(view.text)
            for span in (*shapes(view.text, lower), *assignments(view.text, lower)):
                start, end = view.back(span.start, span.end)
                spans.append(Span(start, end, span.kind, span.value, span.rank))
        for value in {s.value: s.kind for s in spans if len(s.value) >= 8} | self._known:
            for m in re.finditer(re.escape(value), text):
                spans.append(Span(m.start(), m.end(), "secret", value, 9))
        return iter(spans)

    def _replace(self, text: str, spans: list[Span]) -> str:
        parts, at = [], 0
        for span in spans:
            placeholder = self._placeholders.of(span.kind, span.value)
            parts.append(text[at : span.start])
            parts.append("\n".join(placeholder for _ in text[span.start : span.end].split("\n")))
            at = span.end
        return "".join((*parts, text[at:]))


def _lower(text: str) -> str:
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if c.isascii() else c for c in text)


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            best = min(last, span, key=lambda s: s.rank)
            merged[-1] = Span(last.start, max(last.end, span.end), best.kind, best.value, best.rank)
        else:
            merged.append(span)
    return merged


def redact(text: str, known: Iterable[str] = ()) -> Redacted:
    """One text, on its own. `known`: literal secrets to remove wherever they appear."""
    return Redactor(known).redact(text)
