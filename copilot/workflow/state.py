"""What the nodes hand on. Each field is written by exactly one node (named beside it) or given at the start."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict

from copilot.model.answer import Answer, AnsweredBy, Change, CheckResult
from copilot.model.evidence import Evidence
from copilot.model.finding import Findings
from copilot.model.reply import Objection, Reply, ReplyExperiment
from copilot.model.request import Options, Sources
from copilot.model.text import Frozen
from copilot.model.words import Verdict
from copilot.ports import Containers, Files, Gpus, Host, Model, Next, Resolver, Retest, Tokens


class Tried(Frozen):
    """One experiment of an earlier round and what came of it."""

    round: int
    change: Change | None
    observe: str | None = None
    signature: str | None = None
    """The finding whose proposal it was."""
    verdict: Verdict | None = None
    """None: not retested."""
    in_effect: bool | None = None
    """Whether the retest really ran with the change; None: cannot be told."""
    kept: bool = True
    """False: it did not help and is undone with the next change."""


class Asked(Frozen):
    """A model's reply with its cost, or the reason why there is none."""

    reply: Reply | None = None
    by: AnsweredBy | None = None
    problem: str = ""
    """One sentence, without secrets, when the provider failed."""
    attempt: int = 0
    round: int = 0


class Ranked(Frozen):
    """The playbook's reply for one round."""

    reply: Reply
    by: AnsweredBy
    round: int


class Checked(Frozen):
    """A reply after the checks: what passed, and what was objected to."""

    reply: Reply
    by: AnsweredBy
    objections: tuple[Objection, ...] = ()
    results: tuple[CheckResult, ...] = ()
    empty: bool = False
    """Nothing usable survived."""


def silent(piece: str) -> None:
    """Take a streamed piece and show nothing."""
    del piece


@dataclass(frozen=True)
class Ports:
    """Everything outside that a run may touch."""

    containers: Containers
    gpus: Gpus
    files: Files
    host: Host
    resolver: Resolver
    tokens: Tokens
    retest: Retest
    model: Model | None = None
    model_url: str | None = None
    """The provider's base URL: it may be the very server that crashed."""
    secrets: tuple[str, ...] = ()
    """Keys the copilot itself knows: removed from everything, wherever they appear."""
    progress: Callable[[str], None] = silent
    """Told each piece of a model's reply as it comes."""


class State(TypedDict, total=False):
    """The state of a run."""

    session: str  # given
    options: Options  # given
    sources: Sources  # given, then wait (new sources of a retest)
    round: int  # gather
    evidence: Evidence  # gather
    previous: Evidence | None  # gather
    redactor: dict[str, object]  # gather: keeps placeholder numbers stable
    findings: Findings  # find
    history: tuple[Tried, ...]  # find
    asked: Asked  # ask
    ranked: Ranked  # rank
    checked: Checked  # check
    answer: Answer  # propose
    next: Next  # wait
    skipped: tuple[ReplyExperiment, ...]  # wait: proposals of this round the person does not want
