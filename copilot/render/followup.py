"""Answers to `why` and `explain LINE`, from the evidence."""

from typing import TYPE_CHECKING

from copilot.model.answer import Answer
from copilot.model.evidence import Evidence
from copilot.model.text import Lang
from copilot.render.console import plain
from copilot.text import say
from copilot.text.errors import translated

if TYPE_CHECKING:
    from rich.console import RenderableType


def why(answer: Answer, lang: Lang) -> "RenderableType":
    """What speaks for each fault, and what against it."""
    from rich.console import Group

    parts = []
    for fault in answer.faults:
        parts.append(plain(f"{fault.title}  [{say(f'confidence.{fault.confidence}', lang)}]", "bold"))
        for line in answer.lines:
            if line.fault == fault.id and line.role in ("cause", "symptom", "context"):
                text = f"  {say('why.for', lang)}: {line.source} {line.line}: {line.text.strip()[:160]}  — {line.why}"
                parts.append(plain(text))
        against = [translated(c.detail, lang) for c in answer.checks if not c.passed]
        against += list(answer.ledger.conflicts) if answer.ledger else []
        said = against or [say("why.nothing", lang)]
        parts += [plain(f"  {say('why.against', lang)}: {detail}", "dim") for detail in said]
    return Group(*parts)


def explain_line(answer: Answer, evidence: Evidence, number: int, lang: Lang) -> "RenderableType":
    """What a log line is: its text, and what the answer says of it."""
    from rich.console import Group

    log = evidence.text("log")
    try:
        text = log.line(number) if log else ""
    except IndexError:
        return plain(say("loop.noline", lang, number=number), "yellow")
    parts = [plain(f"{number}: {text}")]
    parts += [
        plain(f"  {say(f'role.{line.role}', lang)} · {line.parameter or '–'} · {line.topic}: {line.why}", "cyan")
        for line in answer.lines
        if line.source == "log" and line.line == number
    ]
    return Group(*parts)
