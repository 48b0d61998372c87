"""What our solver and scorers cost beside Inspect's own work: CPU time, as a difference in one process."""

import time
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="the extra `eval` is not installed")

from copilot.evals.dataset import Entry, find_cases
from copilot.evals.fixed import oracle
from copilot.evals.rows import CODE_ROWS
from copilot.evals.runner import HARNESS
from copilot.evals.task import Setting, task_of
from evals import kit

SAMPLES = 60
MOST = 0.010
"""Seconds of CPU a sample."""

pytestmark = pytest.mark.xdist_group("evals")


@pytest.mark.slow
def test_the_harness_costs_at_most_ten_milliseconds_a_sample_over_inspects_own(tmp_path: Path) -> None:
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.scorer import match
    from inspect_ai.solver import Generate, Solver, TaskState, solver

    @solver
    def nothing() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            return state

        return solve

    (found,) = find_cases(kit.cases(tmp_path, kit.SLUGS[:1]) / kit.SLUGS[0])
    entries = {f"case-{n:03}": Entry(f"case-{n:03}", found.folder, found.case) for n in range(SAMPLES)}
    answer = oracle(found)  # made once: what is measured is the harness, not the workflow
    setting = Setting(entries=entries, lang="en", frequent="--port", epochs=1, finished=_untold)
    ours = task_of(CODE_ROWS[3], None, setting, 1)
    ours.solver = _fixed(answer, setting)
    bare = Task(
        name="bare",
        dataset=MemoryDataset([Sample(id=slug, input="x", target="y") for slug in entries]),
        solver=nothing(),
        scorer=match(),
    )
    _seconds(bare, tmp_path / "warm")
    own = min(_seconds(bare, tmp_path / f"bare-{n}") for n in range(2))
    with_us = min(_seconds(ours, tmp_path / f"ours-{n}") for n in range(2))
    assert (with_us - own) / SAMPLES <= MOST, (
        f"Inspect alone {own / SAMPLES:.4f} s a sample, ours {with_us / SAMPLES:.4f} s"
    )


def _untold(row: str, trial: object) -> None:
    del row, trial


def _fixed(trial: object, setting: Setting) -> object:
    from anyio import CapacityLimiter

    from copilot.evals.task import diagnose

    def answering(entry: Entry) -> object:
        return trial

    return diagnose(answering, "oracle", setting, CapacityLimiter(1))


def _seconds(task: object, folder: Path) -> float:
    from inspect_ai import eval_set

    began = time.process_time()
    complete, logs = eval_set([task], log_dir=str(folder), retry_attempts=0, max_samples=4, log_buffer=20, **HARNESS)
    spent = time.process_time() - began
    assert complete
    assert logs[0].status == "success"
    assert logs[0].results.completed_samples == SAMPLES
    return spent
