"""The leaderboard on a terminal."""

import io

import pytest

pytest.importorskip("scipy", reason="the extra `eval` is not installed")

from rich.console import Console

from copilot.cli.scores import SHOWN, leaderboard
from copilot.evals.intervals import Share
from copilot.evals.summary import RowScores, Scores

ROWS = ("playbook", "qwen", "qwen, no findings", "last line", "most frequent", "oracle")


def row(name: str) -> RowScores:
    share = Share(value=1.0, low=0.96, high=1.0, n=93)
    return RowScores(
        name=name, kind="model", provider=None, model=None, findings=True, cases=93, samples=93, errors=0,
        metrics=dict.fromkeys(SHOWN, share), by_kind={}, replaced=12, caught={}, tokens_in=0, tokens_out=0,
        seconds=1234.5, cost=None, currency=None,
    )  # fmt: skip


def test_one_model_beside_the_rows_of_code_fits_on_80_columns() -> None:
    scores = Scores(copilot="0", complete=True, cases=93, kinds={}, rows=tuple(map(row, ROWS)), paired=())
    said = io.StringIO()
    Console(file=said, width=80).print(leaderboard(scores))
    words = said.getvalue().split()
    assert "…" not in said.getvalue()
    assert words.count("96-100") == len(SHOWN) * len(ROWS)
    assert words.count("1234.50") == len(ROWS)
    assert {*SHOWN, "playbook", "findings", "frequent"} <= set(words)
