"""`copilot eval run|report|compare`: score answers on recorded cases. Needs the extra `eval`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from copilot.cli.options import Json, Lang, language

if TYPE_CHECKING:
    from contextlib import ExitStack

    from copilot.evals.providers import Opened
    from copilot.evals.results import Result
    from copilot.evals.rows import Row
    from copilot.evals.runner import Plan
    from copilot.evals.summary import Scores

app = typer.Typer(help="Score answers of one or several models on recorded cases.", no_args_is_help=True)

Providers = Annotated[
    list[str] | None, typer.Option("--provider", metavar="NAME", help="A configured provider (repeatable).")
]
ModelId = Annotated[str | None, typer.Option("--model", metavar="ID", help="Model id, where one provider is named.")]
Epochs = Annotated[int, typer.Option(metavar="N", min=1, help="How often each model answers each case.")]
CasesFolder = Annotated[
    Path | None, typer.Option("--cases", metavar="DIR", help="Folder with cases (default: those of copilot).")
]
Filters = Annotated[
    list[str] | None, typer.Option("--filter", metavar="KEY=VALUE", help="As in kind=auth or split=test (repeatable).")
]
Limit = Annotated[int | None, typer.Option(metavar="N", min=1, help="At most N cases, evenly over all of them.")]
Shard = Annotated[str | None, typer.Option(metavar="I/N", help="The I-th of N parts, for several machines.")]
LogDir = Annotated[str, typer.Option("--log-dir", metavar="URL", help="Folder or s3:// URL of the logs.")]
Thresholds = Annotated[
    list[str] | None,
    typer.Option("--threshold", metavar="METRIC=SHARE", help="Exit 100 below it; ROW:METRIC=SHARE names a row."),
]
AtOnce = Annotated[int, typer.Option("--connections", metavar="N", min=1, help="Questions on their way at once.")]
Logs = Annotated[list[str], typer.Argument(metavar="DIR...", help="Log folders of one run or of several shards.")]
Output = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The page; .md and .json beside it.")]
Metric = Annotated[str, typer.Option(metavar="METRIC", help="The score that is compared.")]

INSTALL = "Install it: pip install 'log2fix[eval]' (in a checkout: pip install -e '.[eval]')."


@app.command()
def run(  # noqa: PLR0913 - one parameter per option of the contract
    *,
    provider: Providers = None,
    model: ModelId = None,
    epochs: Epochs = 1,
    cases: CasesFolder = None,
    filter_: Filters = None,
    limit: Limit = None,
    shard: Shard = None,
    log_dir: LogDir = "eval-logs",
    threshold: Thresholds = None,
    connections: AtOnce = 4,
    lang: Lang = None,
    json: Json = False,
) -> int:
    """Ask the playbook and every provider, with our findings and without, and score the answers."""
    _require()
    from contextlib import ExitStack

    from copilot.evals.dataset import Selection, find_cases, parse_filters, parse_shard
    from copilot.evals.runner import Plan, chosen, shard_folder
    from copilot.evals.summary import parse_thresholds

    demands = parse_thresholds(threshold or ())
    selection = Selection(parse_filters(filter_ or ()), limit, parse_shard(shard))
    with ExitStack() as stack:
        everything = find_cases(cases or _shipped(stack))
        plan = Plan(
            entries=chosen(everything, selection),
            everything=everything,
            models=_models(provider or [], model),
            lang=language(lang) if lang else "en",
            epochs=epochs,
            at_once=connections,
            log_dir=shard_folder(log_dir, selection.shard),
        )
        return _run(plan, demands, json=json)


@app.command()
def report(logs: Logs, *, output: Output = Path("report.html"), json: Json = False) -> int:
    """Write one page that is readable offline, with Markdown and JSON beside it."""
    _require()
    from copilot.evals.report import write_report

    results = _results(logs)
    scores = write_report(results, output)
    print(f"{output}, {output.with_suffix('.md')}, {output.with_suffix('.json')}", file=sys.stderr)
    if json:
        print(scores.model_dump_json(by_alias=True, indent=1))
    return 0


@app.command()
def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A row, as the leaderboard names it.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another row.")],
    *,
    log_dir: LogDir = "eval-logs",
    metric: Metric = "root_parameter",
    json: Json = False,
) -> int:
    """Compare two rows on the same cases (exact McNemar test)."""
    _require()
    from copilot.cli.scores import paired_table
    from copilot.errors import UsageError
    from copilot.evals.summary import compare_rows, grouped
    from copilot.evals.values import METRICS
    from copilot.render import console

    if metric not in METRICS:
        raise UsageError(f"There is no metric {metric}.", f"Metrics: {', '.join(METRICS)}.")
    found = compare_rows(grouped(_results([log_dir])), (a, b), metric)
    if json:
        print(found.model_dump_json(indent=1))
    else:
        console().print(paired_table(found))
    return 0


def _require() -> None:
    """One sentence instead of a traceback where the extra is missing."""
    from importlib.util import find_spec

    from copilot.errors import UsageError

    if find_spec("inspect_ai") is None or find_spec("scipy") is None:
        raise UsageError("`copilot eval` needs Inspect AI and SciPy, which are not installed.", INSTALL)


def _shipped(stack: "ExitStack[bool | None]") -> Path:
    """The cases that come with copilot, as a folder for as long as the stack is open."""
    from importlib.resources import as_file, files

    return stack.enter_context(as_file(files("copilot.cases")))


def _models(names: list[str], model: str | None) -> "dict[Row, Opened]":
    """Two rows for each provider; every one is opened before anything is asked."""
    from copilot.errors import UsageError
    from copilot.evals.providers import open_named
    from copilot.evals.rows import rows_of

    wanted = list(dict.fromkeys(name for name in names if name != "playbook"))
    if model is not None and len(wanted) != 1:
        raise UsageError("--model belongs to one provider.", "Name exactly one --provider, or leave it out.")
    found: dict[Row, Opened] = {}
    for name in wanted:
        opened = open_named(name, model)
        found |= dict.fromkeys(rows_of(name, opened.id), opened)
    return found


def _run(plan: "Plan", demands: tuple[tuple[str | None, str, float], ...], *, json: bool) -> int:
    """Say what it will take, run, and tell the scores."""
    from copilot.evals.progress import Progress
    from copilot.evals.runner import run as run_plan
    from copilot.evals.summary import summarise

    _announce(plan)
    outcome = run_plan(plan, Progress(plan.samples, plan.asked))
    wanted = {entry.slug for entry in plan.entries}
    names = {row.name for row in plan.rows}
    results = [r for r in _results([plan.log_dir]) if r.case in wanted and r.row.name in names]
    scores = summarise(results, demands)
    if not outcome.complete:
        print("Some samples have no answer; the same command asks only those again.", file=sys.stderr)
    return _tell(scores, json=json)


def _announce(plan: "Plan") -> None:
    """Cases, rows, and what the models will cost, before anything is sent."""
    from copilot.evals.runner import estimate

    print(f"{len(plan.entries)} cases, {len(plan.rows)} rows, {plan.samples} answers; {plan.log_dir}", file=sys.stderr)
    for one in estimate(plan):
        cost = f"{one.cost:.4f} {one.currency}" if one.cost is not None else "no price configured"
        print(
            f"  {one.row}: {one.questions} questions, about {one.tokens_in:,} tokens in and {one.tokens_out:,} out: "
            f"{cost}",
            file=sys.stderr,
        )


def _tell(scores: "Scores", *, json: bool) -> int:
    """Print the scores; the exit code."""
    from copilot.cli.scores import leaderboard
    from copilot.render import console

    if json:
        print(scores.model_dump_json(by_alias=True, indent=1))
    else:
        console().print(leaderboard(scores))
    missed = [demand for demand in scores.thresholds if not demand.met]
    for one in missed:
        said = "no value" if one.value is None else f"{one.value:.3f}"
        print(f"{one.row}: {one.metric} is {said}, asked for is {one.least:g}.", file=sys.stderr)
        print(f"  Cases: {', '.join(one.missed) or '-'}", file=sys.stderr)
    if missed:
        return 100
    silent = [row.name for row in scores.rows if row.errors == row.samples]
    return 4 if silent else 0


def _results(places: list[str]) -> "tuple[Result, ...]":
    """The results of all folders, merged."""
    from copilot.evals.results import merge, read_results

    return merge(read_results(place) for place in places)
