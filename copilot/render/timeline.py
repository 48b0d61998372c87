"""The timeline of a session."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from copilot.model.answer import Answer
from copilot.model.text import Lang
from copilot.render.answer import change_sentence
from copilot.render.console import plain
from copilot.session import Record
from copilot.text import say

if TYPE_CHECKING:
    from rich.console import RenderableType


def render_timeline(record: Record, answers: Sequence[Answer], lang: Lang) -> "RenderableType":
    """One line per round: what was found, what was tried, what came of it."""
    from rich.console import Group

    parts = [plain(f"{record.id}  {record.created}  {record.status}", "bold")]
    outcomes = {step.round: step for step in record.history}
    for answer in answers:
        first = answer.faults[0].title if answer.faults else say(f"status.{answer.status}", lang)
        parts.append(plain(f"  {answer.round}. {first}"))
        experiment = answer.experiment
        if experiment is not None:
            tried = change_sentence(experiment.change, lang) if experiment.change else experiment.observe or ""
            parts.append(plain(f"     → {tried}", "cyan"))
        step = outcomes.get(answer.round)
        if step is not None and step.verdict:
            parts.append(plain(f"     = {say(f'verdict.{step.verdict}', lang)}", "bold"))
    return Group(*parts)
