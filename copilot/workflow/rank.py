"""The playbook: findings in, reply out, in the same type as a model's and through the same checks."""

from collections.abc import Iterable
from dataclasses import dataclass

from copilot.model.answer import AnsweredBy
from copilot.model.finding import Finding, Findings, LineRef
from copilot.model.reply import Reply, ReplyExperiment, ReplyFault, ReplyLine
from copilot.model.text import Lang, Text
from copilot.model.words import Topic
from copilot.parameters import registry
from copilot.workflow.choose import Choice, choices
from copilot.workflow.state import Asked, Ports, Ranked, State, Tried
from copilot.workflow.unrecognised import unrecognised

MAX_LINES = 40


def rank(ports: Ports, state: State) -> State:
    """Answer from the findings alone; says from which provider it took over, if any."""
    del ports
    asked = state.get("asked")
    by = AnsweredBy(provider="playbook", fallback_from=_failed_provider(state, asked))
    past = Past(state.get("history", ()), state.get("skipped", ()))
    reply = playbook(state["findings"], past, state["options"].lang)
    return {"ranked": Ranked(reply=reply, by=by, round=state["round"])}


def _failed_provider(state: State, asked: Asked | None) -> str | None:
    """The provider the playbook stands in for."""
    return state["options"].provider if asked is not None and asked.round == state["round"] else None


@dataclass(frozen=True)
class Past:
    """What was tried in earlier rounds, and what the person does not want to try."""

    history: tuple[Tried, ...] = ()
    skipped: tuple[ReplyExperiment, ...] = ()


def playbook(findings: Findings, past: Past, lang: Lang) -> Reply:
    """Findings -> reply. No clock, no network, no randomness: the baseline every model has to beat."""
    if findings.healthy:
        return Reply(status="healthy", lines=_context(findings, lang))
    if not findings.found:
        return _unknown(findings, lang) if findings.failed else _quiet(findings, lang)
    ids = {id(finding): f"f{number}" for number, finding in enumerate(findings.found, 1)}
    faults = tuple(_fault(f, ids[id(f)], findings, lang) for f in findings.found)
    open_ = [c for c in choices(findings.found, findings.service, past.history, past.skipped) if _has(c, findings)]
    experiment = _experiment(open_[0], ids, lang) if open_ else None
    return Reply(
        status=_status(findings),
        faults=faults,
        lines=_lines(findings, ids, lang),
        experiment=experiment,
    )


def _has(choice: Choice, findings: Findings) -> bool:
    """Whether this version has the parameter that the choice would set."""
    parameter = choice.proposal.parameter or ""
    if choice.proposal.to is None or findings.engine is None or not parameter.startswith(("--", "env:")):
        return True
    return registry().exists(parameter, findings.engine, findings.version) is not False


def _status(findings: Findings) -> str:
    """Blocking faults that are sure make a diagnosis; a start that failed for reasons unseen does not."""
    surest = [f for f in findings.found if f.confidence != "low" and f.origin != "comparison"]
    if any(f.blocking for f in surest):
        return "diagnosed"
    if findings.failed and not _told(findings, surest):
        return "partial"
    return "diagnosed" if surest else "partial"


def _told(findings: Findings, found: Iterable[Finding]) -> bool:
    """Whether all that the log's structure marks is said by what was found: then nothing is left unseen."""
    said = {ref.line for finding in found for ref in finding.lines if ref.source == "log"}
    return bool(findings.structural) and set(findings.structural) <= said


def _fault(finding: Finding, name: str, findings: Findings, lang: Lang) -> ReplyFault:
    """One finding as a fault; one of an earlier boot says what the file has about it now."""
    last = max((f.boot for f in findings.found), default=0)
    cause = finding.cause.in_(lang)
    earlier = finding.boot < last
    if earlier:
        cause = f"{cause} {_now(finding, findings).in_(lang)}"
    return ReplyFault(
        id=name,
        cause=cause,
        title=finding.title.in_(lang),
        parameters=finding.parameters,
        category=finding.category,
        blocking=finding.blocking and not earlier,
        confidence=finding.confidence,
    )


def _now(finding: Finding, findings: Findings) -> Text:
    """What the settings say today about a fault of an earlier boot."""
    parameter = finding.parameters[0]
    setting = findings.service.written(parameter) or findings.service.effective(parameter)
    if setting is None:
        return Text(
            en=f"(An earlier start; the later one got further. {parameter} is not set in what was collected.)",
            zh=f"（这是较早的一次启动，后一次走得更远。收集到的配置里没有设置 {parameter}。）",
        )
    value = setting.value if setting.value is not None else "true"
    return Text(
        en=f"(An earlier start; the later one got further. {parameter} is now {value}.)",
        zh=f"（这是较早的一次启动，后一次走得更远。{parameter} 现在是 {value}。）",
    )


def _reply_line(ref: LineRef, fault: str | None, lang: Lang) -> ReplyLine:
    """A reference as an entry of the map."""
    return ReplyLine(
        source=ref.source,
        line=ref.line,
        file=ref.file,
        why=ref.why.in_(lang),
        parameter=ref.parameter,
        role=ref.role,
        fault=fault,
        topic=ref.topic,
    )


def _lines(findings: Findings, ids: dict[int, str], lang: Lang) -> tuple[ReplyLine, ...]:
    """The line map: every finding's lines, and each setting that lies on a fault's path."""
    lines = [_reply_line(ref, ids[id(f)], lang) for f in findings.found for ref in f.lines]
    lines += [
        line
        for finding in findings.found
        for line in _settings(finding.parameters, findings, finding.topic, ids[id(finding)], lang)
    ]
    return _unique(lines)


def _settings(parameters: Iterable[str], findings: Findings, topic: Topic, fault: str, lang: Lang) -> list[ReplyLine]:
    """The lines where the person sets a fault's parameters."""
    why = Text(en="set here; on the path of this fault", zh="在这里设置，处在这个故障的路径上").in_(lang)
    return [
        ReplyLine(
            source=s.source,
            line=s.line,
            file=s.file,
            why=why,
            parameter=s.parameter,
            role="context",
            fault=fault,
            topic=topic,
        )
        for s in findings.service.settings
        if s.line and s.source in ("compose", "command", "inspect") and s.parameter in set(parameters)
    ]


def _unique(lines: Iterable[ReplyLine]) -> tuple[ReplyLine, ...]:
    """One entry per line, a cause before anything else; in log order, bounded."""
    best: dict[tuple[str, str, int], ReplyLine] = {}
    for line in lines:
        key = (line.source, line.file, line.line)
        if key not in best or (line.role == "cause" and best[key].role != "cause"):
            best[key] = line
    kept = sorted(best.values(), key=lambda line: line.role != "cause")[:MAX_LINES]
    return tuple(sorted(kept, key=lambda line: (line.source != "log", line.source, line.file, line.line)))


def _experiment(choice: Choice, ids: dict[int, str], lang: Lang) -> ReplyExperiment:
    """The chosen proposal in words."""
    proposal = choice.proposal
    return ReplyExperiment(
        fault=ids.get(id(choice.finding)) or next(iter(ids.values()), None),
        why=proposal.why.in_(lang),
        kind=proposal.kind,
        parameter=proposal.parameter,
        to=proposal.to,
        observe=proposal.observe.in_(lang) if proposal.observe else None,
        if_right=proposal.if_right.in_(lang),
        if_wrong=proposal.if_wrong.in_(lang),
        watch=proposal.watch,
    )


def _context(findings: Findings, lang: Lang) -> tuple[ReplyLine, ...]:
    """A healthy answer carries silent remarks only."""
    return tuple(_reply_line(ref, None, lang) for f in findings.found for ref in f.lines if ref.role != "cause")


def _unknown(findings: Findings, lang: Lang) -> Reply:
    """Something failed and nothing is recognised: the lines to look at, and what to collect; no guess."""
    why = Text(
        en="the log's structure marks this line; no known failure matches it",
        zh="日志结构标出了这一行，但不属于任何已知故障",
    )
    lines = tuple(ReplyLine(line=n, why=why.in_(lang), role="symptom") for n in findings.structural)
    experiment = unrecognised(findings, lang)
    return Reply(status="unknown", lines=lines, experiment=experiment)


def _quiet(findings: Findings, lang: Lang) -> Reply:
    """Nothing failed and nothing serves: a log that ends in the middle of a start, or one of another program."""
    return _unknown(Findings(failed=True, late=findings.late), lang)
