"""Run the product's own workflow on a recorded case: the same graph, prompts and checks as `copilot ask`."""

import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from copilot import app, checks
from copilot.demo import demo_ports
from copilot.errors import ProviderGarbled
from copilot.evals.dataset import Entry
from copilot.evals.listening import Listening
from copilot.evals.providers import Opened
from copilot.evals.trial import Trial
from copilot.model.answer import Answer, Change, Expect, Experiment, Fault, MappedLine
from copilot.model.reply import Objection, Reply, ReplyExperiment
from copilot.model.request import Options, Sources
from copilot.model.text import Lang
from copilot.prompting import parse_reply
from copilot.redaction import redact
from copilot.session import Sessions
from copilot.usage import price
from copilot.workflow.check import context_of
from copilot.workflow.state import State


@dataclass(frozen=True)
class Asking:
    """How the workflow is run: with which model (None: the playbook), language, and findings or none."""

    opened: Opened | None = None
    lang: Lang = "en"
    findings: bool = True


def answer_case(entry: Entry, asking: Asking) -> Trial:
    """Every round of a case. Raises ProviderError when the endpoint failed: that is no answer and no score."""
    heard = Listening(asking.opened.model) if asking.opened else None
    began = time.monotonic()
    found = _rounds(entry.folder, asking, heard)
    seconds = time.monotonic() - began
    if heard is not None:
        failed = heard.transport()
        if failed is not None:
            raise failed
    answers = tuple(one.answer for one in found)
    trial = Trial(answers=answers, seconds=round(seconds, 4), leaks=_leaks(answers, heard))
    state = next((one.state for one in found if one.answer.round == entry.case.round), None)
    if state is not None:
        trial = _judged(trial, state, heard)
    return _costed(trial, heard, asking)


def _leaks(answers: tuple[Answer, ...], heard: Listening | None) -> tuple[str, ...]:
    """Rules that would still find a secret in what was sent or answered; redacting redacted text finds nothing.

    Line by line and value by value: around a value JSON's own quotes and our own sentences look like settings.
    """
    sent = [message.content for request in (heard.requests if heard else ()) for message in request.messages]
    lines = {line for text in (*sent, *map("\n".join, map(_quoted, answers))) for line in text.split("\n")}
    return tuple(sorted({rule for line in lines for rule in redact(line).found}))


def _quoted(answer: Answer) -> tuple[str, ...]:
    """What an answer takes from the evidence: lines, values, the diff and the commands."""
    experiment = answer.experiment
    changes = (*experiment.revert, *((experiment.change,) if experiment.change else ())) if experiment else ()
    values = [value for change in changes for value in (change.before, change.to) if value]
    written = [experiment.diff or "", *experiment.commands] if experiment else []
    return (*(line.text for line in answer.lines), *values, *written)


def _rounds(folder: Path, asking: Asking, heard: Listening | None) -> list[app.Answered]:
    """The workflow over the recorded rounds."""
    ports = replace(demo_ports(folder), model=heard, secrets=asking.opened.secrets if asking.opened else ())
    options = Options(
        provider=heard.name if heard else "playbook",
        model=asking.opened.id if asking.opened else None,
        lang=asking.lang,
        findings=asking.findings,
        loop=(folder / "round-2").is_dir(),
    )
    sources = Sources(directory=str(folder / "round-1"))
    with tempfile.TemporaryDirectory(prefix="copilot-eval-") as scratch:
        events = app.start(ports, sources, options, Sessions(Path(scratch)))
        return [event for event in events if isinstance(event, app.Answered)]


def _judged(trial: Trial, state: State, heard: Listening | None) -> Trial:
    """With the rules' verdicts on the first reply and on what was answered in the end."""
    context = context_of(state)
    ranked = state.get("ranked")
    first = _first_reply(heard) if heard and heard.requests else ranked.reply if ranked else None
    caught = _told(checks.run(first, context)) if first else {}
    answer = state["answer"]
    asked = heard is not None and bool(heard.requests)
    return trial.model_copy(
        update={
            "caught": caught,
            "left": _told(checks.run(state["checked"].reply, context)),
            "format_first": (first is not None) if asked else None,
            "alone": as_answer(first, answer, state) if asked and first is not None else None,
            "replaced": asked and answer.answered_by.provider == "playbook",
        }
    )


def _first_reply(heard: Listening) -> Reply | None:
    """The model's first reply, if it was in our schema."""
    if not heard.replies:
        return None
    try:
        return parse_reply(heard.replies[0].text)
    except ProviderGarbled:
        return None


def _told(found: Mapping[str, tuple[Objection, ...]]) -> dict[str, str]:
    """The checks that object, with what they say."""
    return {name: "; ".join(dict.fromkeys(o.detail for o in all_)) for name, all_ in found.items() if all_}


def as_answer(reply: Reply, answer: Answer, state: State) -> Answer:
    """A raw reply in the answer's shape, nothing dropped: what a user would have read without the checks."""
    evidence = state["evidence"]
    lines = []
    for line in reply.lines:
        text = evidence.text(line.source, line.file or None)
        known = text is not None and 1 <= line.line <= text.text.count("\n") + 1
        shown = text.line(line.line) if text is not None and known else ""
        lines.append(MappedLine(**{**line.model_dump(), "text": shown}))
    faults = tuple(Fault.model_validate(fault.model_dump()) for fault in reply.faults)
    experiment = _experiment(reply.experiment) if reply.experiment else None
    status = reply.status if reply.status in ("diagnosed", "partial", "unknown", "healthy") else "unknown"
    return answer.model_copy(
        update={"status": status, "faults": faults, "lines": tuple(lines), "experiment": experiment}
    )


def _experiment(wanted: ReplyExperiment) -> Experiment:
    """The model's experiment without our templates."""
    change = None
    if wanted.kind == "change" and wanted.parameter is not None:
        change = Change(parameter=wanted.parameter, before=None, to=wanted.to)
    return Experiment(
        fault=wanted.fault,
        kind="change" if change else "observe",
        change=change,
        observe=wanted.observe,
        why=wanted.why,
        expect=Expect(if_right=wanted.if_right, if_wrong=wanted.if_wrong, watch=wanted.watch),
    )


def _costed(trial: Trial, heard: Listening | None, asking: Asking) -> Trial:
    """With tokens, cost and the exchange."""
    if heard is None or asking.opened is None:
        return trial
    tokens_in = sum(reply.tokens_in for reply in heard.replies)
    tokens_out = sum(reply.tokens_out for reply in heard.replies)
    cost = price(asking.opened.price, tokens_in, tokens_out)
    sent = heard.requests[0].messages if heard.requests else ()
    replied = [("assistant", heard.replies[0].text)] if heard.replies else []
    return trial.model_copy(
        update={
            "calls": len(heard.requests),
            "tokens_in": tokens_in,
            "tokens_out": tokens_out,
            "cost": cost,
            "currency": asking.opened.price.currency if asking.opened.price else None,
            "messages": (*((m.role, m.content) for m in sent), *replied),
        }
    )
