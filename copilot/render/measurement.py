"""Measurements on a terminal, and as SVG."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from copilot.errors import UsageError
from copilot.model.measurement import Measurement, MeasurementComparison, Phase, Spread
from copilot.model.text import Lang
from copilot.render.console import plain
from copilot.text import say
from copilot.text.errors import translated

if TYPE_CHECKING:
    from rich.console import RenderableType

BAR = 12
"""Width of the longest bar, in characters."""
MILLI = 1000
FIGURES = ("first_token_s", "per_token_s", "tokens_per_s")


def render_measurement(found: Measurement, lang: Lang) -> "RenderableType":
    """One record: what ran, the figures with their spread, the GPUs."""
    from rich.console import Group
    from rich.table import Table

    around = found.surroundings
    engine = " ".join(word for word in (around.engine, around.version) if word) or say("measure.engine", lang)
    shape = found.shape.model_dump()
    head = [
        plain(f"{found.id}  {engine}  {around.model}", "bold"),
        plain(say("measure.shape", lang, **shape), "dim"),
    ]
    table = Table(box=None, padding=(0, 1))
    for key in ("phase", *FIGURES, "tokens", "failed"):
        table.add_column(say(f"measure.column.{key}", lang), justify="left" if key == "phase" else "right")
    for phase in found.phases:
        table.add_row(*_cells(phase, lang))
    return Group(*head, table, *_remarks(found, lang))


def _cells(phase: Phase, lang: Lang) -> list[str]:
    tokens = f"{phase.prompt_tokens or '?'} → {phase.output_tokens or '?'}"
    figures = [_figure(name, getattr(phase, name)) for name in FIGURES]
    return [say(f"measure.{phase.name}", lang), *figures, tokens, f"{phase.failed}/{phase.requests}"]


def _figure(name: str, value: Spread | None) -> str:
    """Median and quartiles, times in milliseconds."""
    if value is None:
        return "–"
    scale, digits = (1, 1) if name == "tokens_per_s" else (MILLI, 1 if name == "per_token_s" else 0)
    middle, low, high = (f"{scale * figure:.{digits}f}" for figure in (value.median, value.low, value.high))
    return middle if value.count == 1 else f"{middle} ({low}–{high})"


def _remarks(found: Measurement, lang: Lang) -> "list[RenderableType]":
    around = found.surroundings
    said: list[RenderableType] = []
    if found.reload_s is not None:
        said.append(plain(say("measure.reloaded", lang, seconds=f"{found.reload_s:.1f}"), "yellow"))
    if found.counted == "pieces":
        said.append(plain(say("measure.pieces", lang), "dim"))
    if not found.complete:
        said.append(plain(say("measure.incomplete", lang), "yellow"))
    said += [plain(translated(phase.problem, lang), "red") for phase in found.phases if phase.problem]
    for gpu in found.gpus:
        busy = "" if gpu.utilization_mean is None else f", {gpu.utilization_mean:.0f} %"
        said.append(plain(f"{gpu.name}: {gpu.used_before_mib} → {gpu.used_most_mib} / {gpu.total_mib} MiB{busy}"))
    if around.kv_tokens is not None:
        predicted = around.kv_tokens_predicted
        key = "measure.kv" if predicted is None else "measure.kv_predicted"
        said.append(plain(say(key, lang, tokens=around.kv_tokens, predicted=predicted)))
    return said


def render_measurements(records: Sequence[Measurement]) -> "RenderableType":
    """The list, one row each."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 1), show_header=False)
    for one in records:
        alone = one.phase("alone") or one.phase("cold")
        rate = f"{alone.tokens_per_s.median:.1f} tok/s" if alone and alone.tokens_per_s else "–"
        engine = " ".join(word for word in (one.surroundings.engine, one.surroundings.version) if word)
        table.add_row(one.id, one.taken, plain(engine), plain(one.surroundings.model), rate)
    return table


def render_measured_difference(found: MeasurementComparison, lang: Lang) -> "RenderableType":
    """Two records: bars of both per figure, whether more than chance lies between them, and the settings."""
    from rich.console import Group
    from rich.table import Table

    parts: list[RenderableType] = [plain(f"A {found.a}   B {found.b}", "bold")]
    if not found.same_shape:
        parts.append(plain(say("measure.shapes", lang), "yellow"))
    table = Table(box=None, padding=(0, 1), show_header=False)
    phase = ""
    for row in found.rows:
        longest = max(row.a.median, row.b.median)
        if row.phase != phase:
            phase = row.phase
            table.add_row(plain(say(f"measure.{phase}", lang), "bold"))
        name = f"  {say(f'measure.column.{row.figure}', lang)}"
        for letter, value in (("A", row.a), ("B", row.b)):
            style = "green" if row.better == letter.lower() else "blue"
            bar = "█" * max(1, round(BAR * value.median / longest))
            said = "" if letter == "A" else _judged(row.ratio, lang, beyond=row.beyond_spread)
            table.add_row(name if letter == "A" else "", letter, plain(bar, style), _figure(row.figure, value), said)
    parts.append(table)
    parts.append(plain(say("measure.differing" if found.differing else "measure.alike", lang), "bold"))
    parts += [plain(f"  {d.name}: {d.a or '–'} → {d.b or '–'}") for d in found.differing]
    return Group(*parts)


def _judged(ratio: float, lang: Lang, *, beyond: bool) -> str:
    word = say("measure.beyond" if beyond else "measure.within", lang)
    return f"× {ratio:.2f}  {word}"


def save_svg(shown: "RenderableType", path: Path) -> None:
    """Write what the terminal shows as SVG; UsageError when the file cannot be written."""
    from rich.console import Console

    console = Console(file=io.StringIO(), record=True, width=110, markup=False, emoji=False, highlight=False)
    console.print(shown)
    try:
        path.write_text(console.export_svg(title="copilot measure", unique_id="copilot-measure"), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.", "Name another file.") from error
