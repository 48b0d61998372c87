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


def check(reply: Reply, context: Context) -> tuple[Objection, ...]:
    """Object to a value out of type, range or choices, or one that a shell would read as a command."""
    experiment = reply.experiment
    if experiment is None or experiment.kind != "change" or experiment.parameter is None or experiment.to is None:
        return ()
    if experiment.to.strip() == experiment.parameter:
        detail = f"{experiment.to} is the parameter's own name, not a value"
        return (Objection(check="value_valid", detail=detail, where="experiment"),)
    written = experiment.parameter.startswith(("--", "env:", "docker:image"))
    if not (_PLAIN if written else _SENTENCE).fullmatch(experiment.to):
        detail = "the value holds characters that a shell or a file would not take as plain text"
        return (Objection(check="value_valid", detail=detail, where="experiment"),)
    if not experiment.parameter.startswith(("--", "env:")):
        return ()
    engine = context.engine_of(experiment.parameter)
    detail = registry().check_value(experiment.parameter, experiment.to, engine, context.findings.version) or ""
    return (Objection(check="value_valid", detail=detail, where="experiment"),) if detail else ()
