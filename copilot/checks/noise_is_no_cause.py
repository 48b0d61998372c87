"""Wrappers, shutdown noise, harmless warnings and bare frames of a traceback are never a cause."""

import re

from copilot.checks.context import Context
from copilot.model.reply import Objection, Reply, ReplyLine

_FRAME = re.compile(r'\bFile "[^"]+", line \d+, in \S+\s*$')
"""Where the program was, not what went wrong: small models cite any line of a traceback."""


def check(reply: Reply, context: Context) -> tuple[Objection, ...]:
    """Object to a cause that is a known wrapper, noise or a frame, unless code itself found the cause there."""
    causes = {r.line for f in context.findings.found for r in f.lines if r.source == "log" and r.role == "cause"}
    noise = set(context.findings.noise) - causes
    return tuple(
        Objection(check="noise_is_no_cause", detail=said, where=f"lines.{index}")
        for index, line in enumerate(reply.lines)
        if line.source == "log" and line.role == "cause" and line.line not in causes
        if (said := _said(line, noise, context))
    )


def _said(line: ReplyLine, noise: set[int], context: Context) -> str:
    """What is wrong with this line as a cause; empty: nothing."""
    if line.line in noise:
        return f"line {line.line} is a wrapper or noise: the cause stands elsewhere"
    if _FRAME.search(context.text_of(line) or ""):
        return f"line {line.line} is a frame of a traceback: cite the line that says what went wrong"
    return ""
