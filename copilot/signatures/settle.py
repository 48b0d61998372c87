"""What stays of all that matched: one finding per cause, in the order in which they block."""

from collections.abc import Mapping, Sequence
from typing import get_args

from copilot.model.finding import Finding
from copilot.model.words import Phase
from copilot.signatures.signature import Signature

_PHASES: tuple[Phase, ...] = get_args(Phase)


def settle(
    found: Sequence[Finding], signatures: Mapping[str, Signature], mild: frozenset[int] = frozenset()
) -> tuple[Finding, ...]:
    """Drop wrappers of others, the vaguer of two on one line, and fallbacks where something is known; then order.

    `mild` are the numbers of the log lines that only warn or inform: what they tell did not stop a start that an error
    stopped.
    """
    kept = [f for f in found if not _superseded(f, found)]
    kept = [f for f in kept if not (_only_warned(f, mild) and _stopped_by_error(f, kept, mild))]
    kept = [f for f in kept if not _outweighed(f, kept)]
    kept = [f for f in kept if not (signatures[f.id].fallback and _explained(f, kept))]
    return tuple(sorted(kept, key=_order))


def _superseded(finding: Finding, found: Sequence[Finding]) -> bool:
    return any(finding.id in other.supersedes and other.boot >= finding.boot for other in found if other is not finding)


def _outweighed(finding: Finding, found: Sequence[Finding]) -> bool:
    mine = _decisive(finding)
    return any(
        mine <= _decisive(other) and _rank(other) > _rank(finding)
        for other in found
        if other is not finding and other.boot == finding.boot
    )


def _only_warned(finding: Finding, mild: frozenset[int]) -> bool:
    """Whether a fault that is said to stop the start is told by warnings alone."""
    told = _decisive(finding)
    return finding.blocking and bool(told) and all(source == "log" and line in mild for source, _, line in told)


def _stopped_by_error(finding: Finding, found: Sequence[Finding], mild: frozenset[int]) -> bool:
    """Whether an error of the same start tells of another fault, surely."""
    return any(
        f.blocking and f.confidence == "high" and f.boot == finding.boot and not _only_warned(f, mild)
        for f in found
        if f is not finding
    )


def _decisive(finding: Finding) -> frozenset[tuple[str, str, int]]:
    return frozenset((ref.source, ref.file, ref.line) for ref in finding.lines if ref.role == "cause")


def _rank(finding: Finding) -> tuple[int, str]:
    return (finding.weight, finding.id)


def _explained(fallback: Finding, found: Sequence[Finding]) -> bool:
    return any(
        f.blocking and f.boot >= fallback.boot and _rank(f) > _rank(fallback) for f in found if f is not fallback
    )


def _order(finding: Finding) -> tuple[int, bool, int, int, int]:
    first = min((ref.line for ref in finding.lines if ref.role == "cause"), default=0)
    return (-finding.boot, not finding.blocking, _PHASES.index(finding.phase), -finding.weight, first)
