"""A program: seconds of CPU a sample that Inspect takes alone, and with our solver and scorers. Prints both as JSON."""

import json
import sys
import time
from pathlib import Path

from anyio import CapacityLimiter
from inspect_ai import Task, eval_set
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import match
from inspect_ai.solver import Generate, Solver, TaskState, solver

from copilot.evals.dataset import Entry, find_cases
from copilot.evals.fixed import oracle
from copilot.evals.rows import CODE_ROWS
from copilot.evals.runner import HARNESS
from copilot.evals.task import Setting, diagnose, task_of

SAMPLES = 60


@solver
def nothing() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return state

    return solve


def main() -> None:
    case, scratch = Path(sys.argv[1]), Path(sys.argv[2])
    (found,) = find_cases(case)
    entries = {f"case-{n:03}": Entry(f"case-{n:03}", found.folder, found.case) for n in range(SAMPLES)}
    answer = oracle(found)  # made once: what is measured is the harness, not the workflow
    setting = Setting(entries=entries, lang="en", frequent="--port", epochs=1, finished=lambda _row, _trial: None)
    ours = task_of(CODE_ROWS[3], None, setting, 1)
    ours.solver = diagnose(lambda _: answer, "oracle", setting, CapacityLimiter(1))
    samples = [Sample(id=slug, input="x", target="y") for slug in entries]
    bare = Task(name="bare", dataset=MemoryDataset(samples), solver=nothing(), scorer=match())
    seconds(bare, scratch / "warm")
    alone = min(seconds(bare, scratch / f"bare-{n}") for n in range(3))
    with_us = min(seconds(ours, scratch / f"ours-{n}") for n in range(3))
    print(json.dumps({"alone": alone / SAMPLES, "with_us": with_us / SAMPLES}))  # noqa: T201 - its result


def seconds(task: Task, folder: Path) -> float:
    began = time.process_time()
    complete, logs = eval_set([task], log_dir=str(folder), retry_attempts=0, max_samples=4, log_buffer=20, **HARNESS)
    spent = time.process_time() - began
    assert complete
    assert logs[0].status == "success"
    assert logs[0].results is not None
    assert logs[0].results.completed_samples == SAMPLES
    return spent


if __name__ == "__main__":
    main()
