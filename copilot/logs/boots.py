"""Where a start of the server begins: restart loops, and several attempts pasted into one text."""

import re
from dataclasses import dataclass, field

from copilot.logs.symptoms import any_of
from copilot.model.log import Line

_HEADS = (
    (0, any_of(r"\s*▄▄ ▄█", r".{0,40}\bvLLM (?:API )?server version ")),
    (1, any_of(r"non-default args: ", r".{0,40}\bargs: Namespace\(")),
    (2, any_of(r"Initializing an? (?:V\d )?LLM engine ")),
    (0, any_of(r"server config env=")),
    (1, any_of(r"Listening on \S+ \(version ")),
)
"""Printed once a start, in this order (the last two by Ollama)."""
HEAD = any_of(*(pattern.pattern for _, pattern in _HEADS))
"""What only the beginning of a start prints."""
_AFTER_FAULT = any_of(
    r"Using V[01] (?:LLM )?engine",
    r"(?:WSL|WSL2)? ?Detected WSL2?",
    r"Resolved architecture: ",
    r"This model supports multiple tasks",
    r"Started server process",
)
"""Printed once early in a start: after an error they begin the next one."""
_AFTER_END = any_of(
    r"Automatically detected platform",
    r"No platform detected",
    r"Triton (?:is )?(?:not )?installed",
    r"Available plugins for group",
    r"usage: ",
    r"Couldn't find '/\S+id_ed25519'",
)
"""Printed early by every process: only after the certain end of a start they begin the next one."""
_FAULT = any_of(
    r" ?(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Died)(?::|$)",
    r"Killed$",
    r"panic: ",
    r".{0,40}(?:CAS (?:Client Error|service error)|CUDA (?:error|pinned memory allocation failed))",
)
_END = any_of(
    r"RuntimeError: Engine (?:core initialization failed|process failed to start)",
    r"[\w./ -]{1,60}: error: (?:unrecognized arguments|argument |the following arguments|ambiguous option)",
    r"Application shutdown complete",
    r"Finished server process",
    r"(?:docker: )?Error response from daemon: ",
)
_PREAMBLE = re.compile(r"(?:.*/)?(?:__init__|importing|interface|cpp_extension|_opaque_base|opaque_object)\.py:\d+$")
"""Where the lines come from that are printed before the banner."""
_GONE = re.compile(r"(?P<service>\S+) exited with code \d+")
"""Said by the collector, not by the program: whatever comes next is another start."""


@dataclass(slots=True)
class _State:
    seen: dict[int, set[str | None]] = field(default_factory=dict)
    """Place of a head in a start -> processes that printed it."""
    fault: bool = False
    end: bool = False
    gone: bool = False

    def watch(self, line: Line) -> None:
        """Remember what this line says about the present start."""
        head = _head(line)
        if head is not None:
            self.seen.setdefault(head, set()).add(line.process)
        self.gone = self.gone or _GONE.match(line.message) is not None
        self.end = self.end or _END.match(line.message) is not None
        marked = line.level in (None, "ERROR", "CRITICAL")
        self.fault = self.fault or self.end or (marked and _FAULT.match(line.message) is not None)


def starts(lines: list[Line], service: str | None) -> list[int]:
    """Numbers of the first lines of all starts; the first is 1.

    `service`: whose lines count, in a log of several.
    """
    state, firsts = _State(), [1]
    opening = _pair(lines, 0)
    for line in lines:
        other = service is not None and line.service not in (service, None)
        if other or _said_of_another(line, service) or not line.message.strip():
            continue
        again = state.fault and not state.seen and _pair(lines, line.number - 1) == opening
        if line.number > 1 and (again or _begins(line, state)):
            first = _reach_back(lines, line.number, firsts[-1])
            if first > firsts[-1]:
                firsts.append(first)
                state = _State()
        state.watch(line)
    return firsts if lines else []


def _pair(lines: list[Line], index: int) -> tuple[str, ...]:
    """Two lines together: a log without any banner that begins as it began before has started again."""
    return tuple(line.message for line in lines[index : index + 2])


def _said_of_another(line: Line, service: str | None) -> bool:
    """`db-1 exited with code 0` in the log of another service."""
    gone = _GONE.match(line.message)
    return gone is not None and service is not None and gone["service"] != service


def _head(line: Line) -> int | None:
    return next((order for order, pattern in _HEADS if pattern.match(line.message)), None)


def _begins(line: Line, state: _State) -> bool:
    if state.gone:
        return True
    head = _head(line)
    if head is not None:
        if state.end or any(order > head for order in state.seen):
            return True
        # Ranks of one start print the same head under different names; a second start prints it under the same.
        return line.process in state.seen.get(head, set()) or (state.fault and not state.seen)
    if state.end and (_AFTER_END.match(line.message) or line.message.startswith("docker: ")):
        return True
    return state.fault and _AFTER_FAULT.match(line.message) is not None


def _reach_back(lines: list[Line], number: int, floor: int) -> int:
    """The first line of the start announced at `number`: the banner's top, the platform lines before it."""
    first = number
    while first - 1 > floor and _early(lines[first - 2], lines[number - 1]):
        first -= 1
    return first


def _early(before: Line, announced: Line) -> bool:
    """Whether the line is of the same banner, or one of those that come before it."""
    same_logger = before.place is not None and before.place == announced.place
    if same_logger and before.process == announced.process:
        return True
    unnamed = before.process is None and before.place is not None
    return (unnamed and _PREAMBLE.match(before.place or "") is not None) or _AFTER_END.match(before.message) is not None
