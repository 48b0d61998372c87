"""Every cited line exists, in the source it is said to be in."""

from copilot.checks.context import Context
from copilot.model.reply import Objection, Reply


def check(reply: Reply, context: Context) -> tuple[Objection, ...]:
    """Object to line numbers that are not there, and to causes that are empty lines."""
    objections = []
    for index, line in enumerate(reply.lines):
        text = context.text_of(line)
        if text is None:
            detail = f"there is no line {line.line} in {line.source}"
            objections.append(Objection(check="quotes_exist", detail=detail, where=f"lines.{index}"))
        elif line.role == "cause" and not text.strip():
            detail = f"line {line.line} of {line.source} is empty and cannot be a cause"
            objections.append(Objection(check="quotes_exist", detail=detail, where=f"lines.{index}"))
    return tuple(objections)
