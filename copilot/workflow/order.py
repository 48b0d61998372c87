"""Which finding comes first, and which are one."""

from collections.abc import Iterable
from typing import get_args

from copilot.model.finding import Finding
from copilot.model.names import alike
from copilot.model.words import Phase

_PHASES: tuple[str, ...] = get_args(Phase)
_CONFIDENCE = {"high": 0, "medium": 1, "low": 2}


def order(found: Iterable[Finding], last: int) -> tuple[Finding, ...]:
    """The last boot's faults first, what blocks before what does not, surer and more specific before vague."""
    kept = _without_superseded(tuple(found))
    return tuple(sorted(_merged(kept), key=lambda f: _rank(f, last)))


def _rank(finding: Finding, last: int) -> tuple[int, ...]:
    """Sort key."""
    return (
        0 if finding.boot >= last else 1,
        0 if finding.blocking else 1,
        _CONFIDENCE[finding.confidence] if finding.confidence == "low" else 0,
        -finding.boot,
        0 if _was_seen(finding) else 1,
        _PHASES.index(finding.phase) if finding.phase != "none" else len(_PHASES),
        -finding.weight,
        _CONFIDENCE[finding.confidence],
    )


def _was_seen(finding: Finding) -> bool:
    """Whether the log, the engine or a client told it: what only a file shows had not come to pass when this ended."""
    return finding.origin != "setting" or any(line.source not in {"compose", "command"} for line in finding.lines)


def _without_superseded(found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Drop what another finding of the same boot declares its symptom or wrapper."""
    hidden = {(f.boot, name) for f in found for name in f.supersedes}
    return tuple(f for f in found if (f.boot, f.id) not in hidden)


def _merged(found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """One finding for one thing: the same id of several boots (the last stays), the same setting marked twice."""
    kept: list[Finding] = []
    for finding in sorted(found, key=lambda f: (-f.boot, -f.weight)):
        known = next((index for index, other in enumerate(kept) if _same(finding, other)), None)
        if known is None:
            kept.append(finding)
        elif finding.id.startswith(_NO_SUCH):
            kept[known] = _told_by(kept[known], finding)
        elif _one_setting(kept[known], finding):
            kept[known] = _joined(kept[known], finding)
    return tuple(kept)


_NO_SUCH = ("setting:removed:", "setting:not-yet:", "setting:unknown:", "setting:ambiguous:")


def _told_by(seen: Finding, setting: Finding) -> Finding:
    """A refused flag as the log shows it, in the words of the data, which know its versions and its successor."""
    if seen.origin == "setting":
        return seen
    lines = (*seen.lines, *(line for line in setting.lines if line not in seen.lines and line.source != "log"))
    proposals = (*setting.proposals, *(p for p in seen.proposals if p not in setting.proposals))
    return seen.model_copy(
        update={"title": setting.title, "cause": setting.cause, "lines": lines, "proposals": proposals}
    )


def _one_setting(finding: Finding, other: Finding) -> bool:
    """Whether two findings are two sights of one setting that silently does not do what was meant.

    What the server printed, and where the person wrote it.
    """
    return (
        finding.boot == other.boot
        and finding.id != other.id
        and not (finding.blocking or other.blocking)
        and "setting" not in (finding.origin, other.origin)
        and finding.parameters[0].startswith(("--", "env:"))
        and finding.parameters[0] == other.parameters[0]
    )


def _joined(finding: Finding, other: Finding) -> Finding:
    """The first, with the lines and the proposals of the second."""
    lines = (*finding.lines, *(line for line in other.lines if line not in finding.lines))
    return finding.model_copy(update={"lines": lines, "proposals": (*finding.proposals, *other.proposals)})


def _same(finding: Finding, other: Finding) -> bool:
    """Whether two findings speak of one thing."""
    if _one_setting(finding, other):
        return True
    if finding.id == other.id and finding.captures == other.captures:
        return True
    if finding.id == other.id and finding.boot != other.boot:
        return True
    by_setting = "setting" in (finding.origin, other.origin) and finding.origin != other.origin
    return by_setting and any(alike(a, b) for a in finding.parameters[:1] for b in other.parameters[:1])
