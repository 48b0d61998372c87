"""Two boots side by side, on a terminal."""

from typing import TYPE_CHECKING

from copilot.model.comparison import ComparisonDocument
from copilot.model.text import Lang
from copilot.render.answer import change_sentence
from copilot.render.console import plain
from copilot.text import say

if TYPE_CHECKING:
    from rich.console import RenderableType

MAX_LINES = 40


def render_comparison(found: ComparisonDocument, lang: Lang) -> "RenderableType":
    """Verdict, phases, the switch, then what is gone, new and changed by topic."""
    from rich.console import Group

    phases = f"{say(f'phase.{found.phase.a}', lang)} → {say(f'phase.{found.phase.b}', lang)}"
    parts = [plain(f"{say(f'verdict.{found.verdict}', lang)}  ({phases})", "bold")]
    if found.parameter is not None:
        parts.append(plain(f"{found.parameter.name}: {found.parameter.because}", "yellow"))
        if found.parameter.same_path:
            parts.append(plain(f"  {say('compare.same_path', lang)}: {', '.join(found.parameter.same_path)}", "cyan"))
    for key, lines, style in (("gone", found.gone, "red"), ("new", found.new, "green")):
        word = say(f"compared.{key}", lang)
        parts += [plain(f"  {word} {line.line:>5} [{line.topic}] {line.text}", style) for line in lines[:MAX_LINES]]
    for pair in found.changed[:MAX_LINES]:
        parts.append(plain(f"  {say('compared.changed', lang)} {pair.a.line:>5} [{pair.a.topic}] {pair.a.text}", "dim"))
        parts.append(plain(f"  {'→':>8} {pair.b.line:>5} {pair.b.text}"))
    if found.experiment is not None:
        change = found.experiment.change
        what = change_sentence(change, lang) if change else found.experiment.observe or ""
        parts.append(plain(f"{say('experiment', lang)}: {what}", "bold green"))
        parts.append(plain(f"  {found.experiment.why}"))
    return Group(*parts)
