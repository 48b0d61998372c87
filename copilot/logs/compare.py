"""Two boots side by side: what is gone, what is new, what has another value, and what that means for the trouble."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import get_args

from copilot.logs.decisive import decisive
from copilot.logs.symptoms import NOISE
from copilot.logs.template import settled, template
from copilot.logs.topics import topic_of
from copilot.model.finding import ChangedLine, CompareLine, Comparison
from copilot.model.log import Boot, Decisive, Line, Log
from copilot.model.words import Phase, Verdict

_PHASES: tuple[Phase, ...] = get_args(Phase)
_SKIPPED = re.compile(
    r"\s*$|\s*[▄▀█ ]+$|\s*File \"|\s+\^|\s{2,}(?!.*\[type=|Value error|Input should)|Traceback|Route: | - leaked "
    r"|.*\d+%\||.*\d+% Completed|\[shutdown\]"
)
"""Frames, art, progress and teardown: they tell two starts apart without telling anything."""
_SETTINGS = re.compile(r"\bargs: ")
_QUOTED = re.compile(r"'[^']*[a-z][^']*'")
"""A setting's value in the line in which vLLM prints its arguments."""
_SAME_START = 48
_FAULTS = frozenset({"argparse", "pydantic", "daemon", "exception", "fatal", "signal"})


def compare(a: Log, b: Log, phase_a: Phase, phase_b: Phase) -> Comparison:
    """The last boot of `a` (the earlier start) against the last boot of `b`.

    Times, process ids, addresses, ports, ids, durations, progress and the order of lines do not count; nor does which
    process printed a line, or how often.
    """
    left, right = _texts(a), _texts(b)
    gone = [(text, line) for text, line in left.items() if text not in right]
    new = [(text, line) for text, line in right.items() if text not in left]
    words = _fixed_words(a, b)
    changed, gone_lines, new_lines = _paired(gone, new, words)
    return Comparison(
        verdict=_verdict((a, b), (phase_a, phase_b), words),
        phase_a=phase_a,
        phase_b=phase_b,
        same=len(left) - len(gone),
        gone=tuple(_shown(line) for line in gone_lines),
        new=tuple(_shown(line) for line in new_lines),
        changed=tuple(ChangedLine(a=_shown(one), b=_shown(other)) for one, other in changed),
    )


def _texts(log: Log) -> Mapping[str, Line]:
    """Settled message to the first line that says it."""
    found: dict[str, Line] = {}
    for line in _last(log):
        if not _SKIPPED.match(line.message) and not NOISE.match(line.message):
            found.setdefault(settled(line.message), line)
    return found


def _last(log: Log) -> Iterable[Line]:
    lines = log.of_boot(-1) if log.boots else ()
    return [line for line in lines if log.service is None or line.service in (None, log.service)]


def _paired(
    gone: Iterable[tuple[str, Line]], new: Iterable[tuple[str, Line]], words: Callable[[str], str]
) -> tuple[list[tuple[Line, Line]], list[Line], list[Line]]:
    """Lines of the same template are one line with another value; the rest is gone, or new."""
    changed: list[tuple[Line, Line]] = []
    for key in (template, words, _beginning):
        waiting: dict[str, list[tuple[str, Line]]] = defaultdict(list)
        for text, line in new:
            waiting[key(text)].append((text, line))
        left: list[tuple[str, Line]] = []
        for text, line in gone:
            partners = waiting.get(key(text))
            if partners:
                changed.append((line, partners.pop(0)[1]))
            else:
                left.append((text, line))
        gone, new = left, [one for partners in waiting.values() for one in partners]
    changed.sort(key=lambda pair: pair[0].number)
    return changed, [line for _, line in gone], sorted((line for _, line in new), key=lambda line: line.number)


def _beginning(text: str) -> str:
    """A long line whose list at the end has another length is still the same line; a short one must be equal."""
    fixed = template(text)
    return fixed[:_SAME_START] if len(fixed) > _SAME_START else f"{fixed}\n"


def _shown(line: Line) -> CompareLine:
    return CompareLine(line=line.number, text=line.text, topic=topic_of(line.message))


def _verdict(logs: tuple[Log, Log], phases: tuple[Phase, Phase], words: Callable[[str], str]) -> Verdict:
    """Fixed: B serves and nothing failed. Moved: another fault, no earlier. Worse: an earlier phase."""
    (a, b), (phase_a, phase_b) = logs, phases
    before, after = _fault(a), _fault(b)
    rank_a, rank_b = _PHASES.index(phase_a), _PHASES.index(phase_b)
    if after is None:
        if phase_b != "serving":
            return "unclear"
        return "same" if before is None and phase_a == "serving" else "fixed"
    if before is None:
        return "worse" if phase_a == "serving" else "unclear"
    if rank_b < rank_a and (phase_a, phase_b) != ("device", "download"):
        # Whether files are fetched before or after the device is set up differs by version and by file.
        return "worse"
    if rank_a == rank_b and words(a.line(before.number).message) == words(b.line(after.number).message):
        return "same"
    return "moved"


def _fault(log: Log) -> Decisive | None:
    """What decides the last boot: a failure, or else a refused request."""
    last: Boot | None = log.boots[-1] if log.boots else None
    found = [one for one in decisive(log) if last and last.first <= one.number <= last.last and one.kind != "hint"]
    return next((one for one in found if one.kind in _FAULTS), found[0] if found else None)


def _fixed_words(a: Log, b: Log) -> Callable[[str], str]:
    """What a message says whatever was set: its template, without the values that either start's settings have."""
    printed = [line.message for log in (a, b) for line in _last(log) if _SETTINGS.search(line.message)]
    values = {quoted[1:-1] for text in printed for quoted in _QUOTED.findall(text)}
    if not values:
        return template
    named = "|".join(re.escape(value) for value in sorted(values, key=len, reverse=True))
    value = re.compile(rf"(?<![\w-])(?:{named})(?![\w-])")
    return lambda message: value.sub("'…'", template(message))
