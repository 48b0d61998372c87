"""The new value is one the parameter takes: type, range, choices, and plain text."""

import re

from copilot.checks.context import Context
from copilot.model.reply import Objection, Reply
from copilot.parameters import registry

_SENTENCE = re.compile(r"[^\x00-\x1f\x7f\u2028\u2029]{0,400}")
"""What may describe the state of something outside the file (`host:...`): it is shown, never written or run."""
_PLAIN = re.compile(r"[^\x00-\x1f\x7f\u2028\u2029`$;|&<>\\]{0,300}|<[^\x00-\x1f\x7f\u2028\u2029`$;|&<>\\]{1,300}>")
"""What may stand in a file or on a command line that we print: no control characters, no shell syntax. A value that is
one `<placeholder>` is for the person to fill in; the templates quote it."""
_REASON = re.compile(r"\s*[:;,(].*[^\W\d_]{2}.* ")
"""A mark and words with a space between them."""


def check(reply: Reply, context: Context) -> tuple[Objection, ...]:
    """Object to a value out of type, range or choices, or one that a shell would read as a command."""
    experiment = reply.experiment
    if experiment is None or experiment.kind != "change" or experiment.parameter is None or experiment.to is None:
        return ()
    parameter, value = experiment.parameter, experiment.to
    detail = _copied(parameter, value, context) or _unplain(parameter, value)
    if not detail and parameter.startswith(("--", "env:")):
        engine = context.engine_of(parameter)
        detail = registry().check_value(parameter, value, engine, context.findings.version) or ""
    return (Objection(check="value_valid", detail=detail, where="experiment"),) if detail else ()


def _copied(parameter: str, value: str, context: Context) -> str:
    """Words of the prompt that small models take for the value: the parameter's name, or a proposal with its reason."""
    if value.strip() == parameter:
        return f"{value} is the parameter's own name, not a value"
    for proposal in (p for finding in context.findings.found for p in finding.proposals):
        meant = proposal.to or value
        if proposal.parameter == parameter and value.startswith(meant) and _REASON.match(value[len(meant) :]):
            return f'to must be "{meant}" alone: what follows it is the reason, not the value'
    return ""


def _unplain(parameter: str, value: str) -> str:
    """Whether it is plain text where it will stand."""
    written = parameter.startswith(("--", "env:", "docker:image"))
    if (_PLAIN if written else _SENTENCE).fullmatch(value):
        return ""
    return "the value holds characters that a shell or a file would not take as plain text"
