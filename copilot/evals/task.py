"""A row as an Inspect task: cases as samples, the product's workflow as the solver, exact scorers."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from anyio import CapacityLimiter, to_thread
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from copilot import __version__
from copilot.evals.answering import Asking, answer_case
from copilot.evals.dataset import Entry
from copilot.evals.fixed import always, last_line, oracle
from copilot.evals.providers import Opened
from copilot.evals.rows import Row
from copilot.evals.trial import Trial
from copilot.evals.values import values_of
from copilot.model.text import Lang

Answering = Callable[[Entry], Trial]
Finished = Callable[[str, Trial | None], None]
"""(row, trial or None for an error): told after each sample."""
TRIAL = "trial"
"""Key of a sample's metadata that holds its trial, as one text: Inspect compares nested values item by item."""


@dataclass(frozen=True)
class Setting:
    """What the rows of one run share."""

    entries: Mapping[str, Entry]
    lang: Lang
    frequent: str
    epochs: int
    finished: Finished


def answering(row: Row, opened: Opened | None, setting: Setting) -> Answering:
    """How a row answers a case."""
    asking = Asking(opened=opened, lang=setting.lang, findings=row.findings)
    ways: dict[str, Answering] = {
        "playbook": partial(answer_case, asking=asking),
        "model": partial(answer_case, asking=asking),
        "last line": partial(last_line, asking=asking),
        "most frequent": partial(always, setting.frequent),
        "oracle": oracle,
    }
    return ways[row.kind]


def task_of(row: Row, opened: Opened | None, setting: Setting, at_once: int) -> Task:
    """The task of a row; `at_once` samples are worked on together (code rows share the processor: one)."""
    limiter = CapacityLimiter(at_once if row.calls else 1)
    return Task(
        name=row.name,
        dataset=MemoryDataset([_sample(entry) for entry in setting.entries.values()], name="cases"),
        solver=diagnose(answering(row, opened, setting), row.name, setting, limiter),
        scorer=exact(setting.entries, setting.lang),
        epochs=setting.epochs if row.calls else 1,
        metadata={"row": row.model_dump(), "copilot": __version__, "lang": setting.lang},
    )


def _sample(entry: Entry) -> Sample:
    """A case. The answer key stays in the case's own file; the target is what the viewer shows."""
    wanted = entry.case.expect
    target = [" | ".join(fault.parameters) for fault in wanted.fault] or [wanted.status]
    lines = [line for fault in wanted.fault for line in fault.lines]
    facts = {**entry.facts(), "title": entry.case.title, "expected_lines": lines}
    return Sample(id=entry.slug, input=entry.case.title, target=target, metadata=facts)


def diagnose(answer: Answering, row: str, setting: Setting, limiter: CapacityLimiter) -> Solver:
    """The product's own workflow, in a thread: it is synchronous. A ProviderError is the sample's error.

    Ctrl-C does not wait for a question that is on its way: the thread is left behind, and ends with the process.
    The registered solver takes no arguments: Inspect writes those of a solver or scorer into every sample's log, and
    with all cases among them a log grew by the square of the cases.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # the workflow asks the provider itself
        try:
            entry = setting.entries[str(state.sample_id)]
            trial = await to_thread.run_sync(answer, entry, limiter=limiter, abandon_on_cancel=True)
        except Exception:
            setting.finished(row, None)
            raise
        setting.finished(row, trial)
        return _recorded(state, trial)

    @solver(name="diagnose")
    def workflow() -> Solver:
        return solve

    return workflow()


def _recorded(state: TaskState, trial: Trial) -> TaskState:
    """The trial where the scorer, the report and the log viewer find it. Its usage is stated: nobody counts again."""
    shown: list[ChatMessage] = [_message(role, text) for role, text in trial.messages]
    state.messages = shown or state.messages
    answer = trial.answers[-1].model_dump_json(by_alias=True, indent=1) if trial.answers else ""
    state.output = ModelOutput.from_content("copilot", answer)
    total = trial.tokens_in + trial.tokens_out
    state.output.usage = ModelUsage(input_tokens=trial.tokens_in, output_tokens=trial.tokens_out, total_tokens=total)
    state.metadata[TRIAL] = trial.model_copy(update={"messages": ()}).model_dump_json(by_alias=True)
    return state


def _message(role: str, text: str) -> ChatMessage:
    """A message of the exchange as Inspect's type."""
    if role == "system":
        return ChatMessageSystem(content=text)
    return ChatMessageUser(content=text) if role == "user" else ChatMessageAssistant(content=text)


@metric
def share() -> Metric:
    """The mean over the samples that the case says something about."""

    def value(scores: list[SampleScore]) -> float:
        found = [score.score.as_float() for score in scores]
        said = [number for number in found if not math.isnan(number)]
        return sum(said) / len(said) if said else math.nan

    return value


def exact(entries: Mapping[str, Entry], lang: Lang) -> Scorer:
    """All exact scores; NaN, Inspect's own mark for unscored, where the case says nothing. No arguments, as above."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # the case holds more than a target can say
        trial = Trial.model_validate_json(state.metadata[TRIAL])
        values = values_of(entries[str(state.sample_id)].case, trial, lang)
        said = {name: math.nan if value is None else value for name, value in values.items()}
        return Score(value=said, answer=_named(trial))

    @scorer(metrics={"*": [share()]}, name="exact")
    def scores() -> Scorer:
        return score

    return scores()


def _named(trial: Trial) -> str:
    """The parameters of the first fault, for the viewer's table."""
    faults: Sequence[object] = trial.answers[-1].faults if trial.answers else ()
    return ", ".join(trial.answers[-1].faults[0].parameters) if faults else "-"
