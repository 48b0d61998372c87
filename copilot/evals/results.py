"""Read the logs of one run or many (shards, other machines) into one list of results."""

import math
from collections.abc import Iterable

from copilot.errors import UsageError
from copilot.evals.rows import Row
from copilot.evals.task import TRIAL
from copilot.evals.trial import Trial
from copilot.evals.values import METRICS
from copilot.model.text import Frozen


class Result(Frozen):
    """One case answered once by one row, with its scores."""

    row: Row
    case: str
    title: str
    kind: str
    expected: tuple[str, ...] = ()
    """Per fault the parameters that are right; the status where there is none."""
    expected_lines: tuple[str, ...] = ()
    epoch: int
    values: dict[str, float | None]
    trial: Trial | None
    """None: the endpoint failed, and that is no answer."""
    error: str = ""


def read_results(place: str) -> tuple[Result, ...]:
    """Every sample below a folder or URL; where a sample is there twice, the newest scored one counts.

    UsageError when there is no log of ours.
    """
    from inspect_ai.log import list_eval_logs, read_eval_log

    try:
        found = list_eval_logs(place, recursive=True, descending=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"{place} cannot be read: {error}.", "Name the folder given with --log-dir.") from error
    logs = (read_eval_log(info) for info in found)
    ours = [(log, (log.eval.metadata or {}).get("row")) for log in logs]
    results = merge(_of_log(Row.model_validate(row), log.samples or []) for log, row in ours if row is not None)
    if not results:
        raise UsageError(f"{place} holds no log of `copilot eval run`.", "Name the folder given with --log-dir.")
    return results


def merge(parts: Iterable[Iterable[Result]]) -> tuple[Result, ...]:
    """One result per row, case and epoch: the newest that has an answer."""
    kept: dict[tuple[str, str, int], Result] = {}
    for result in (result for part in parts for result in part):
        key = (result.row.name, result.case, result.epoch)
        if result.trial is not None or key not in kept or kept[key].trial is None:
            kept[key] = result
    return tuple(kept.values())


def _of_log(row: Row, samples: Iterable[object]) -> Iterable[Result]:
    """The samples of one log."""
    from inspect_ai.log import EvalSample

    for sample in samples:
        if not isinstance(sample, EvalSample):
            continue
        scored = (sample.scores or {}).get("exact")
        stored = sample.metadata.get(TRIAL) if scored else None
        yield Result(
            row=row,
            case=str(sample.id),
            title=str(sample.metadata.get("title", "")),
            kind=str(sample.metadata.get("kind", "")),
            expected=(sample.target,) if isinstance(sample.target, str) else tuple(sample.target),
            expected_lines=tuple(sample.metadata.get("expected_lines", ())),
            epoch=sample.epoch,
            values=_values(scored.value if scored else None),
            trial=Trial.model_validate_json(stored) if stored else None,
            error=_first_line(sample.error.message) if sample.error else "",
        )


def _values(value: object) -> dict[str, float | None]:
    """The scores, None where a case says nothing."""
    said = value if isinstance(value, dict) else {}
    found: dict[str, float | None] = {}
    for name in METRICS:
        number = said.get(name)
        found[name] = float(number) if isinstance(number, int | float) and not math.isnan(number) else None
    return found


def _first_line(text: str) -> str:
    """The sentence of an error, without its traceback."""
    return text.strip().split("\n")[0][:300]
