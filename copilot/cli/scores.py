"""The leaderboard and a paired comparison as Rich renderables."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from copilot.evals.intervals import Paired, share
from copilot.evals.summary import RowScores, Scores

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

SHOWN = ("root_parameter", "lines_cited", "faults_f1", "experiment", "no_decoy", "grounded", "alone_root_parameter")
FIGURES: dict[str, Callable[[RowScores], str]] = {
    "errors": lambda row: str(row.errors),
    "replaced": lambda row: str(row.replaced),
    "median s": lambda row: "-" if row.seconds is None else f"{row.seconds:.2f}",
    "cost": lambda row: "-" if row.cost is None else f"{row.cost:.4f} {row.currency}",
}
MOST_DIFFERING = 30


def leaderboard(scores: Scores) -> "Table":
    """One column per row of the evaluation, the interval under its share: so six of them fit on 80 columns."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=f"{scores.cases} cases, 95 % intervals over cases", box=box.SIMPLE_HEAD, padding=0)
    table.add_column("", no_wrap=True)
    for row in scores.rows:
        table.add_column(Text(row.name), justify="right", overflow="fold")
    for name in SHOWN:
        shares = (share(row.metrics.get(name)).replace(" (", "\n").rstrip(")") for row in scores.rows)
        table.add_row(Text(name), *(Text(one) for one in shares))
    for name, shown in FIGURES.items():
        table.add_row(Text(name), *(Text(shown(row)) for row in scores.rows))
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
