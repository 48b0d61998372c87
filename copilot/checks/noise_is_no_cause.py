"""Wrappers, shutdown noise and harmless warnings are never a cause."""

from copilot.checks.context import Context
from copilot.model.reply import Objection, Reply


def check(reply: Reply, context: Context) -> tuple[Objection, ...]:
    """Object to a cause that is a known wrapper or noise, unless code itself found the cause there."""
    causes = {r.line for f in context.findings.found for r in f.lines if r.source == "log" and r.role == "cause"}
    noise = set(context.findings.noise) - causes
    return tuple(
        Objection(
            check="noise_is_no_cause",
            detail=f"line {line.line} is a wrapper or noise: the cause stands elsewhere",
            where=f"lines.{index}",
        )
        for index, line in enumerate(reply.lines)
        if line.source == "log" and line.role == "cause" and line.line in noise
    )
