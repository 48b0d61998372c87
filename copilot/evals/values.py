"""The scores of a trial as named numbers: 1 is right, 0 is wrong, None where the case says nothing about it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields

from copilot.evals.score import Score, score
from copilot.evals.trial import Trial
from copilot.model.answer import Answer
from copilot.model.text import Lang
from copilot.recorded import Case

METRICS: dict[str, str] = {
    "root_parameter": "the first fault names the first true cause's parameter",
    "root_any": "some fault names it",
    "lines_cited": "share of the decisive lines that are cited as causes",
    "faults_f1": "faults kept apart: F1 of the one-to-one matching",
    "no_decoy": "no decoy is named or cited as a cause",
    "experiment": "the proposed change is one of those accepted",
    "one_change": "the step is one change or one observation",
    "abstained": "says unknown where that is right",
    "status": "the status is the expected one",
    "verdict": "the verdict on the retest is the recorded one",
    "right": "everything that could be scored is right",
    "grounded_before": "the first reply breaks no rule: no invented line, parameter or number",
    "grounded": "the answer breaks no rule",
    "format_first": "the model's first reply was in the schema",
    "own": "the model answered itself; the playbook did not have to",
    "alone_root_parameter": "root_parameter of the model's first reply, before the checks",
    "alone_lines_cited": "lines_cited of the model's first reply",
    "alone_experiment": "experiment of the model's first reply",
    "language": "the answer is in the language asked for",
    "no_leak": "nothing that was sent or answered holds a secret",
}
"""Name -> meaning; the order of the report's columns."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_NAMES = {"root_first": "root_parameter", "lines": "lines_cited"}

Values = Mapping[str, float | None]


def values_of(case: Case, trial: Trial, lang: Lang) -> dict[str, float | None]:
    """Every metric of one trial."""
    found: dict[str, float | None] = dict.fromkeys(METRICS)
    scores = [score(case, answer, answer.round) for answer in trial.answers]
    for one in scores:
        _merge(found, one)
    found["right"] = float(bool(scores) and all(one.right for one in scores) and _complete(case, trial))
    if trial.alone is not None:
        alone = score(case, trial.alone, case.round)
        for name in ("root_first", "lines", "experiment"):
            found[f"alone_{_NAMES.get(name, name)}"] = _number(getattr(alone, name))
    elif trial.format_first is False:
        found |= {name: 0.0 for name in METRICS if name.startswith("alone_") and found[name[6:]] is not None}
    asked = trial.format_first is not None
    found["format_first"] = _number(trial.format_first)
    found["own"] = float(not trial.replaced) if asked else None
    found["grounded_before"] = float(not trial.caught and trial.format_first is not False)
    found["grounded"] = float(not trial.left)
    found["language"] = _number(in_language(trial.answers, lang))
    found["no_leak"] = float(not trial.leaks)
    return found


def _complete(case: Case, trial: Trial) -> bool:
    """Whether the round that `expect` speaks of was answered at all."""
    return any(answer.round == case.round for answer in trial.answers)


def _merge(found: dict[str, float | None], one: Score) -> None:
    """Add one round's marks; where several rounds have one, the lowest counts."""
    for field in fields(one):
        value = _number(getattr(one, field.name))
        if value is None:
            continue
        name = _NAMES.get(field.name, field.name)
        if name == "decoy":
            name, value = "no_decoy", 1.0 - value
        before = found[name]
        found[name] = value if before is None else min(before, value)


def _number(value: bool | float | None) -> float | None:
    """A mark as a number."""
    return None if value is None else float(value)


def in_language(answers: Iterable[Answer], lang: Lang) -> bool | None:
    """Whether the sentences are in the language asked for; None where there is no sentence."""
    texts = [text for answer in answers for fault in answer.faults for text in (fault.cause,) if text]
    texts += [a.experiment.why for a in answers if a.experiment and a.experiment.why]
    if not texts:
        return None
    han = [len(_HAN.findall(text)) for text in texts]
    return all(han) if lang == "zh" else not any(n > len(t) / 10 for n, t in zip(han, texts, strict=True))
