"""Settings that cannot work, or do nothing, in the version that reads them - whatever the log says.

A flag that the version does not know stops the start (argparse). A variable that nobody reads is silent: the start
goes on without what it was meant to do.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from copilot.model.evidence import Setting
from copilot.model.finding import Finding
from copilot.parameters import environment, objections, variables
from copilot.parameters.audited import Audited
from copilot.parameters.lookup import Status
from copilot.parameters.positional import positional_model
from copilot.parameters.registry import registry
from copilot.parameters.values import problem

_ORDER = ("compose", "command", "inspect", "log")
"""What a person wrote comes before what the container reports, and that before the words that the engine refused."""


def audit(settings: Sequence[Setting], engine: str | None, version: str | None) -> tuple[Finding, ...]:
    """Findings about unknown, misspelt, removed, not yet existing or ineffective settings and bad values.

    With an unknown version only what holds for every version is certain; what depends on it has confidence `low`.
    """
    if engine not in ("vllm", "ollama"):
        return ()
    names = {setting.parameter for setting in settings}
    audited = (Audited(s, registry().find(_spelled(s), engine, version), engine) for s in _once(settings))
    judged = [_judge(one, version, names) for one in audited]
    judged.append(positional_model(settings, version) if engine == "vllm" else None)
    return tuple(finding for finding in judged if finding)


def _once(settings: Sequence[Setting]) -> Iterator[Setting]:
    """Each flag and variable once."""
    seen = set()
    for source in _ORDER:
        for setting in settings:
            if (
                setting.source == source
                and setting.parameter not in seen
                and setting.parameter.startswith(("-", "env:"))
                and (source != "log" or setting.spelled)  # what the engine printed without a spelling it has accepted
            ):
                seen.add(setting.parameter)
                yield setting


def _spelled(setting: Setting) -> str:
    flag = setting.parameter.startswith("-") and setting.spelled.startswith("-")
    return setting.spelled if flag else setting.parameter


def _judge(audited: Audited, version: str | None, names: set[str]) -> Finding | None:
    found = audited.found
    if found.status == "unknown":
        return _unknown(audited, names)
    if found.status in _BY_STATUS:
        return _BY_STATUS[found.status](audited)
    if version is None and found.until is not None:
        return objections.depends(audited)
    if _given_to_switch(audited):
        return objections.switch_value(audited)
    wrong = problem(found, audited.value, audited.engine)
    return objections.bad_value(audited, wrong) if wrong else None


_BY_STATUS: Mapping[Status, Callable[[Audited], Finding]] = {
    "ambiguous": objections.ambiguous,
    "removed": objections.removed,
    "not_yet": objections.not_yet,
    "ignored": objections.ineffective,
}


def _given_to_switch(audited: Audited) -> bool:
    """`--enable-x=False`: argparse takes no value for a switch."""
    return (
        audited.is_flag and audited.found.type == "bool" and audited.found.value is None and bool(audited.setting.value)
    )


def _unknown(audited: Audited, names: set[str]) -> Finding | None:
    name = audited.setting.parameter.removeprefix("env:")
    if audited.is_flag:
        return objections.unknown_flag(audited) if audited.engine == "vllm" else None
    meant = environment.meant(name)
    if meant and meant not in names:
        return objections.unread(audited, meant)
    own = variables.is_own(name, audited.engine)
    if own and (audited.found.suggestions or audited.written):
        return objections.unknown_variable(audited)
    return None
