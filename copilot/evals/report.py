"""The report: one static page without external assets, and the same as Markdown and JSON."""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from copilot.evals.intervals import Share, share
from copilot.evals.results import Result
from copilot.evals.summary import Scores, summarise
from copilot.evals.values import METRICS
from copilot.model.answer import Answer
from copilot.model.text import Frozen

COLUMNS = (
    "root_parameter", "root_any", "lines_cited", "faults_f1", "experiment", "no_decoy", "status", "verdict",
    "right", "grounded_before", "grounded", "alone_root_parameter", "alone_experiment", "format_first", "own",
)  # fmt: skip
"""Metrics of the page's leaderboard."""
MARKDOWN_COLUMNS = ("root_parameter", "lines_cited", "faults_f1", "experiment", "grounded", "alone_root_parameter")
WORST = 25
WIDTH, HEIGHT, MARGIN = 640, 300, 48


class Shown(Frozen):
    """What one row said about a case."""

    row: str
    right: bool
    status: str
    parameters: tuple[str, ...]
    cited: tuple[str, ...]
    experiment: str
    caught: tuple[str, ...]
    error: str


class Worst(Frozen):
    """A case that many rows got wrong, with what each of them said."""

    case: str
    title: str
    kind: str
    expected: tuple[str, ...]
    expected_lines: tuple[str, ...]
    wrong: int
    asked: int
    shown: tuple[Shown, ...]


class Dot(Frozen):
    """A row in the plot, in the drawing's coordinates."""

    name: str
    x: float
    y: float
    top: float
    bottom: float
    label: str


def write_report(results: Sequence[Result], page: Path) -> Scores:
    """Write the page, and beside it `.md` and `.json`; gives the scores back."""
    scores = summarise(results)
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(html(scores, results), encoding="utf-8")
    page.with_suffix(".md").write_text(markdown(scores, results), encoding="utf-8")
    page.with_suffix(".json").write_text(scores.model_dump_json(by_alias=True, indent=1) + "\n", encoding="utf-8")
    return scores


def html(scores: Scores, results: Sequence[Result]) -> str:
    """The page. Everything in it is escaped: answers hold lines of logs."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    around = Environment(
        loader=PackageLoader("copilot.evals", "page"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    facts: dict[str, Any] = {
        "scores": scores,
        "columns": [name for name in COLUMNS if any(row.metrics.get(name) for row in scores.rows)],
        "meanings": METRICS,
        "share": share,
        "kinds": list(scores.kinds),
        "checks": sorted({check for row in scores.rows for check in row.caught}),
        "worst": worst(results),
        "by_cost": dots(scores, by_cost=True),
        "by_time": dots(scores, by_cost=False),
        "size": (WIDTH, HEIGHT, MARGIN),
        "paired": [one.model_dump() for one in scores.paired],
    }
    return around.get_template("report.html").render(facts)


def dots(scores: Scores, *, by_cost: bool) -> list[Dot]:
    """Accuracy against cost per answer (or seconds), the cost on a logarithmic axis."""
    found: list[tuple[str, float, Share]] = []
    for row in scores.rows:
        spent = (
            (row.cost / max(row.samples - row.errors, 1) if row.cost is not None else None) if by_cost else row.seconds
        )
        accuracy = row.metrics.get("root_parameter")
        if spent is not None and accuracy is not None and row.kind != "oracle":
            found.append((row.name, max(spent, 1e-6), accuracy))
    if not found:
        return []
    logs = [math.log10(spent) for _, spent, _ in found]
    low, span = min(logs), max(max(logs) - min(logs), 1e-9)

    def down(value: float) -> float:
        return round(HEIGHT - MARGIN - value * (HEIGHT - 2 * MARGIN), 1)

    return [
        Dot(
            name=name,
            x=round(MARGIN + (at - low) / span * (WIDTH - 4 * MARGIN), 1),
            y=down(accuracy.value),
            top=down(accuracy.high),
            bottom=down(accuracy.low),
            label=f"{name}: {accuracy.value:.0%}, {spent:.3g} {'a case' if by_cost else 's'}",
        )
        for (name, spent, accuracy), at in zip(found, logs, strict=True)
    ]


def worst(results: Iterable[Result]) -> list[Worst]:
    """The cases that most of the rows with skill got wrong, the worst first."""
    cases: dict[str, list[Result]] = {}
    for result in results:
        if result.row.kind in ("playbook", "model"):
            cases.setdefault(result.case, []).append(result)
    found = [_worst(group) for group in cases.values()]
    return sorted((one for one in found if one.wrong), key=lambda one: (-one.wrong / one.asked, one.case))[:WORST]


def _worst(group: Sequence[Result]) -> Worst:
    """One case with what every row said of it."""
    first = group[0]
    answered = [result for result in group if result.trial is not None]
    return Worst(
        case=first.case,
        title=first.title,
        kind=first.kind,
        expected=first.expected,
        expected_lines=first.expected_lines,
        wrong=sum(result.values.get("right") != 1.0 for result in answered),
        asked=len(answered) or 1,
        shown=tuple(_shown(result) for result in group),
    )


def _shown(result: Result) -> Shown:
    """What one row said."""
    trial = result.trial
    answer = trial.answers[0] if trial and trial.answers else None
    return Shown(
        row=f"{result.row.name} #{result.epoch}" if result.epoch > 1 else result.row.name,
        right=result.values.get("right") == 1.0,
        status=answer.status if answer else "no answer",
        parameters=tuple(", ".join(fault.parameters) for fault in answer.faults) if answer else (),
        cited=_cited(answer) if answer else (),
        experiment=_step(answer) if answer else "",
        caught=tuple(f"{check}: {detail}" for check, detail in trial.caught.items()) if trial else (),
        error=result.error,
    )


def _cited(answer: Answer) -> tuple[str, ...]:
    """The lines given as causes."""
    return tuple(f"{line.source} {line.line}: {line.text}" for line in answer.lines if line.role == "cause")[:8]


def _step(answer: Answer) -> str:
    """The experiment in one line."""
    experiment = answer.experiment
    if experiment is None:
        return "none"
    if experiment.change is None:
        return f"observe: {experiment.observe}"
    to = experiment.change.to
    return f"{experiment.change.parameter} → {to if to is not None else '(removed)'}"


def markdown(scores: Scores, results: Sequence[Result]) -> str:
    """Leaderboard, kinds, pairs and checks as tables."""
    head = ["row", *MARKDOWN_COLUMNS, "errors", "replaced", "median s", "cost"]
    rows = [head, ["---"] * len(head)]
    for row in scores.rows:
        cost = f"{row.cost:.4f} {row.currency}" if row.cost is not None else "-"
        values = [share(row.metrics.get(name)) for name in MARKDOWN_COLUMNS]
        seconds = f"{row.seconds:.2f}" if row.seconds is not None else "-"
        rows.append([row.name, *values, str(row.errors), str(row.replaced), seconds, cost])
    kinds = [["row", *scores.kinds], ["---"] * (len(scores.kinds) + 1)]
    kinds += [[row.name, *(share(row.by_kind.get(kind)) for kind in scores.kinds)] for row in scores.rows]
    pairs = [["a", "b", "only a", "only b", "p"], ["---"] * 5]
    pairs += [[p.a, p.b, str(p.only_a), str(p.only_b), f"{p.p:.4g}"] for p in scores.paired]
    caught = [
        f"- {row.name}: " + ", ".join(f"{k} {v}" for k, v in row.caught.items()) for row in scores.rows if row.caught
    ]
    cases = [
        f"- `{w.case}` ({w.kind}): {w.wrong} of {w.asked} wrong; right is {' and '.join(w.expected)}"
        for w in worst(results)
    ]
    parts = [
        f"# {scores.cases} cases\n\n95 % intervals over cases.\n\n{_table(rows)}",
        f"## root_parameter by kind\n\n{_table(kinds)}",
        f"## Paired, exact McNemar (root_parameter)\n\n{_table(pairs)}",
        "## What the checks caught in first replies\n\n" + ("\n".join(caught) or "Nothing."),
        "## Worst cases\n\n" + ("\n".join(cases) or "None."),
    ]
    return "\n\n".join(parts) + "\n"


def _table(rows: Iterable[Sequence[str]]) -> str:
    """Rows as a Markdown table."""
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
