"""The experiment was not tried before in this session."""

from copilot.checks.context import Context
from copilot.model.reply import Objection, Reply


def check(reply: Reply, context: Context) -> tuple[Objection, ...]:
    """Object to a change or an observation that an earlier round made already."""
    experiment = reply.experiment
    if experiment is None:
        return ()
    if experiment.kind == "change":
        repeated = any(t.parameter == experiment.parameter and t.to == experiment.to for t in context.tried)
        detail = f"{experiment.parameter}={experiment.to} was tried in an earlier round"
    else:
        repeated = experiment.observe in context.observed
        detail = "this observation was made in an earlier round"
    return (Objection(check="not_tried", detail=detail, where="experiment"),) if repeated else ()
