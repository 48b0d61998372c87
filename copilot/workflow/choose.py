"""The one next experiment: of what stopped the last boot, what was not tried and really changes something."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from copilot.model.evidence import Service
from copilot.model.finding import Finding, Proposal
from copilot.model.names import any_alike
from copilot.model.reply import ReplyExperiment
from copilot.model.text import Text
from copilot.workflow import recreate
from copilot.workflow.retested import HELPED, same_value
from copilot.workflow.state import Tried

STUCK_AFTER = 3
"""Rounds without progress after which an observation comes before the next change."""


@dataclass(frozen=True)
class Choice:
    """A finding and the proposal to try."""

    finding: Finding
    proposal: Proposal


def stuck(history: Sequence[Tried]) -> bool:
    """Whether the last rounds brought nothing."""
    recent = history[-STUCK_AFTER:]
    return len(recent) == STUCK_AFTER and not any(tried.verdict in HELPED for tried in recent)


def choices(
    found: Iterable[Finding],
    service: Service,
    history: Sequence[Tried],
    skipped: Sequence[ReplyExperiment] = (),
) -> list[Choice]:
    """All experiments still open, the best first."""
    findings = [f for f in found if f.proposals]
    waiting = [f for f in findings if f.id.startswith("comparison:stale:")]
    others = _of_last_start([f for f in findings if f not in waiting])
    if others and waiting and any_alike(waiting[0].parameters, others[0].parameters):
        others = [waiting[0], *others]
    elif not others:
        others = waiting
    open_ = [
        Choice(finding, proposal)
        for finding in others
        for proposal in finding.proposals
        if applicable(proposal, service, history) and not _skipped(proposal, skipped)
    ]
    again = _repeat(history)
    if again is not None:
        open_.insert(0, again)
    elif stuck(history):
        open_.sort(key=lambda choice: choice.proposal.kind != "observe")
    return open_


def _of_last_start(findings: Sequence[Finding]) -> list[Finding]:
    """What stopped the last start: later starts have got past the faults of earlier ones."""
    newest = max((f.boot for f in findings), default=0)
    return [f for f in findings if f.boot == newest]


def applicable(proposal: Proposal, service: Service, history: Sequence[Tried]) -> bool:
    """Whether a proposal changes something and was not tried."""
    if proposal.kind == "observe":
        return proposal.observe is not None and not any(t.observe in _both(proposal.observe) for t in history)
    if proposal.parameter is None or was_tried(proposal.parameter, proposal.to, history):
        return False
    present = service.written(proposal.parameter) or service.effective(proposal.parameter)
    if present is None:
        return proposal.to is not None or not service.settings
    return proposal.to is None or not same_value(present.value, proposal.to)


def _skipped(proposal: Proposal, skipped: Iterable[ReplyExperiment]) -> bool:
    """Whether the person has said no to it."""
    if proposal.kind == "observe":
        return proposal.observe is not None and any(s.observe in _both(proposal.observe) for s in skipped)
    return any(s.kind == "change" and s.parameter == proposal.parameter and s.to == proposal.to for s in skipped)


def was_tried(parameter: str, to: str | None, history: Iterable[Tried]) -> bool:
    """Whether this very change was made before, and was in effect."""
    return any(
        t.change is not None and t.change.parameter == parameter and t.change.to == to and t.in_effect is not False
        for t in history
    )


def _both(text: Text) -> tuple[str, str]:
    """A sentence in every language it may have been stored in."""
    return (text.en, text.zh)


def _repeat(history: Sequence[Tried]) -> Choice | None:
    """The last retest ran without the change: make sure of it before anything else."""
    if not history or history[-1].in_effect is not False or history[-1].change is None:
        return None
    finding = recreate.not_in_effect(history[-1].change)
    return Choice(finding, finding.proposals[0])
