"""Hold a reply against every rule; take out what does not hold, and say so."""

from collections.abc import Iterable

from copilot import checks
from copilot.model.answer import AnsweredBy, CheckResult
from copilot.model.reply import Objection, Reply
from copilot.workflow.state import Asked, Checked, Ports, State

MAX_ATTEMPTS = 2
"""How often a model gets its objections back."""


def check(ports: Ports, state: State) -> State:
    """Check what came last: the playbook's reply if it answered, else the model's."""
    del ports
    context = context_of(state)
    ranked = state.get("ranked")
    if ranked is not None and ranked.round == state["round"]:
        return {"checked": _judge(ranked.reply, ranked.by, context)}
    asked = state["asked"]
    if asked.reply is None or asked.by is None:
        by = AnsweredBy(provider=state["options"].provider)
        return {"checked": Checked(reply=Reply(status="unknown"), by=by, empty=True)}
    return {"checked": _judge(asked.reply, asked.by, context)}


def context_of(state: State) -> checks.Context:
    """What the rules may look at."""
    history = state.get("history", ())
    return checks.Context(
        evidence=state["evidence"],
        findings=state["findings"],
        tried=tuple(t.change for t in history if t.change is not None and t.in_effect is not False),
        observed=tuple(t.observe for t in history if t.observe is not None),
    )


def _judge(reply: Reply, by: AnsweredBy, context: checks.Context) -> Checked:
    """The reply without what does not hold, nor what stood on that alone: a fault may lose its only line."""
    objections: list[Objection] = []
    pruned, before = reply, None
    while pruned != before:
        before, found = pruned, [o for rule in checks.run(pruned, context).values() for o in rule]
        objections += [objection for objection in found if objection not in objections]
        pruned = prune(pruned, found)
    said = {name: dict.fromkeys(o.detail for o in objections if o.check == name) for name in checks.load()}
    results = tuple(CheckResult(check=n, passed=not details, detail="; ".join(details)) for n, details in said.items())
    empty = reply.status not in ("healthy", "unknown") and not pruned.faults
    return Checked(reply=pruned, by=by, objections=tuple(objections), results=results, empty=empty)


def prune(reply: Reply, objections: Iterable[Objection]) -> Reply:
    """Drop the parts that objections point at; what stood on a dropped fault goes with it."""
    where = {objection.where for objection in objections}
    lines = [
        line.model_copy(
            update={
                "parameter": None if f"lines.{n}.parameter" in where else line.parameter,
                "fault": None if f"lines.{n}.fault" in where else line.fault,
            }
        )
        for n, line in enumerate(reply.lines)
        if f"lines.{n}" not in where
    ]
    faults = []
    for fault in reply.faults:
        parameters = tuple(p for p in fault.parameters if f"faults.{fault.id}.parameters.{p}" not in where)
        if f"faults.{fault.id}" not in where and (parameters or not fault.parameters):
            faults.append(fault.model_copy(update={"parameters": parameters}))
    names = {fault.id for fault in faults}
    kept = [line if line.fault in names else line.model_copy(update={"fault": None}) for line in lines]
    experiment = None if "experiment" in where else reply.experiment
    if experiment is not None and reply.faults and experiment.fault not in names:
        experiment = None
    return reply.model_copy(update={"lines": tuple(kept), "faults": tuple(faults), "experiment": experiment})


def verdict(state: State) -> str:
    """Route after the checks: `again` (objections back to the model), `rank` (the playbook), or `propose`."""
    checked = state["checked"]
    if checked.by.provider == "playbook":
        return "propose"
    asked: Asked = state["asked"]
    if asked.reply is None:
        return "rank"
    if checked.objections and asked.attempt <= MAX_ATTEMPTS and any(_matters(o) for o in checked.objections):
        return "again"
    findings = state["findings"]
    lost = checked.reply.experiment is None and any(f.proposals for f in findings.found)
    return "rank" if checked.empty or lost else "propose"


def _matters(objection: Objection) -> bool:
    """Whether it is worth another call: a wrong fault or experiment, not a single line of the map."""
    return objection.where.startswith(("faults", "experiment"))
