"""Every fault stands on a line of the evidence, is named once, and the experiment belongs to one of them."""

from copilot.checks.context import Context
from copilot.model.names import any_alike
from copilot.model.reply import Objection, Reply
from copilot.parameters import registry


def check(reply: Reply, context: Context) -> tuple[Objection, ...]:
    """Object to faults without a cause line, to unknown fault ids, and to a change that no fault asks for."""
    ids = [fault.id for fault in reply.faults]
    grounded = {line.fault for line in reply.lines if line.role == "cause"}
    found = {p for finding in context.findings.found for p in finding.parameters}
    objections = [
        Objection(
            check="faults_grounded", detail=f"{fault.id} cites no line with role cause", where=f"faults.{fault.id}"
        )
        for fault in reply.faults
        if fault.id not in grounded and not any_alike(fault.parameters, found)
    ]
    objections += [
        Objection(check="faults_grounded", detail=f"there is no fault {line.fault}", where=f"lines.{index}.fault")
        for index, line in enumerate(reply.lines)
        if line.fault is not None and line.fault not in ids
    ]
    objections += [
        Objection(check="faults_grounded", detail=f"{name} is used for two faults", where=f"faults.{name}")
        for name in sorted({name for name in ids if ids.count(name) > 1})
    ]
    return (*objections, *_experiment(reply, context))


def _experiment(reply: Reply, context: Context) -> tuple[Objection, ...]:
    """The change turns something that its fault concerns, or that lies on the same path."""
    experiment = reply.experiment
    if experiment is None or experiment.kind != "change" or experiment.parameter is None or not reply.faults:
        return ()
    fault = next((f for f in reply.faults if f.id == experiment.fault), None)
    if fault is None:
        detail = f"the experiment belongs to no fault ({experiment.fault})"
        return (Objection(check="faults_grounded", detail=detail, where="experiment"),)
    proposed = [p.parameter for f in context.findings.found for p in f.proposals if p.parameter]
    near = {*fault.parameters, *proposed}
    for parameter in fault.parameters:
        near.update(registry().same_path(parameter, context.engine, context.findings.version))
    if any_alike([experiment.parameter], near):
        return ()
    detail = f"{experiment.parameter} is not what fault {fault.id} concerns"
    return (Objection(check="faults_grounded", detail=detail, where="experiment"),)
