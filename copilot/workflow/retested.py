"""What a retest showed: the difference to the last round, whether the change was in effect, what to keep."""

from copilot import ledger as ledgers
from copilot.engines import EngineFacts, identify
from copilot.engines import read as read_engine
from copilot.logs import compare, parse
from copilot.model.answer import Change
from copilot.model.evidence import Evidence, Service
from copilot.model.finding import Comparison, Finding, Findings
from copilot.model.log import Log
from copilot.model.words import Verdict
from copilot.workflow import recreate
from copilot.workflow.state import State, Tried

HELPED: frozenset[Verdict] = frozenset({"fixed", "moved"})


def read_log(log: Log, evidence: Evidence) -> EngineFacts:
    """The engine and what its log says; the version a case states counts only where log and image are silent."""
    name = identify(log, evidence.image, evidence.engine)
    found = read_engine(log, name, evidence.image, None)
    if found.version is None and evidence.version_option:
        return read_engine(log, name, evidence.image, evidence.version_option)
    return found


def compare_rounds(previous: Evidence | None, evidence: Evidence, findings: Findings) -> Comparison | None:
    """The last boot of the previous round against the last boot of this one; None in the first round."""
    if previous is None or not previous.log or not evidence.log:
        return None
    before, after = parse(previous.log), parse(evidence.log)
    engine_a, engine_b = read_log(before, previous), read_log(after, evidence)
    a, b = Log(before.lines, engine_a.boots).last_boot(), Log(after.lines, engine_b.boots).last_boot()
    found = compare(a, b, a.boots[-1].phase if a.boots else "none", b.boots[-1].phase if b.boots else "none")
    if findings.healthy and not engine_a.healthy:
        return found.model_copy(update={"verdict": "fixed"})
    return found


def same_log(previous: Evidence | None, evidence: Evidence) -> bool:
    """Whether the very log of the last round was read again: nothing was started since."""
    return previous is not None and bool(evidence.log) and previous.log == evidence.log


def outcome(state: State, evidence: Evidence, findings: Findings) -> tuple[Tried, ...]:
    """The history with what this round says about the last round's experiment."""
    history = state.get("history", ())
    answer = state.get("answer")
    step = state.get("next")
    if answer is None or answer.experiment is None or (step is not None and not step.applied):
        return history
    if same_log(state.get("previous"), evidence):
        return history
    experiment = answer.experiment
    verdict = findings.comparison.verdict if findings.comparison else "unclear"
    in_effect = effective(experiment.change, evidence, findings.service) if experiment.change else None
    tried = Tried(
        round=answer.round,
        change=experiment.change,
        observe=experiment.observe,
        signature=answer.faults[0].title if answer.faults else None,
        verdict=verdict,
        in_effect=in_effect,
        kept=verdict in HELPED or in_effect is False,
    )
    return (*history, tried)


def against_prediction(state: State, evidence: Evidence, findings: Findings, engine: EngineFacts) -> Comparison | None:
    """The comparison with what was predicted for this start beside what it measured, where the change was in effect."""
    comparison, answer = findings.comparison, state.get("answer")
    if comparison is None or answer is None or answer.experiment is None or answer.experiment.predicted is None:
        return comparison
    change = answer.experiment.change
    if change is None or effective(change, evidence, findings.service) is False:
        return comparison
    note = ledgers.compared(answer.experiment.predicted.kv_available, engine.readings)
    return comparison.model_copy(update={"note": note})


def effective(change: Change, evidence: Evidence, service: Service) -> bool | None:
    """Whether the start really ran with the change; None where nothing of the running side tells."""
    running = [s for s in service.settings if s.parameter == change.parameter and s.source in ("inspect", "log")]
    if running:
        return any(same_value(s.value, change.to) for s in running)
    if change.parameter.startswith("env:") and evidence.container is not None and evidence.text("inspect"):
        return change.to is None
    if change.parameter.startswith("--") and evidence.container is not None and evidence.container.command:
        return change.to is None
    return None


def same_value(a: str | None, b: str | None) -> bool:
    """Whether two values are the same to an engine: `true` and `True`, `0.9` and `0.90`, a bare switch and `true`."""
    left, right = ("true" if v is None else v.strip().strip("'\"").lower() for v in (a, b))
    if left == right:
        return True
    try:
        return float(left) == float(right)
    except ValueError:
        return False


def stale(evidence: Evidence, service: Service, boot: int) -> tuple[Finding, ...]:
    """Settings that the file has and the container has not: it was not created anew after the file was changed."""
    if evidence.container is None or evidence.text("compose") is None:
        return ()
    found = []
    for setting in service.settings:
        if setting.source != "compose" or not setting.parameter.startswith(("env:", "--")) or setting.value is None:
            continue
        if "$" in setting.value or "‹" in setting.value:
            continue
        change = Change(parameter=setting.parameter, before=None, to=setting.value)
        running = [s for s in service.settings if s.parameter == setting.parameter and s.source == "inspect"]
        if effective(change, evidence, service) is False and not any(
            same_value(s.value, setting.value) for s in running
        ):
            now = running[-1].value if running else None
            found.append(recreate.stale(change, now, boot))
    return tuple(found)
