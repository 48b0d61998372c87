"""Results → the scores document (`copilot.scores/1`)."""

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pydantic import ConfigDict, Field

from copilot.errors import UsageError
from copilot.evals.intervals import Paired, Share, mcnemar, share_of
from copilot.evals.results import Result
from copilot.evals.rows import Row
from copilot.evals.values import METRICS
from copilot.model.text import Frozen

KIND_METRIC = "root_parameter"
"""What the heat map and the paired comparison show."""


class RowScores(Frozen):
    """One row of the leaderboard."""

    name: str
    kind: str
    provider: str | None
    model: str | None
    findings: bool
    cases: int
    samples: int
    errors: int
    """Samples whose endpoint failed: not part of any mean."""
    metrics: dict[str, Share | None]
    by_kind: dict[str, Share | None]
    replaced: int
    """Answers that the playbook gave instead of the model."""
    caught: dict[str, int]
    """Check -> first replies that it objected to."""
    tokens_in: int
    tokens_out: int
    seconds: float | None
    """Median of a sample."""
    cost: float | None
    currency: str | None


class Threshold(Frozen):
    """A demand on a row."""

    row: str
    metric: str
    least: float
    value: float | None
    met: bool
    missed: tuple[str, ...] = ()
    """Cases below 1 where the demand is missed."""


class CaseScore(Frozen):
    """One sample."""

    row: str
    case: str
    kind: str
    epoch: int
    error: str
    values: dict[str, float | None]


class Scores(Frozen):
    """`copilot.scores/1`; keys are only added."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Literal["copilot.scores/1"] = Field(default="copilot.scores/1", alias="schema")
    copilot: str
    complete: bool
    """Every sample has a score."""
    cases: int
    kinds: dict[str, int]
    rows: tuple[RowScores, ...]
    paired: tuple[Paired, ...]
    thresholds: tuple[Threshold, ...] = ()
    samples: tuple[CaseScore, ...] = ()


def summarise(results: Sequence[Result], thresholds: Iterable[tuple[str | None, str, float]] = ()) -> Scores:
    """The whole document."""
    from copilot import __version__

    groups = grouped(results)
    rows = tuple(_row(group) for group in groups.values())
    kinds = Counter({result.case: result.kind for result in results}.values())
    return Scores(
        copilot=__version__,
        complete=all(result.trial is not None for result in results),
        cases=len({result.case for result in results}),
        kinds=dict(sorted(kinds.items())),
        rows=rows,
        paired=tuple(pairs(groups)),
        thresholds=tuple(t for demand in thresholds for t in _demanded(demand, groups)),
        samples=tuple(
            CaseScore(row=r.row.name, case=r.case, kind=r.kind, epoch=r.epoch, error=r.error, values=r.values)
            for r in results
        ),
    )


def grouped(results: Iterable[Result]) -> dict[str, list[Result]]:
    """By row, in the leaderboard's order: best first, the oracle last."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.row.name, []).append(result)

    def place(item: tuple[str, list[Result]]) -> tuple[bool, float, str]:
        name, group = item
        found = share_of(by_case(group, KIND_METRIC))
        return group[0].row.kind == "oracle", -(found.value if found else -1.0), name

    return dict(sorted(groups.items(), key=place))


def by_case(results: Iterable[Result], metric: str) -> dict[str, list[float]]:
    """Case -> the values of its epochs, where there is one."""
    found: dict[str, list[float]] = {}
    for result in results:
        value = result.values.get(metric)
        if value is not None:
            found.setdefault(result.case, []).append(value)
    return found


def _row(group: Sequence[Result]) -> RowScores:
    """The summary of one row."""
    row: Row = group[0].row
    trials = [result.trial for result in group if result.trial is not None]
    costs = [trial.cost for trial in trials if trial.cost is not None]
    kinds = sorted({result.kind for result in group})
    return RowScores(
        name=row.name,
        kind=row.kind,
        provider=row.provider,
        model=row.model or next((t.answers[0].answered_by.model for t in trials if t.answers), None),
        findings=row.findings,
        cases=len({result.case for result in group}),
        samples=len(group),
        errors=len(group) - len(trials),
        metrics={name: share_of(by_case(group, name)) for name in METRICS},
        by_kind={k: share_of(by_case([r for r in group if r.kind == k], KIND_METRIC)) for k in kinds},
        replaced=sum(trial.replaced for trial in trials),
        caught=dict(Counter(check for trial in trials for check in trial.caught).most_common()),
        tokens_in=sum(trial.tokens_in for trial in trials),
        tokens_out=sum(trial.tokens_out for trial in trials),
        seconds=round(statistics.median(trial.seconds for trial in trials), 3) if trials else None,
        cost=round(sum(costs), 6) if costs else None,
        currency=next((trial.currency for trial in trials if trial.currency), None),
    )


def pairs(groups: Mapping[str, Sequence[Result]], metric: str = KIND_METRIC) -> Iterable[Paired]:
    """Every two rows, the better first; baselines and oracle among them."""
    names = list(groups)
    for number, a in enumerate(names):
        for b in names[number + 1 :]:
            yield compare_rows(groups, (a, b), metric)


def compare_rows(groups: Mapping[str, Sequence[Result]], names: tuple[str, str], metric: str) -> Paired:
    """Two rows on the cases that both have. UsageError for a name that is no row."""
    unknown = [name for name in names if name not in groups]
    if unknown:
        raise UsageError(f"There is no row {unknown[0]}.", f"Rows: {', '.join(groups)}.")
    a, b = ({c: sum(v) / len(v) for c, v in by_case(groups[name], metric).items()} for name in names)
    return mcnemar(names, metric, a, b)


def _demanded(demand: tuple[str | None, str, float], groups: Mapping[str, Sequence[Result]]) -> Iterable[Threshold]:
    """A demand on a row, or without a row: on every model with findings, where there is none on the playbook."""
    name, metric, least = demand
    models = [n for n, group in groups.items() if group[0].row.kind == "model" and group[0].row.findings]
    for row in [name] if name else models or ["playbook"]:
        if row not in groups:
            raise UsageError(f"There is no row {row}.", f"Rows: {', '.join(groups)}.")
        values = by_case(groups[row], metric)
        found = share_of(values)
        met = found is not None and found.value >= least
        missed = () if met else tuple(sorted(c for c, v in values.items() if min(v) < 1.0))
        yield Threshold(
            row=row, metric=metric, least=least, value=found.value if found else None, met=met, missed=missed
        )


def parse_thresholds(given: Iterable[str]) -> tuple[tuple[str | None, str, float], ...]:
    """`root_parameter=0.9` or `playbook:root_parameter=0.9`; UsageError for an unknown metric or a bad number."""
    found = []
    for text in given:
        left, _, number = text.partition("=")
        row, _, metric = left.rpartition(":")
        try:
            least = float(number)
        except ValueError:
            least = -1.0
        if metric not in METRICS or not 0.0 <= least <= 1.0:
            raise UsageError(
                f"--threshold {text} is not METRIC=SHARE.",
                f"As in root_parameter=0.9. Metrics: {', '.join(METRICS)}.",
            )
        found.append((row or None, metric, least))
    return tuple(found)
