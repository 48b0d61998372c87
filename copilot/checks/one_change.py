"""The experiment changes one thing, and really changes it."""

from copilot.checks.context import Context
from copilot.model.reply import Objection, Reply, ReplyExperiment


def check(reply: Reply, context: Context) -> tuple[Objection, ...]:
    """Object to a change of nothing, of several things, or to the value that is there already."""
    experiment = reply.experiment
    if experiment is None:
        return ()
    detail = _problem(experiment, context)
    return (Objection(check="one_change", detail=detail, where="experiment"),) if detail else ()


def _problem(experiment: ReplyExperiment, context: Context) -> str | None:
    """What is wrong with the form of the experiment, or None."""
    if experiment.kind not in ("change", "observe"):
        return f"an experiment is a change or an observation, not {experiment.kind!r}"
    if experiment.kind == "observe":
        return None if experiment.observe else "an observation must say what to look at"
    parameter = experiment.parameter or ""
    if not parameter or any(separator in parameter for separator in (",", " ")):
        return "a change names exactly one parameter"
    if parameter.startswith(("--", "env:")) and " --" in f" {experiment.to or ''}":
        return "the value holds a second option: one change at a time"
    return _changes_nothing(experiment, context)


def _changes_nothing(experiment: ReplyExperiment, context: Context) -> str | None:
    """Why the change would leave everything as it is, or None."""
    parameter = experiment.parameter or ""
    service = context.findings.service
    present = service.written(parameter) or service.effective(parameter)
    if experiment.to is None:
        seen = present is not None or not service.settings
        return None if seen else f"{parameter} is not set, so it cannot be removed"
    if present is not None and (present.value or "true").strip().lower() == experiment.to.strip().lower():
        return f"{parameter} already is {experiment.to}"
    return None
