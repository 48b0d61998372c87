"""The lines that decide, found by the structure of the log alone: causes before wrappers, no list of known failures."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from copilot.logs.causes import WRAPPER, passes_on, telling
from copilot.logs.exceptions import Raised, raised
from copilot.logs.template import template
from copilot.model.log import Boot, Decisive, Line, Log

_BOOT = 1000
"""The last boot comes before all earlier ones."""
_MOST = 60

_ARGPARSE = re.compile(
    r"[\w./ -]{1,60}: error: \S|Usage: \w.* \[OPTIONS\]|Error: (?:No such|Invalid|Missing) (?:command|option|value)"
)
_PYDANTIC = re.compile(r"(?:[\w.]*ValidationError: )?\d+ validation errors? for ")
_DETAIL = re.compile(
    r"\s*(?:Value error|Assertion failed), |\s{2,}\S.*\[type=\w+|\s{2}(?:Input should|Field required|Extra inputs|Unexpected keyword)"
)
_DETAIL_END = "For further information visit"
_DAEMON = re.compile(
    r"(?:docker: )?Error response from daemon: |nvidia-container-cli\S*: |\S*OCI runtime \w+ failed|ERROR: for |exec: .*(?:not found|no such file|permission denied)"
    r"|exec /\S+: (?:exec format|no such file|permission)|services\.\S+ .*(?:not allowed|must be)|.*could not select device driver|.*failed to (?:create task|discover GPU)"
    r"|Failed to initialize NVML: |validating \S+: |bind source path does not exist|.*unknown or invalid runtime name"
)
_SIGNAL = re.compile(
    r".*(?:died unexpectedly|exited|exit).*\((?:exit ?code|code)[:= ]+-\d+|.*exit ?code[:= ]+(?:-\d+|13[0-9]|143)\b|(?:\S+: line \d+:\s+\d+ )?(?:Killed|Segmentation fault|Bus error|Illegal instruction|Aborted)\b"
    r"|.*signal: (?:killed|segmentation|aborted|bus error|illegal)|Fatal Python error: |.*[Oo]ut of memory: Killed process|.*Memory cgroup out of memory|.*killed by SIGKILL|!{3,} Segfault|\*{3} SIG\w+ received"
)
_FATAL = re.compile(
    r"panic: |fatal error: |.{0,300}\bfatal error: |.{0,60}: (?:undefined symbol|cannot open shared object)|terminate called after|ninja: build stopped|GGML_ASSERT|ggml_cuda\S*: .*error|CUDA error: "
    r"|.*error loading model|.*unable to (?:load|create) |.*cudaMalloc failed|Error: |llama_model_load: error|.*(?:llama runner|llama-server) process has terminated"
    r"|.*model requires more system memory|.*timed out waiting for|/bin/sh: \d+: |.*No space left on device"
)
_HUB_REQUEST = re.compile(r".+ thrown while requesting (?:HEAD|GET) ")
_ACCESS = re.compile(r'.*"[A-Z]+ \S+ HTTP/\d\.\d" (?P<status>[45]\d\d)|\[GIN\][^|]*\| +(?P<gin>[45]\d\d) \|')
_READY = re.compile(r"Application startup complete|Uvicorn running on|Listening on ")
_STOP = re.compile(
    r"\[shutdown\] API server: shutdown triggered|Received signal |Shutting down$|KeyboardInterrupt|Caught (?:signal|SIG)"
)
_NOISE = re.compile(
    r"nanobind: |resource_tracker|destroy_process_group|Exception ignored in|.*leaked (?:semaphore|shared_memory)"
)

_POINTS = {
    "argparse": 900,
    "pydantic": 850,
    "daemon": 800,
    "exception": 700,
    "fatal": 500,
    "signal": 450,
    "wrapper": 200,
    "http": 150,
}


@dataclass(frozen=True, slots=True)
class _Candidate:
    line: Line
    kind: str
    points: int


def decisive(log: Log) -> tuple[Decisive, ...]:
    """The deciding lines of all boots, most important first; none where nothing failed.

    `also` holds the copies of a line: other processes' prints of the same cause, and wrappers that quote it.
    """
    found: list[Decisive] = []
    for boot in log.boots:
        lines = _own(log, boot)
        base = _BOOT * (boot.index + 1)
        found += _merged(_candidates(lines), base)
    found.sort(key=lambda one: (-one.weight, one.number))
    return tuple(found[:_MOST])


def _own(log: Log, boot: Boot) -> list[Line]:
    """The boot's lines without those of other services and what every shutdown prints."""
    lines = log.lines[boot.first - 1 : boot.last]
    return [
        one
        for one in lines
        if (log.service is None or one.service in (log.service, None)) and not _NOISE.match(one.message)
    ]


def _candidates(lines: Sequence[Line]) -> list[_Candidate]:
    exceptions = raised(lines)
    quiet = _quiet_after(lines, exceptions)
    found = list(_from_exceptions([one for one in exceptions if one.line.number < quiet]))
    found += _from_details(lines)
    found += _from_words([line for line in lines if line.number < quiet], {one.line.number for one in exceptions})
    found += _from_requests(lines, quiet)
    return _signals_instead_of_wrappers(found)


def _quiet_after(lines: Sequence[Line], exceptions: Sequence[Raised]) -> int:
    """The line from which on the server, healthy until then, goes down because it was asked to."""
    ready = next((line.number for line in lines if _READY.match(line.message)), None)
    if ready is None:
        return lines[-1].number + 1 if lines else 0
    for line in lines:
        if line.number > ready and _STOP.match(line.message):
            if any(ready < one.line.number < line.number and _severe(one.line) for one in exceptions):
                break
            return line.number
    return lines[-1].number + 1


def _severe(line: Line) -> bool:
    return line.level in (None, "ERROR", "CRITICAL")


def _from_exceptions(exceptions: Sequence[Raised]) -> Iterable[_Candidate]:
    """One candidate for each chain: earlier ones count more, what passes on least."""
    inner = {id(one.cause) for one in exceptions if one.cause}
    for position, last in enumerate(one for one in exceptions if id(one) not in inner):
        best = telling(last)
        if _PYDANTIC.search(best.line.message):
            continue
        points = _POINTS["exception"] - min(position, 100)
        if passes_on(best):
            yield _Candidate(best.line, "wrapper", _POINTS["wrapper"] - min(position, 100))
        elif not _severe(best.line):
            yield _Candidate(best.line, "exception", points - 450)
        else:
            yield _Candidate(best.line, "exception", points)
        for other in _others(last, best):
            yield _Candidate(other.line, "wrapper" if passes_on(other) else "exception", points - 400)


def _others(last: Raised, best: Raised) -> Iterable[Raised]:
    one: Raised | None = last
    while one is not None:
        if one is not best and not _PYDANTIC.search(one.line.message):
            yield one
        one = one.cause


def _from_details(lines: Sequence[Line]) -> Iterable[_Candidate]:
    """The sentences under a pydantic header, not the header."""
    left = 0
    for line in lines:
        if _PYDANTIC.search(line.message):
            left = 40
        elif left and _DETAIL_END in line.message:
            left -= 1
        elif left and _DETAIL.match(line.message):
            yield _Candidate(line, "pydantic", _POINTS["pydantic"])
            left = 0
        left = max(left - 1, 0)


def _from_words(lines: Sequence[Line], taken: set[int]) -> Iterable[_Candidate]:
    """Lines that are no exception: usage errors, the daemon's refusals, signals, fatal errors of other languages."""
    hub = 0
    for line in lines:
        message = line.message
        if line.number in taken or (line.level in ("DEBUG", "INFO") and not _SIGNAL.match(message)):
            continue
        if _ARGPARSE.match(message):
            yield _Candidate(line, "argparse", _POINTS["argparse"])
        elif _DAEMON.match(message):
            yield _Candidate(line, "daemon", _POINTS["daemon"])
        elif _HUB_REQUEST.match(message):
            hub += 1
            yield _Candidate(line, "http", _POINTS["exception"] + 20 - hub)
        elif _SIGNAL.match(message):
            yield _Candidate(line, "signal", _POINTS["signal"])
        elif WRAPPER.search(message) and _severe(line):
            yield _Candidate(line, "wrapper", _POINTS["wrapper"] - 50)
        elif _FATAL.match(message):
            yield _Candidate(line, "fatal", _POINTS["fatal"])
        elif line.level in ("ERROR", "CRITICAL") and not message.startswith((" ", "Traceback")) and message.strip():
            yield _Candidate(line, "fatal", _POINTS["wrapper"] + 100)


def _from_requests(lines: Sequence[Line], quiet: int) -> Iterable[_Candidate]:
    """Requests that were refused, and what the server said just before the first of a kind."""
    for position, line in enumerate(lines):
        if line.number >= quiet or not _ACCESS.match(line.message):
            continue
        yield _Candidate(line, "http", _POINTS["http"])
        for before in lines[max(0, position - 2) : position]:
            if before.level in ("WARNING", "ERROR") and before.message.strip() and not before.message.startswith(" "):
                yield _Candidate(before, "http", _POINTS["http"] + 20)


def _signals_instead_of_wrappers(found: list[_Candidate]) -> list[_Candidate]:
    """Where nothing but wrappers is left, a process was ended from outside: they are the only evidence."""
    if any(one.kind not in ("wrapper", "http") or one.points > _POINTS["signal"] for one in found):
        return found
    return [_Candidate(one.line, "signal", one.points) if one.kind == "wrapper" else one for one in found]


def _merged(candidates: Sequence[_Candidate], base: int) -> list[Decisive]:
    """One entry for each thing said; the first line of the best kind stands for its copies."""
    ordered = sorted(candidates, key=lambda one: (-one.points, one.line.number))
    groups: list[tuple[_Candidate, list[int]]] = []
    keys: dict[str, int] = {}
    numbers: dict[int, int] = {}
    for one in ordered:
        key = template(one.line.message)
        at = numbers.get(one.line.number, keys.get(key, -1))
        if at < 0:
            at = keys[key] = len(groups)
            groups.append((one, []))
        elif one.line.number not in (groups[at][0].line.number, *groups[at][1]):
            groups[at][1].append(one.line.number)
        numbers[one.line.number] = at
    return [Decisive(one.line.number, one.kind, base + one.points, tuple(sorted(also))) for one, also in groups]
