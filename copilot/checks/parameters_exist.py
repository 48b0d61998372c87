"""Every parameter exists: in the contract's list, or in the engine's registry for the version at hand."""

from collections.abc import Iterator

from copilot.checks.context import Context
from copilot.model.names import is_listed
from copilot.model.reply import Objection, Reply
from copilot.parameters import registry


def problem(parameter: str, context: Context, *, to_set: bool) -> str | None:
    """Why a parameter may not be named; None when it may.

    A removed flag may be named as what a fault concerns (it is what the person must remove), never as what to set.
    """
    if not parameter.startswith(("--", "env:")):
        return None if is_listed(parameter) else f"{parameter} is no known parameter"
    version = context.findings.version
    lookup = registry().find(parameter, context.engine_of(parameter), version)
    if lookup.parameter is None or lookup.status in ("unknown", "ambiguous"):
        written = context.findings.service.effective(parameter) is not None
        return None if written and not to_set else f"{parameter} does not exist{_hint(lookup.suggestions)}"
    if to_set and lookup.status in ("removed", "not_yet", "ignored"):
        instead = f"; instead: {lookup.successor}" if lookup.successor else ""
        return f"{parameter} has no effect in {context.engine} {version} ({lookup.status}){instead}"
    return None


def _hint(suggestions: tuple[str, ...]) -> str:
    """Nearest names in brackets."""
    return f" (near: {', '.join(suggestions[:3])})" if suggestions else ""


def _named(reply: Reply) -> Iterator[tuple[str, str]]:
    """(where, parameter) for each parameter that is not the experiment's."""
    for fault in reply.faults:
        for parameter in fault.parameters:
            yield f"faults.{fault.id}.parameters.{parameter}", parameter
    for index, line in enumerate(reply.lines):
        if line.parameter is not None:
            yield f"lines.{index}.parameter", line.parameter


def check(reply: Reply, context: Context) -> tuple[Objection, ...]:
    """Object to each invented parameter, and to an experiment whose parameter this version does not have."""
    objections = []
    for where, parameter in _named(reply):
        detail = problem(parameter, context, to_set=False)
        if detail:
            objections.append(Objection(check="parameters_exist", detail=detail, where=where))
    experiment = reply.experiment
    if experiment is not None and experiment.kind == "change" and experiment.parameter is not None:
        detail = problem(experiment.parameter, context, to_set=experiment.to is not None)
        if detail:
            objections.append(Objection(check="parameters_exist", detail=detail, where="experiment"))
    return tuple(objections)
