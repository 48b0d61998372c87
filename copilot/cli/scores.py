"""The leaderboard and a paired comparison as Rich renderables."""

from typing import TYPE_CHECKING

from copilot.evals.intervals import Paired, share
from copilot.evals.summary import Scores

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

SHOWN = ("root_parameter", "lines_cited", "faults_f1", "experiment", "no_decoy", "grounded", "alone_root_parameter")
MOST_DIFFERING = 30


def leaderboard(scores: Scores) -> "Table":
    """One line per row, with 95 % intervals."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=f"{scores.cases} cases, 95 % intervals over cases")
    for name in ("row", *SHOWN, "errors", "replaced", "median s", "cost"):
        table.add_column(Text(name), overflow="fold")
    for row in scores.rows:
        cost = f"{row.cost:.4f} {row.currency}" if row.cost is not None else "-"
        cells = [row.name, *(share(row.metrics.get(name)) for name in SHOWN)]
        cells += [str(row.errors), str(row.replaced), "-" if row.seconds is None else f"{row.seconds:.2f}", cost]
        table.add_row(*(Text(cell) for cell in cells))
    return table


def paired_table(found: Paired) -> "Group":
    """The four counts, the p-value, and the cases on which the two differ."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(title=f"{found.metric}, {found.n} cases, exact McNemar p = {found.p:.4g}")
    for name in ("", f"{found.b} right", f"{found.b} wrong"):
        table.add_column(Text(name))
    table.add_row(Text(f"{found.a} right"), str(found.both), str(found.only_a))
    table.add_row(Text(f"{found.a} wrong"), str(found.only_b), str(found.neither))
    rows = [f"only {found.a if mark[0] == '+' else found.b}: {mark[1:]}" for mark in found.differ[:MOST_DIFFERING]]
    return Group(table, Text("\n".join(rows) or "They differ on no case."))
