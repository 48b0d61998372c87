"""The memory ledger as a table."""

from typing import TYPE_CHECKING

from copilot.ledger.bars import label
from copilot.ledger.notes import note_in
from copilot.model.answer import LedgerView
from copilot.model.text import Lang
from copilot.render.console import plain
from copilot.text import say

if TYPE_CHECKING:
    from rich.console import RenderableType

BAR = 24
"""Width of the longest bar, in characters."""


def ledger_table(ledger: LedgerView, lang: Lang) -> "RenderableType":
    """One row per entry with a bar, its origin, and the verdict below."""
    from rich.console import Group
    from rich.table import Table

    table = Table(title=f"\n{say('ledger', lang)}", title_justify="left", title_style="bold", box=None, padding=(0, 1))
    table.add_column(say("column.name", lang))
    table.add_column(say("column.gib", lang), justify="right")
    table.add_column("")
    table.add_column(say("column.from", lang))
    largest = max((abs(row.gib) for row in ledger.rows), default=1.0) or 1.0
    for row in ledger.rows:
        bar = "█" * max(0, round(BAR * row.gib / largest))
        span = (
            f"{row.gib:.2f}" if row.low is None or row.high is None else f"{row.gib:.2f} ({row.low:.2f}–{row.high:.2f})"
        )
        origin = say(f"origin.{row.origin}", lang)
        table.add_row(
            plain(label(row.name, lang)), span, plain(bar, "blue"), plain(f"{origin} {note_in(row.note, lang)}".strip())
        )
    style = "green" if ledger.fits else "yellow" if ledger.fits is None else "red"
    notes = [plain(f"  {conflict}", "yellow") for conflict in ledger.conflicts]
    return Group(table, plain(ledger.verdict, style), *notes)
