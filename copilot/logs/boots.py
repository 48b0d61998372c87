"""Where a start of the server begins: restart loops, and several attempts pasted into one text."""

import re
from dataclasses import dataclass, field

from copilot.model.log import Line

_HEADS = (
    re.compile(r"\s*▄▄ ▄█|.{0,40}\bvLLM API server version "),
    re.compile(r"non-default args: |args: Namespace\("),
    re.compile(r"Initializing an? (?:V\d )?LLM engine "),
    re.compile(r"server config env="),
    re.compile(r"Listening on \S+ \(version "),
)
"""Printed once a start, in this order (the last two by Ollama)."""
_ORDER = (0, 1, 2, 0, 1)

_AFTER_FAULT = re.compile(
    r"Using V[01] (?:LLM )?engine|Detected WSL2|Using V2 Model Runner|Resolved architecture: |This model supports multiple tasks"
    r"|Started server process|Using 'pin_memory=False'"
)
"""Printed once early in a start: after an error they begin the next one."""
_AFTER_END = re.compile(
    r"Automatically detected platform|No platform detected|Triton (?:is )?(?:not )?installed|usage: |Traceback \(most"
    r"|docker: Error|Error response from daemon|Importing plugin|Available plugins for group|Couldn't find '/\S+id_ed25519"
)
"""Printed early by every process: only after the certain end of a start they begin the next one."""
_FAULT = re.compile(r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Died)(?::|$)|Killed$|panic: ")
_END = re.compile(
    r"RuntimeError: Engine core initialization failed|RuntimeError: Engine process failed to start"
    r"|.{0,60}: error: (?:unrecognized arguments|argument |the following arguments|ambiguous option)"
    r"|Application shutdown complete|Finished server process|\S+ exited with code \d+|docker: Error response"
)
_BANNER_TOP = 4


@dataclass(slots=True)
class _State:
    seen: dict[int, set[str | None]] = field(default_factory=dict)
    """Position of a head in a start -> processes that printed it."""
    fault: bool = False
    end: bool = False

    def watch(self, line: Line) -> None:
        """Remember what this line says about the present start."""
        if _END.match(line.message):
            self.fault = self.end = True
        elif line.level in (None, "ERROR", "CRITICAL") and _FAULT.match(line.message):
            self.fault = True


def starts(lines: list[Line], service: str | None) -> list[int]:
    """Numbers of the first lines of all starts; the first is 1. `service`: whose lines count, where there are several."""
    state, firsts = _State(), [1]
    for line in lines:
        if service is not None and line.service not in (service, None):
            continue
        if _begins(line, state) and line.number > 1:
            first = _reach_back(lines, line.number, firsts[-1])
            if first > firsts[-1]:
                firsts.append(first)
                state = _State()
        head = _head(line)
        if head is not None:
            state.seen.setdefault(head, set()).add(line.process)
        state.watch(line)
    return firsts if lines else []


def _head(line: Line) -> int | None:
    for order, pattern in zip(_ORDER, _HEADS, strict=True):
        if pattern.match(line.message):
            return order
    return None


def _begins(line: Line, state: _State) -> bool:
    head = _head(line)
    if head is not None:
        if state.end or any(order > head for order in state.seen):
            return True
        # Ranks of one start print the same head under different names; a second start prints it under the same.
        return line.process in state.seen.get(head, set()) or (state.fault and not state.seen)
    if state.end and _AFTER_END.match(line.message):
        return True
    return state.fault and _AFTER_FAULT.match(line.message) is not None


def _reach_back(lines: list[Line], number: int, floor: int) -> int:
    """The first line that belongs to the start announced at `number`: the banner's top, the platform lines before it."""
    first = number
    while first - 1 > floor and _early(lines[first - 2], lines[number - 1]):
        first -= 1
    return first


def _early(before: Line, announced: Line) -> bool:
    same_logger = before.place is not None and before.place == announced.place and before.process == announced.process
    return same_logger or _AFTER_END.match(before.message) is not None and not before.message.startswith("Traceback")
