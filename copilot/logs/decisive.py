"""The lines that decide, found by the structure of the log alone: causes before wrappers, no list of known failures."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from copilot.logs.causes import WRAPPER, passes_on, telling
from copilot.logs.exceptions import LINK, Raised, raised
from copilot.logs.symptoms import HINT, HUB_REQUEST, NOISE, READY, REQUEST, STOP, SYMPTOMS
from copilot.logs.template import template
from copilot.model.log import Boot, Decisive, Line, Log

_BOOT = 1000
"""The last boot comes before all earlier ones."""
_MOST = 60
_FEW_HINTS = 8
_SAME = 160
"""Characters of a template that make two lines copies: collectors cut long lines at different places."""

_PYDANTIC, _EXCEPTION, _LOGGED, _WRAPPER, _HTTP, _HINT = 850, 700, 300, 200, 150, 50
_HEADER = re.compile(r"(?:[\w.]*ValidationError: )?\d+ validation errors? for ")
_SENTENCE = re.compile(r"\s*(?:Value error|Assertion failed), ")
_DETAIL = re.compile(r"\s{2,}\S.*\[type=\w+|\s{2}(?:Input should|Field required|Extra inputs|Unexpected keyword)")
_REQUEST_HEADER = "Exception in ASGI application"


@dataclass(frozen=True, slots=True)
class _Candidate:
    line: Line
    kind: str
    points: int


def decisive(log: Log) -> tuple[Decisive, ...]:
    """The deciding lines of all boots, most important first; none where nothing failed.

    `also` holds the copies of a line: other processes' prints of the same cause. Kind `hint` is a guess by words, given
    only for a boot that did not come up and holds nothing better.
    """
    found: list[Decisive] = []
    for boot in log.boots:
        found += _merged(_candidates(_own(log, boot)), _BOOT * (boot.index + 1))
    found.sort(key=lambda one: (-one.weight, one.number))
    return tuple(found[:_MOST])


def _own(log: Log, boot: Boot) -> list[Line]:
    """The boot's lines without those of other services and what every shutdown prints."""
    lines = log.between(boot)
    ours = (None, log.service)
    return [one for one in lines if (log.service is None or one.service in ours) and not NOISE.match(one.message)]


def _candidates(lines: Sequence[Line]) -> list[_Candidate]:
    exceptions = raised(lines)
    ready = next((line.number for line in lines if READY.match(line.message)), None)
    quiet = _quiet_after(lines, exceptions, ready)
    before = [line for line in lines if line.number < quiet]
    found = _from_exceptions([one for one in exceptions if one.line.number < quiet])
    found += _from_details(lines)
    found += _from_symptoms(before, exceptions)
    found += _from_hub(before)
    found = _served(found, before, ready)
    found += _from_requests(before)
    if not found and ready is None:
        found = _hints(before)
    return _signals_instead_of_wrappers(found)


def _quiet_after(lines: Sequence[Line], exceptions: Sequence[Raised], ready: int | None) -> int:
    """The line from which on the server, sound until then, goes down because it was asked to."""
    end = lines[-1].number + 1 if lines else 0
    stop = next((line.number for line in lines if line.number > (ready or 0) and STOP.match(line.message)), end)
    grave = [one for one in exceptions if _severe(one.line)]
    if any(passes_on(one) for one in grave if (ready or 0) < one.line.number < stop):
        return end
    if ready is None and any(not passes_on(one) for one in grave):
        return end
    return stop


def _severe(line: Line) -> bool:
    return line.level in (None, "ERROR", "CRITICAL")


def _from_exceptions(exceptions: Sequence[Raised]) -> list[_Candidate]:
    """One candidate for each chain: earlier ones count more, what only passes on least."""
    inner = {id(one.cause) for one in exceptions if one.cause}
    found: list[_Candidate] = []
    for position, last in enumerate(one for one in exceptions if id(one) not in inner):
        best = telling(last)
        points = _EXCEPTION - min(position, 100) - (0 if _severe(best.line) else 450)
        for one in _chain(last):
            if _HEADER.search(one.line.message):
                continue
            if passes_on(one):
                found.append(_Candidate(one.line, "wrapper", _WRAPPER - min(position, 100)))
            else:
                found.append(_Candidate(one.line, "exception", points if one is best else max(points - 400, 60)))
    return found


def _chain(last: Raised) -> Iterator[Raised]:
    one: Raised | None = last
    while one is not None:
        yield one
        one = one.cause


def _from_details(lines: Sequence[Line]) -> list[_Candidate]:
    """The sentences under pydantic's header, not the header: it only counts them."""
    found: list[_Candidate] = []
    left = 0
    for line in lines:
        left = 40 if "validation error" in line.message and _HEADER.search(line.message) else max(left - 1, 0)
        if _SENTENCE.match(line.message) or (left and _DETAIL.match(line.message)):
            found.append(_Candidate(line, "pydantic", _PYDANTIC))
            left = 0
    return found


def _from_symptoms(lines: Sequence[Line], exceptions: Sequence[Raised]) -> list[_Candidate]:
    """Lines that are no exception: usage errors, the daemon's refusals, signals, errors that a logger marks."""
    taken = {one.line.number for one in exceptions}
    found: list[_Candidate] = []
    for position, line in enumerate(lines):
        if line.number in taken or not line.message.strip():
            continue
        following = lines[position + 1].message if position + 1 < len(lines) else ""
        one = _symptom(line) or _logged(line, following)
        if one:
            found.append(one)
        elif following.startswith(LINK) or (not following.strip() and _links(lines, position)):
            found.append(_Candidate(line, "exception", _EXCEPTION - 1))
    return found


def _links(lines: Sequence[Line], position: int) -> bool:
    """A text right above `During handling of the above exception` is an exception whose class was cut off."""
    after = position + 2
    return after < len(lines) and lines[after].message.startswith(LINK) and not lines[position].message.startswith(" ")


def _symptom(line: Line) -> _Candidate | None:
    calm = line.level in ("DEBUG", "INFO")
    for symptom in SYMPTOMS:
        if (symptom.kind == "signal" or not calm) and symptom.pattern.match(line.message):
            return _Candidate(line, symptom.kind, symptom.points)
    return None


def _logged(line: Line, following: str) -> _Candidate | None:
    """A line at ERROR that is neither part of a traceback nor the title of one."""
    if line.message.startswith((" ", "Traceback", *LINK)):
        return None
    if _severe(line) and WRAPPER.search(line.message):
        return _Candidate(line, "wrapper", _WRAPPER - 101)
    if line.level not in ("ERROR", "CRITICAL") or following.startswith("Traceback"):
        return None
    return _Candidate(line, "fatal", _LOGGED)


def _from_hub(lines: Sequence[Line]) -> list[_Candidate]:
    """The hub's client names the real trouble at each retry; the exception that ends the retries is vaguer."""
    return [_Candidate(line, "http", _EXCEPTION + 10) for line in lines if HUB_REQUEST in line.message]


def _served(found: list[_Candidate], lines: Sequence[Line], ready: int | None) -> list[_Candidate]:
    """In a server that is up, what a request ran into is that request's trouble, not the server's."""
    if ready is None:
        return found
    inside = _in_requests(lines)
    return [
        replace(one, kind="http", points=_HTTP + 30)
        if one.line.number > ready and (one.line.number in inside or (one.kind == "fatal" and one.points == _LOGGED))
        else one
        for one in found
    ]


def _in_requests(lines: Sequence[Line]) -> set[int]:
    """Numbers of the lines of tracebacks that the web framework printed for one request."""
    numbers: set[int] = set()
    inside = False
    for line in lines:
        if _REQUEST_HEADER in line.message:
            inside = True
        elif line.level is not None:
            inside = False
        elif inside:
            numbers.add(line.number)
    return numbers


def _from_requests(lines: Sequence[Line]) -> list[_Candidate]:
    """Requests that were refused, and what the server said just before."""
    found: list[_Candidate] = []
    for position, line in enumerate(lines):
        if not REQUEST.match(line.message):
            continue
        found.append(_Candidate(line, "http", _HTTP))
        found += [_Candidate(one, "http", _HTTP + 20) for one in lines[max(0, position - 2) : position] if _says(one)]
    return found


def _says(line: Line) -> bool:
    return line.level in ("WARNING", "ERROR") and bool(line.message.strip()) and not line.message.startswith(" ")


def _hints(lines: Sequence[Line]) -> list[_Candidate]:
    """The last lines that speak of trouble; else the last that a logger marked. A log that runs on well has none."""
    if sum(1 for one in lines if one.level in ("DEBUG", "INFO")) > max(len(lines) // 2, 1):
        return []
    worded = [one for one in lines if one.level not in ("DEBUG", "INFO") and HINT.search(one.message)]
    marked = [one for one in lines if one.level in ("WARNING", "ERROR", "CRITICAL") and one.message.strip()]
    chosen = (worded or marked)[-_FEW_HINTS:]
    return [_Candidate(one, "hint", _HINT) for one in chosen]


def _signals_instead_of_wrappers(found: list[_Candidate]) -> list[_Candidate]:
    """Where nothing but wrappers is left, a process was ended from outside: they are the only evidence."""
    if any(one.kind not in ("wrapper", "http") for one in found):
        return found
    return [replace(one, kind="signal") if one.kind == "wrapper" else one for one in found]


def _merged(candidates: Iterable[_Candidate], base: int) -> list[Decisive]:
    """One entry for each thing said; the first line of the best kind stands for its copies."""
    groups: dict[str, tuple[_Candidate, set[int]]] = {}
    seen: set[int] = set()
    for one in sorted(candidates, key=lambda one: (-one.points, one.line.number)):
        if one.line.number in seen:
            continue
        seen.add(one.line.number)
        key = template(one.line.message)[:_SAME]
        if key in groups:
            groups[key][1].add(one.line.number)
        else:
            groups[key] = (one, set())
    return [
        Decisive(one.line.number, one.kind, base + one.points, tuple(sorted(also))) for one, also in groups.values()
    ]
