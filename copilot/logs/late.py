"""Whether a log begins after what it ends with: people paste the last lines, and the cause stands above them."""

import re

from copilot.logs.boots import HEAD
from copilot.model.log import Line, Log

_INSIDE = re.compile(
    r'\s+(?:File ".+", line \d+|[a-z_][\w.]*\(|(?:await|return|raise|yield|with|async|for|if|self)\b|\^)'
)
_POINTS_UP = re.compile(
    r"[Ss]ee (?:the )?(?:stack trace|root cause)\b.{0,14}\babove|[Ss]ee stack trace for the root cause|"
    r"\bRuntimeError: Engine (?:core initialization|process) failed|\[shutdown\] Process manager"
)
"""Words that point to lines further up, or that only follow from what stands there."""
_FIRST = 3
"""Lines at whose beginning a cut shows."""


def begins_late(log: Log) -> bool:
    """Whether the last start's own beginning is missing: no banner, and the first lines or the last words lead up."""
    lines = log.last_boot().lines
    if any(HEAD.match(line.message) for line in lines):
        return False
    return any(_inside(line) for line in lines[:_FIRST]) or any(_POINTS_UP.search(line.message) for line in lines)


def _inside(line: Line) -> bool:
    """Whether the line belongs to a traceback."""
    return _INSIDE.match(line.message) is not None
