"""The forecast as a table with a stacked bar."""

from typing import TYPE_CHECKING

from copilot.ledger.bars import label, segments
from copilot.ledger.notes import note_in
from copilot.model.fit import FitChange, FitDocument
from copilot.model.ledger import Row
from copilot.model.text import Lang
from copilot.render.console import plain

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text as RichText

_STYLES = {
    "weights": "blue",
    "non_torch": "bright_black",
    "activation": "yellow",
    "graphs": "magenta",
    "kv_available": "green",
    "kv_needed": "green",
    "rest": "white",
    "over": "red",
}
_GLYPHS = {"rest": "░", "over": "▓"}
_WIDTH = 60


def fit_view(document: FitDocument, lang: Lang) -> "RenderableType":
    """Verdict, bar, rows, the smallest change, advice and assumptions."""
    from rich.console import Group
    from rich.table import Table

    table = Table(box=None, padding=(0, 1), show_header=False)
    for _ in range(4):
        table.add_column()
    for row in document.rows:
        span = "" if row.low is None or row.high is None else f"{row.low:.2f}–{row.high:.2f}"
        table.add_row(
            plain(label(row.name, lang)),
            plain(f"{row.gib:.2f} GiB"),
            plain(span, "dim"),
            plain(note_in(row.note, lang), "dim"),
        )
    head = f"{document.model} · {document.engine} {document.engine_version} · {document.gpu}"
    style = "green" if document.starts and document.sure else "yellow" if document.starts else "red"
    notes = [plain(f"  {text}", "dim") for text in document.assumptions]
    return Group(
        plain(head, "bold"),
        plain(document.verdict, style),
        stacked(document),
        table,
        *_change(document.smallest_change, lang),
        *(plain(text) for text in document.advice),
        *notes,
    )


def stacked(document: FitDocument) -> "RichText":
    """One bar of the whole card: weights, libraries, activations, graphs, KV cache, rest, what is missing."""
    rows = [Row(name=row.name, gib=row.gib, origin="estimated") for row in document.rows]
    parts = segments(rows)
    whole = sum(part.gib for part in parts) or 1.0
    bar = plain("")
    for part in parts:
        size = max(1, round(_WIDTH * part.gib / whole))
        bar.append_text(plain(_GLYPHS.get(part.name, "█") * size, _STYLES[part.name]))
    return bar


def _change(change: FitChange | None, lang: Lang) -> list["RenderableType"]:
    if change is None:
        return []
    lead = "最小的改动" if lang == "zh" else "Smallest change"
    lines: list[RenderableType] = [plain(f"{lead}: {change.parameter} {change.to}  ({change.effect})", "bold")]
    return lines + _change(change.then, lang)
