"""All that code is sure of: signatures, settings that cannot work, the ledger, the difference to the last boot."""

from collections.abc import Iterable, Sequence

from copilot import ledger as ledgers
from copilot.engines import EngineFacts
from copilot.logs import begins_late, decisive, parse
from copilot.model.architecture import Architecture
from copilot.model.evidence import Evidence, Service
from copilot.model.finding import Finding, Findings
from copilot.model.ledger import Ledger
from copilot.model.log import Decisive, Log
from copilot.model.programs import is_other_program
from copilot.parameters import audit
from copilot.signatures import Facts, mark_noise, match
from copilot.workflow.notes import notes
from copilot.workflow.order import order
from copilot.workflow.patient import is_patient
from copilot.workflow.retested import against_prediction, compare_rounds, outcome, read_log, stale
from copilot.workflow.state import Ports, State

MEMORY_TOPICS = frozenset({"memory budget"})


def find(ports: Ports, state: State) -> State:
    """Everything found in this round's evidence, ordered by what stops the start first."""
    evidence = state["evidence"]
    log = parse(evidence.log)
    engine = read_log(log, evidence)
    log = Log(log.lines, engine.boots)
    service = evidence.service.model_copy(update={"settings": (*evidence.service.settings, *engine.settings)})
    shape = evidence.architecture or _shape(service)
    evidence = evidence.model_copy(update={"service": service, "architecture": shape})
    ledger = ledgers.build(engine.readings, evidence.gpu, service, evidence.architecture, engine.version)
    facts = Facts(evidence=evidence, log=log, engine=engine, ledger=ledger)
    found = _found(facts, service, last=max(len(log.boots) - 1, 0))
    findings = _findings(facts, found, is_patient(ports.model_url, evidence, service))
    comparison = compare_rounds(state.get("previous"), evidence, findings)
    findings = findings.model_copy(update={"comparison": comparison})
    told = against_prediction(state, evidence, findings, engine)
    findings = findings.model_copy(update={"comparison": told})
    return {"findings": findings, "history": outcome(state, evidence, findings)}


def _shape(service: Service) -> Architecture | None:
    """The shape of the model that the engine says it serves, where the table knows its name."""
    model = service.effective("--model")
    return ledgers.architecture_of(model.value) if model is not None and model.value else None


def _findings(facts: Facts, found: tuple[Finding, ...], patient: bool) -> Findings:
    """Everything that was found, with the lines that matter."""
    evidence, log, engine = facts.evidence, facts.log, facts.engine
    structural = decisive(log)
    refused = engine.healthy and facts.value("requests_fine") == "no"
    return Findings(
        engine=engine.name,
        version=engine.version,
        version_from=engine.version_from,
        service=evidence.service,
        architecture=evidence.architecture,
        found=found,
        ledger=facts.ledger if _memory_in_question(found, facts.ledger, structural) else None,
        healthy=engine.healthy and not refused and not any(_ill(f, last=len(log.boots) - 1) for f in found),
        failed=refused or _failed(evidence, engine, structural),
        late=begins_late(log),
        centres=_centres(found, structural),
        structural=tuple(line.number for line in structural[:5] if line.kind != "wrapper"),
        noise=tuple(reference.line for reference in mark_noise(facts)),
        phase=log.boots[-1].phase if log.boots else "none",
        patient=patient,
        notes=notes(evidence, engine, late=begins_late(log)),
    )


def _found(facts: Facts, service: Service, last: int) -> tuple[Finding, ...]:
    """Signatures, settings that cannot work, and settings that the container does not have yet."""
    seen = match(facts)
    audited = _audited(facts, service, any(f.blocking and f.confidence == "high" for f in seen))
    audited = tuple(finding.model_copy(update={"boot": last}) for finding in audited)
    return order((*seen, *audited, *stale(facts.evidence, service, last)), last)


def _audited(facts: Facts, service: Service, explained: bool) -> tuple[Finding, ...]:
    """Settings that cannot work, or do nothing.

    Of a server that serves nothing is said to stop its start: it did start. What depends on an unknown version is a
    question, not a fault, where the log has told what stopped the server. Another program's settings are its own.
    """
    engine = facts.engine
    if is_other_program(facts.evidence.image or service.image or ""):
        return ()
    found = audit(service.settings, engine.name or "vllm", engine.version)
    if engine.healthy:
        found = tuple(finding for finding in found if not finding.blocking)
    return tuple(finding for finding in found if not (explained and finding.confidence == "low"))


def _ill(finding: Finding, last: int) -> bool:
    """Whether a server that serves is ill all the same: a refused request, or a setting that silently does nothing."""
    return finding.origin != "comparison" and finding.boot >= last and (finding.blocking or finding.confidence != "low")


def _memory_in_question(found: Iterable[Finding], ledger: Ledger | None, structural: Sequence[Decisive]) -> bool:
    """Whether the ledger belongs into the answer: a fault of the budget, or figures that do not fit."""
    if ledger is None:
        return False
    return any(f.topic in MEMORY_TOPICS for f in found) or (ledger.fits is False and bool(structural))


def _failed(evidence: Evidence, engine: EngineFacts, structural: Sequence[Decisive]) -> bool:
    """Whether something went wrong, recognised or not."""
    container = evidence.container
    stopped_ill = container is not None and (
        bool(container.error) or container.oom_killed or container.exit_code not in (None, 0, 143)
    )
    return engine.failed or stopped_ill or (bool(structural) and not engine.healthy)


def _centres(found: Iterable[Finding], structural: Iterable[Decisive]) -> tuple[int, ...]:
    """Log lines to cut windows around: the findings' causes, then what the log's structure marks, then the rest."""
    causes = [r.line for f in found for r in f.lines if r.source == "log" and r.role == "cause"]
    rest = [r.line for f in found for r in f.lines if r.source == "log" and r.role != "cause"]
    return tuple(dict.fromkeys((*causes, *(d.number for d in structural), *rest)))
