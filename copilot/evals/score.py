"""Exact scores of one answer against one recorded case (contract §3 and §5). Pure: no clock, no disk, no model.

A score is `None` where the case says nothing about it: a healthy log has no root parameter, and a case without accepted
experiments leaves the next step open. Means are taken over the cases in which a score is not `None`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from copilot.model.answer import Answer, Experiment
from copilot.model.names import alike, any_alike
from copilot.recorded import Accepted, Case, ExpectedFault

ANOTHER_SETTING = re.compile(r"(?:^|\s)--?[a-z][\w-]{2,}|(?:^|\s)[A-Z][A-Z0-9_]{3,}=")
"""A second flag or variable inside a value: several changes dressed up as one."""


@dataclass(frozen=True)
class Score:
    """What one answer got right. Booleans are marks, floats are shares from 0 to 1."""

    root_first: bool | None = None
    """The answer's first fault names a parameter of the case's first fault."""
    root_any: bool | None = None
    """Any fault of the answer does."""
    lines: float | None = None
    """Share of the decisive lines that are in the line map with the role `cause`."""
    faults_f1: float | None = None
    """Faults kept apart: F1 of the answer's faults matched one to one with the case's faults by parameter."""
    decoy: bool | None = None
    """A decoy was named or cited as a cause: true is wrong."""
    experiment: bool | None = None
    """The proposed change is one of those accepted."""
    one_change: bool | None = None
    """The experiment is one change or one observation, nothing else in the same step."""
    abstained: bool | None = None
    """The answer says that it does not know, where that is right."""
    status: bool | None = None
    """The status is the expected one."""
    verdict: bool | None = None
    """The verdict on the retest is the recorded one (from round 2 on)."""

    @property
    def right(self) -> bool:
        """Nothing that could be scored is wrong."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        wrong_decoy = values.pop("decoy") is True
        return not wrong_decoy and all(value is None or float(value) == 1.0 for value in values.values())


def score(case: Case, answer: Answer, round_: int = 1) -> Score:
    """Score the answer of one round. `expect` speaks of `case.round`; later rounds are judged by their verdict."""
    later = case.rounds.get(str(round_))
    verdict = _verdict(answer) == later.verdict if later else None
    if round_ != case.round:
        return Score(verdict=verdict, one_change=one_change(answer.experiment))
    wanted = case.expect.fault
    named = [fault.parameters for fault in answer.faults]
    root = root_parameters(wanted)
    return Score(
        root_first=bool(named) and any_alike(named[0], root) if wanted else None,
        root_any=any(any_alike(names, root) for names in named) if wanted else None,
        lines=lines_cited(wanted, answer),
        faults_f1=faults_f1([fault.parameters for fault in wanted], named) if wanted else None,
        decoy=decoy_taken(case, answer),
        experiment=accepted(case.expect.experiment.accept, answer.experiment),
        one_change=one_change(answer.experiment),
        abstained=answer.status == "unknown" if case.expect.status == "unknown" else None,
        status=answer.status == case.expect.status,
        verdict=verdict,
    )


def root_parameters(wanted: Sequence[ExpectedFault]) -> tuple[str, ...]:
    """What is right as the first fault: the first expected one, and those that the very same line reports."""
    first = set(wanted[0].lines) if wanted else set()
    return tuple(name for n, f in enumerate(wanted) if n == 0 or first & set(f.lines) for name in f.parameters)


def _verdict(answer: Answer) -> str | None:
    """What the answer says of the retest."""
    return answer.compared.verdict if answer.compared else None


def lines_cited(wanted: Iterable[ExpectedFault], answer: Answer) -> float | None:
    """Share of the expected lines that a line with role `cause` holds; None where none is expected."""
    texts = [text for fault in wanted for text in fault.lines]
    causes = [line.text for line in answer.lines if line.role == "cause"]
    found = sum(any(text in cause for cause in causes) for text in texts)
    return found / len(texts) if texts else None


def faults_f1(wanted: Sequence[Sequence[str]], named: Sequence[Sequence[str]]) -> float:
    """F1 of the best one-to-one matching: one answer that lists everything is one fault, not three."""
    if not wanted or not named:
        return 1.0 if not wanted and not named else 0.0
    matched = _matching([[i for i, names in enumerate(named) if any_alike(names, w)] for w in wanted])
    return 2 * matched / (len(wanted) + len(named))


def _matching(choices: Sequence[Sequence[int]]) -> int:
    """Size of a maximum bipartite matching (augmenting paths); `choices[i]` are the partners of `i`."""
    partner: dict[int, int] = {}

    def placed(i: int, seen: set[int]) -> bool:
        for j in choices[i]:
            if j not in seen:
                seen.add(j)
                if j not in partner or placed(partner[j], seen):
                    partner[j] = i
                    return True
        return False

    return sum(placed(i, set()) for i in range(len(choices)))


def decoy_taken(case: Case, answer: Answer) -> bool | None:
    """Whether a decoy is named or cited as a cause; None where the case has none."""
    expect = case.expect
    if not expect.decoy_parameters and not expect.decoy_lines:
        return None
    named = [name for fault in answer.faults for name in fault.parameters]
    causes = [line.text for line in answer.lines if line.role == "cause"]
    cited = any(text in cause for text in expect.decoy_lines for cause in causes)
    return cited or any_alike(named, expect.decoy_parameters)


def accepted(accept: Sequence[Accepted], experiment: Experiment | None) -> bool | None:
    """Whether the proposed change is one of `accept`; None where the case accepts none in particular."""
    if not accept:
        return None
    change = experiment.change if experiment else None
    return change is not None and any(
        alike(whole_flag(change.parameter), right.parameter) and (right.to is None or same_value(right.to, change.to))
        for right in accept
    )


def whole_flag(parameter: str) -> str:
    """The flag of a dotted one: `--compilation-config.mode` sets a key of `--compilation-config`."""
    return parameter.partition(".")[0] if parameter.startswith("--") else parameter


def same_value(a: str | None, b: str | None) -> bool:
    """Whether two settings mean the same: 0.90 and 0.9, True and true."""
    if a is None or b is None:
        return a is b
    try:
        return float(a) == float(b)
    except ValueError:
        return a.strip().casefold() == b.strip().casefold()


def one_change(experiment: Experiment | None) -> bool | None:
    """Whether the step is one change or one observation; None without an experiment."""
    if experiment is None:
        return None
    if experiment.kind == "observe":
        return experiment.change is None and bool(experiment.observe)
    change = experiment.change
    if change is None:
        return False
    one_setting = change.parameter.startswith(("--", "env:"))  # the value of others is words, or a whole command line
    return not one_setting or not ANOTHER_SETTING.search(change.to or "")
