"""From a checked reply to the answer: texts looked up by number, one change with its diff, commands and undo."""

from copilot import ledger as ledgers
from copilot.errors import CopilotError
from copilot.model.answer import (
    Answer,
    Change,
    CheckResult,
    Compared,
    ComparedChange,
    ComparedLine,
    EngineInfo,
    Expect,
    Experiment,
    Fault,
    LedgerRow,
    LedgerView,
    MappedLine,
    Predicted,
)
from copilot.model.evidence import Evidence
from copilot.model.finding import CompareLine, Comparison, Findings
from copilot.model.ledger import Ledger
from copilot.model.reply import Reply, ReplyExperiment
from copilot.model.text import Lang, Text
from copilot.model.words import Status
from copilot.text.errors import translated
from copilot.workflow.commands import commands_for, undo_for
from copilot.workflow.diff import diff_for
from copilot.workflow.retested import same_log
from copilot.workflow.state import Ports, State, Tried
from copilot.workflow.verify import verify_steps

MAX_COMPARED = 30
PATIENT = Text(
    en="The provider is the very server that failed, so the built-in playbook answers.",
    zh="所选的模型服务正是出故障的那个服务，因此由内置手册回答。",
)

NOT_COLLECTED = Text(en="not collected: ", zh="未收集：")
NOT_FOLLOWED = Text(en="not followed: ", zh="未跟进：")
SAME_LOG = Text(
    en="This is the log of the last round, line for line: nothing was started since. "
    "Make the change, start the server, then go on.",
    zh="这和上一轮是同一份日志，逐行相同：此后没有重新启动过。请先完成改动并启动服务，再继续。",
)


def propose(ports: Ports, state: State) -> State:
    """The answer of this round."""
    checked, findings, evidence = state["checked"], state["findings"], state["evidence"]
    reply, lang = checked.reply, state["options"].lang
    answer = Answer(
        session=state["session"],
        round=state["round"],
        status=_status(reply, findings),
        engine=EngineInfo(name=findings.engine, version=findings.version, version_from=findings.version_from),
        answered_by=checked.by,
        faults=tuple(Fault.model_validate(fault.model_dump()) for fault in reply.faults),
        lines=_lines(reply, evidence),
        ledger=_ledger(findings.ledger, lang),
        experiment=_experiment(ports, state, reply.experiment),
        verify=verify_steps(findings, evidence, lang),
        checks=_checks(state),
        missing=_missing(state),
        redactions=evidence.redactions,
        compared=_compared(findings.comparison, lang),
    )
    return {"answer": answer}


def _status(reply: Reply, findings: Findings) -> Status:
    """A reply cannot call ill what serves, nor healthy what failed; doubt makes it partial."""
    if findings.healthy:
        return "healthy"
    if reply.status in ("healthy", "unknown") or not reply.faults:
        return "unknown"
    return "diagnosed" if any(f.confidence != "low" for f in reply.faults) and reply.status != "partial" else "partial"


def _lines(reply: Reply, evidence: Evidence) -> tuple[MappedLine, ...]:
    """The line map with each text as it is stored."""
    mapped = []
    for line in reply.lines:
        text = evidence.text(line.source, line.file or None)
        if text is None:
            continue
        mapped.append(
            MappedLine(
                source=line.source,
                line=line.line,
                text=text.line(line.line),
                parameter=line.parameter,
                role=line.role,
                fault=line.fault,
                topic=line.topic,
                why=line.why,
                file=text.file,
            )
        )
    return tuple(mapped)


def _ledger(ledger: Ledger | None, lang: Lang) -> LedgerView | None:
    """The ledger in the language asked for."""
    if ledger is None:
        return None
    rows = tuple(
        LedgerRow(name=r.name, gib=round(r.gib, 3), origin=r.origin, low=r.low, high=r.high, note=r.note)
        for r in ledger.rows
    )
    return LedgerView(rows=rows, verdict=ledger.verdict.in_(lang), fits=ledger.fits, conflicts=ledger.conflicts)


def _experiment(ports: Ports, state: State, wanted: ReplyExperiment | None) -> Experiment | None:
    """The one change (or observation) with everything a person needs to make it."""
    if wanted is None:
        return None
    findings = state["findings"]
    change = _change(wanted, findings)
    revert = reverts(state.get("history", ()), findings) if change is not None else ()
    gone = replaced(change, findings)
    diff = _diff(ports, state, (*revert, *gone, change)) if change is not None else None
    return Experiment(
        fault=wanted.fault,
        kind="change" if change is not None else "observe",
        revert=revert,
        change=change,
        replaces=gone[0].parameter if gone else None,
        observe=wanted.observe if change is None else None,
        why=wanted.why,
        predicted=_predicted(state, change),
        diff=diff,
        commands=commands_for(state, change, wanted, diff=diff, gone=gone),
        expect=Expect(if_right=wanted.if_right, if_wrong=wanted.if_wrong, watch=wanted.watch),
        undo=undo_for(change, state["options"].lang, gone),
    )


def _predicted(state: State, change: Change | None) -> Predicted | None:
    """The effect on the KV cache, where memory is in question and the change touches it."""
    findings = state["findings"]
    if change is None or findings.ledger is None:
        return None
    tried = ledgers.Tried(findings.ledger, findings.service, findings.version, findings.architecture)
    effect = ledgers.effect_on(tried, change.parameter, change.to)
    if effect is None:
        return None
    text = effect.text.in_(state["options"].lang)
    needed = None if effect.needed is None else round(effect.needed, 3)
    return Predicted(kv_available=round(effect.after, 3), kv_needed=needed, text=text)


def _change(wanted: ReplyExperiment, findings: Findings) -> Change | None:
    """The change from what is set now; None for an observation."""
    if wanted.kind != "change" or wanted.parameter is None:
        return None
    present = findings.service.written(wanted.parameter) or findings.service.effective(wanted.parameter)
    before = (present.value if present.value is not None else "true") if present is not None else None
    return Change(parameter=wanted.parameter, before=before, to=wanted.to)


def replaced(change: Change | None, findings: Findings) -> tuple[Change, ...]:
    """The written setting that gives way to this change: a name that is gone, renamed or misspelt. At most one."""
    if change is None or change.to is None:
        return ()
    for proposal in (proposal for finding in findings.found for proposal in finding.proposals):
        old = proposal.replaces
        if old is None or old == change.parameter or proposal.parameter != change.parameter:
            continue
        present = findings.service.written(old) or findings.service.effective(old)
        if present is not None:
            return (Change(parameter=old, before=present.value if present.value is not None else "true", to=None),)
    return ()


def _diff(ports: Ports, state: State, changes: tuple[Change, ...]) -> str | None:
    """The diff of the person's file; None where the change is not one of that file, or the file cannot be read."""
    try:
        return diff_for(ports, state, changes)
    except CopilotError:
        return None


def reverts(history: tuple[Tried, ...], findings: Findings) -> tuple[Change, ...]:
    """Earlier changes that did not help and still stand in the settings: undone in the same restart."""
    found: list[Change] = []
    for tried in history:
        if tried.change is None or tried.kept:
            continue
        present = findings.service.written(tried.change.parameter)
        now = present.value if present is not None else None
        if present is None and findings.service.effective(tried.change.parameter) is None:
            continue
        value = now if now is not None else "true"
        if tried.change.to is not None and value != tried.change.to:
            continue
        found.append(Change(parameter=tried.change.parameter, before=tried.change.to, to=tried.change.before))
    return tuple(found)


def _checks(state: State) -> tuple[CheckResult, ...]:
    """What every rule said; for a reply that was replaced, what the model's reply failed on is told as well."""
    return state["checked"].results


def _missing(state: State) -> tuple[str, ...]:
    """What would make the answer surer, what was left out, and why a provider did not answer."""
    lang = state["options"].lang
    evidence, findings = state["evidence"], state["findings"]
    notes = [] if findings.healthy else [note.in_(lang) for note in findings.notes]
    not_collected, not_followed = NOT_COLLECTED.in_(lang), NOT_FOLLOWED.in_(lang)
    left_out = [f"{not_collected}{translated(reason, lang)}" for reason in evidence.left_out]
    notes_of_service = [f"{not_followed}{translated(note, lang)}" for note in evidence.service.notes]
    problem = state["asked"].problem if "asked" in state and state["asked"].round == state["round"] else ""
    told = [translated(problem, lang)] if problem else []
    if same_log(state.get("previous"), evidence):
        told.append(SAME_LOG.in_(lang))
    if findings.patient:
        told.append(PATIENT.in_(lang))
    return tuple(dict.fromkeys((*told, *state["checked"].reply.missing, *notes, *left_out, *notes_of_service)))


def _compared(comparison: Comparison | None, lang: Lang) -> Compared | None:
    """The comparison in the answer's shape."""
    if comparison is None:
        return None
    return Compared(
        verdict=comparison.verdict,
        same=comparison.same,
        gone=tuple(map(_line, comparison.gone[:MAX_COMPARED])),
        new=tuple(map(_line, comparison.new[:MAX_COMPARED])),
        changed=tuple(ComparedChange(a=_line(c.a), b=_line(c.b)) for c in comparison.changed[:MAX_COMPARED]),
        phase={"a": comparison.phase_a, "b": comparison.phase_b},
        note=comparison.note.in_(lang) if comparison.note else "",
    )


def _line(line: CompareLine) -> ComparedLine:
    """One line of a comparison."""
    return ComparedLine(line=line.line, text=line.text, topic=line.topic)
