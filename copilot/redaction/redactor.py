"""The one way from raw text to text that may be stored, shown or sent."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter

from copilot.model.text import RedactedText
from copilot.redaction.detect import detect
from copilot.redaction.placeholders import Placeholders
from copilot.redaction.rules import kind_of
from copilot.redaction.span import Span
from copilot.redaction.taint import literal, occurrences, spreads

_PASSES = 4


@dataclass(frozen=True)
class Redacted:
    """A text without its secrets, and how many of each type were replaced."""

    text: RedactedText
    found: dict[str, int]


class Redactor:
    """Redacts the texts of one session: the same secret gets the same placeholder in all of them.

    `known`: literal secrets to remove wherever they appear. `state`: what `state()` of an earlier process gave.
    """

    def __init__(self, known: Iterable[str] = (), state: Mapping[str, object] | None = None) -> None:
        self._placeholders = Placeholders(state)
        self._found: Counter[str] = Counter()
        self._known: dict[str, str] = {}
        self.learn(known)

    @property
    def found(self) -> dict[str, int]:
        """Replacements by type, over all texts so far."""
        return dict(self._found)

    def learn(self, values: Iterable[str]) -> None:
        """Adds literal values (own keys, a project's `.env`) that are removed wherever they appear."""
        for value in values:
            if literal(value):
                self._known.setdefault(value, kind_of(value) or "secret")

    def state(self) -> dict[str, object]:
        """What keeps the numbers stable in a later process; no secret can be read from it."""
        return self._placeholders.state()

    def redact(self, text: str) -> Redacted:
        """The text with its secrets replaced: as many lines as before, and redacting it again changes nothing."""
        self._placeholders.reserve(text)
        found: Counter[str] = Counter()
        lines = _Lines(text)
        for _ in range(_PASSES):
            part = lines.unsettled()
            spans = self._spans(part)
            if not spans:
                break
            lines.settle(self._replaced(part, spans))
            found.update(span.kind for span in spans if not span.part)
        self._found.update(found)
        return Redacted(RedactedText(lines.text()), dict(found))

    def _spans(self, text: str) -> list[Span]:
        spans = detect(text, self._known)
        for span in spans:
            if span.rank <= 1 and spreads(span):
                self._known.setdefault(span.value, span.kind)
        if self._known:
            spans.extend(occurrences(text, self._known))
        return merged(spans)

    def _replaced(self, text: str, spans: list[Span]) -> str:
        parts, at = [], 0
        for span in spans:
            placeholder = self._placeholders.of(span.kind, span.value)
            parts.append(text[at : span.start])
            parts.append("\n".join(placeholder for _ in range(text.count("\n", span.start, span.end) + 1)))
            at = span.end
        return "".join((*parts, text[at:]))


class _Lines:
    """A text whose changed lines and their neighbours are looked at again: what a placeholder uncovers counts too."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._open: list[int] | None = None

    def unsettled(self) -> str:
        """What is still to be looked at: first everything, then the neighbourhoods of changes."""
        return "\n".join(self._lines if self._open is None else [self._lines[i] for i in self._open])

    def settle(self, text: str) -> None:
        """Takes the redacted form of `unsettled()` back."""
        numbers = range(len(self._lines)) if self._open is None else self._open
        changed: set[int] = set()
        for number, line in zip(numbers, text.split("\n"), strict=True):
            if self._lines[number] != line:
                self._lines[number] = line
                changed.update((number - 1, number, number + 1))
        self._open = sorted(n for n in changed if 0 <= n < len(self._lines))

    def text(self) -> str:
        """All lines."""
        return "\n".join(self._lines)


def merged(spans: Iterable[Span]) -> list[Span]:
    """Spans in order without overlaps; of those that overlap the surest names the whole stretch."""
    result: list[Span] = []
    for span in sorted(sorted(spans, key=attrgetter("end"), reverse=True), key=attrgetter("start")):
        if result and span.start < result[-1].end:
            last = result[-1]
            best = min(last, span, key=lambda s: s.rank)
            result[-1] = Span(
                last.start, max(last.end, span.end), best.kind, best.value, best.rank, last.part and span.part
            )
        else:
            result.append(span)
    return result


def redact(text: str, known: Iterable[str] = ()) -> Redacted:
    """One text, on its own. `known`: literal secrets to remove wherever they appear."""
    return Redactor(known).redact(text)
