"""Run the rows with Inspect's `eval_set`: retries, resume and logs are its work, on any file system that it reaches."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from copilot.evals.dataset import Entry, Selection, select
from copilot.evals.fixed import most_frequent
from copilot.evals.progress import Progress
from copilot.evals.providers import Opened
from copilot.evals.rows import CODE_ROWS, Row
from copilot.model.text import Lang

QUIET = {
    "INSPECT_EVAL_NOTIFICATION": "false",
    "DO_NOT_TRACK": "1",
    "OTEL_SDK_DISABLED": "true",
}
"""Nothing is reported anywhere."""
HARNESS: dict[str, Any] = {
    "model": "none",  # the workflow asks the provider itself, and states the usage
    "display": "none",  # standard output belongs to the scores
    "log_level": "error",
    "score_display": False,
    "log_dir_allow_dirty": True,  # a folder may hold the logs of other models
    "continue_on_fail": True,  # an endpoint's failure is one sample's, and a reason to run that sample again
    "retry_immediate": False,
    "log_realtime": False,
    "acp_server": False,
    "ctl_server": False,
}
"""How Inspect is run, always."""
CODE_BUFFER = 20
"""Samples between two writes of the log where each takes a fraction of a second; answers of a model: every one."""
REPLY_TOKENS = 700
"""Tokens of a reply, measured on recorded cases; for the estimate before a run."""


@dataclass(frozen=True)
class Plan:
    """A run: which cases, which rows, and how."""

    entries: tuple[Entry, ...]
    everything: tuple[Entry, ...]
    """All cases, whatever the filter: the most frequent parameter is theirs."""
    models: Mapping[Row, Opened]
    lang: Lang = "en"
    epochs: int = 1
    at_once: int = 4
    log_dir: str = "./eval-logs"
    tries: int = 0
    """How often Inspect runs the samples again that failed."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of code first: they take a minute, and show whether the cases are sound."""
        return (*CODE_ROWS, *self.models)

    @property
    def samples(self) -> int:
        """How many answers will be made."""
        return sum(len(self.entries) * (self.epochs if row.calls else 1) for row in self.rows)

    @property
    def asked(self) -> dict[str, int]:
        """Rows of models -> how many answers each will make."""
        return {row.name: len(self.entries) * self.epochs for row in self.models}


@dataclass(frozen=True)
class Outcome:
    """How the run ended."""

    complete: bool
    """Every sample of every row has a score."""
    logs: tuple[str, ...]


def shard_folder(log_dir: str, shard: tuple[int, int]) -> str:
    """Each shard has a folder of its own, so that machines do not write over each other."""
    which, of = shard
    return log_dir if of == 1 else f"{log_dir.rstrip('/')}/shard-{which}-of-{of}"


def chosen(entries: Sequence[Entry], selection: Selection) -> tuple[Entry, ...]:
    """The cases of a run."""
    return select(entries, selection)


def run(plan: Plan, progress: Progress) -> Outcome:
    """Run what has no score yet. KeyboardInterrupt when it was interrupted; what was finished is on the disk."""
    os.environ.update(QUIET)
    from inspect_ai import eval_set

    from copilot.evals.task import Setting, task_of

    setting = Setting(
        entries={entry.slug: entry for entry in plan.entries},
        lang=plan.lang,
        frequent=most_frequent(plan.everything),
        epochs=plan.epochs,
        finished=progress.finished,
    )
    tasks = [task_of(row, plan.models.get(row), setting, plan.at_once) for row in plan.rows]
    complete, logs = eval_set(
        tasks,
        log_dir=plan.log_dir,
        retry_attempts=plan.tries,
        max_tasks=max(1, len({row.provider for row in plan.models})),
        max_samples=plan.at_once,
        log_buffer=1 if plan.models else CODE_BUFFER,
        **HARNESS,
    )
    if {log.eval.task for log in logs} != {row.name for row in plan.rows}:
        raise KeyboardInterrupt  # Inspect 0.3.285 returns from Ctrl-C with the other rows' logs alone, as a success
    return Outcome(complete, tuple(log.location for log in logs))


@dataclass(frozen=True)
class Estimate:
    """What a row of a model will take, before it is asked."""

    row: str
    questions: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    currency: str


def estimate(plan: Plan, looked_at: int = 6) -> tuple[Estimate, ...]:
    """Tokens and cost of every model row, from the prompts of a few cases."""
    from copilot import app
    from copilot.demo import demo_ports
    from copilot.model.request import Options, Sources
    from copilot.usage import price

    step = max(1, len(plan.entries) // looked_at)
    probes = plan.entries[::step][:looked_at]
    found = []
    for row, opened in plan.models.items():
        tokens = 0
        for entry in probes:
            ports = replace(demo_ports(entry.folder), model=opened.model)
            options = Options(provider=row.name, findings=row.findings)
            sources = Sources(directory=str(entry.folder / f"round-{entry.case.round}"))
            tokens += sum(ports.tokens.count(text).value for _, text in app.dry_run(ports, sources, options))
        questions = len(plan.entries) * plan.epochs
        sent, got = tokens * questions // len(probes), REPLY_TOKENS * questions
        cost, currency = price(opened.price, sent, got), opened.price.currency if opened.price else ""
        found.append(Estimate(row.name, questions, sent, got, cost, currency))
    return tuple(found)
