"""The exact scores: the answer key scores full marks on every case, and each kind of wrong answer loses its mark."""

import pytest

from conftest import CASES
from copilot.evals.dataset import Entry, find_cases
from copilot.evals.fixed import oracle
from copilot.evals.score import Score, faults_f1, one_change, same_value, score
from copilot.model.answer import Answer, AnsweredBy, Change, Compared, EngineInfo, Expect, Experiment, Fault, MappedLine
from copilot.recorded import Case

ENTRIES = find_cases(CASES)
KEY = {
    "schema": "copilot.case/1", "title": "t", "engine": "vllm", "source": "composed", "reference": "made here",
    "expect": {
        "status": "diagnosed",
        "decoy_parameters": ["--max-model-len"],
        "decoy_lines": ["Engine core initialization failed"],
        "fault": [
            {"category": "auth", "parameters": ["env:HF_TOKEN"], "lines": ["401 Client Error", "gated repo"]},
            {"category": "resource", "parameters": ["--gpu-memory-utilization"], "lines": ["Free memory on device"]},
        ],
        "experiment": {"accept": [{"parameter": "env:HF_TOKEN"}, {"parameter": "docker:image", "to": "0.90"}]},
    },
    "rounds": {"2": {"applied": {"parameter": "env:HF_TOKEN"}, "verdict": "moved"}},
}  # fmt: skip
CASE = Case.model_validate(KEY)


def fault(name: str, *parameters: str) -> Fault:
    return Fault(
        id=name, category="config", title="t", cause="c", parameters=parameters, blocking=True, confidence="high"
    )


def line(text: str, role: str = "cause") -> MappedLine:
    return MappedLine.model_validate(
        {
            "source": "log", "line": 1, "text": text, "parameter": None, "role": role, "fault": None,
            "topic": "other", "why": "",
        }
    )  # fmt: skip


def experiment(parameter: str, to: str | None) -> Experiment:
    change = Change(parameter=parameter, before=None, to=to)
    return Experiment(fault=None, kind="change", change=change, why="", expect=Expect(if_right="", if_wrong=""))


def answer(**changed: object) -> Answer:
    right = Answer(
        session="s", round=1, status="diagnosed", engine=EngineInfo(name="vllm", version=None, version_from=None),
        answered_by=AnsweredBy(provider="playbook"), ledger=None, verify=(), checks=(), missing=(), redactions={},
        faults=(fault("f1", "model:access"), fault("f2", "--gpu-memory-utilization")),
        lines=(line("GatedRepoError: 401 Client Error"), line("a gated repo"), line("Free memory on device cuda:0")),
        experiment=experiment("env:HF_TOKEN", "x"),
    )  # fmt: skip
    return right.model_copy(update=changed)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.slug)
def test_the_answer_key_scores_full_marks(entry: Entry) -> None:
    for one in oracle(entry).answers:
        got = score(entry.case, one, one.round)
        assert got.right, got


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.slug)
def test_an_empty_answer_is_right_nowhere(entry: Entry) -> None:
    wrong = "diagnosed" if entry.case.expect.status in ("unknown", "healthy") else "healthy"
    assert not score(entry.case, answer(status=wrong, faults=(), lines=(), experiment=None), entry.case.round).right


def test_a_right_answer_and_an_equally_right_name() -> None:
    got = score(CASE, answer())
    assert got == Score(
        root_first=True, root_any=True, lines=1.0, faults_f1=1.0, decoy=False,
        experiment=True, one_change=True, status=True,
    )  # fmt: skip
    assert got.right


@pytest.mark.parametrize(
    ("changed", "mark", "value"),
    [
        ({"faults": (fault("f2", "--gpu-memory-utilization"), fault("f1", "env:HF_TOKEN"))}, "root_first", False),
        ({"faults": (fault("f2", "--gpu-memory-utilization"), fault("f1", "env:HF_TOKEN"))}, "root_any", True),
        ({"faults": (fault("f1", "--gpu-memory-utilization"),)}, "root_any", False),
        ({"faults": ()}, "root_first", False),
        ({"faults": ()}, "faults_f1", 0.0),
        ({"faults": (fault("f1", "env:HF_TOKEN", "--gpu-memory-utilization"),)}, "faults_f1", pytest.approx(2 / 3)),
        ({"faults": (fault("f1", "env:HF_TOKEN"), fault("f2", "--max-model-len"))}, "decoy", True),
        ({"lines": (line("a gated repo"),)}, "lines", pytest.approx(1 / 3)),
        ({"lines": (line("GatedRepoError: 401 Client Error", "symptom"),)}, "lines", 0.0),
        ({"lines": (line("Engine core initialization failed"),)}, "decoy", True),
        ({"lines": (line("Engine core initialization failed", "symptom"),)}, "decoy", False),
        ({"experiment": experiment("--max-model-len", "1")}, "experiment", False),
        ({"experiment": None}, "experiment", False),
        ({"experiment": experiment("engine:version", "0.9")}, "experiment", True),
        ({"experiment": experiment("engine:version", "0.91")}, "experiment", False),
        ({"experiment": experiment("--dtype", "half --enforce-eager")}, "one_change", False),
        ({"status": "partial"}, "status", False),
    ],
)
def test_each_wrong_answer_loses_its_mark(changed: dict[str, object], mark: str, value: object) -> None:
    got = score(CASE, answer(**changed))
    assert getattr(got, mark) == value
    assert not got.right or value is not False


def test_faults_of_one_line_come_in_any_order() -> None:
    faults = [
        {"category": "config", "parameters": [name], "lines": ["unrecognized arguments: --a --b"]}
        for name in ("--swap-space", "--task")
    ]
    both = Case.model_validate({**KEY, "expect": {"status": "diagnosed", "fault": faults}, "rounds": {}})
    assert score(both, answer(faults=(fault("f1", "--task"), fault("f2", "--swap-space")))).root_first is True
    assert score(both, answer(faults=(fault("f1", "--dtype"), fault("f2", "--swap-space")))).root_first is False


def test_a_later_round_is_judged_by_its_verdict_alone() -> None:
    moved = Compared(verdict="moved", same=0, gone=(), new=())
    assert score(CASE, answer(round=2, faults=(), compared=moved), 2) == Score(verdict=True, one_change=True)
    assert score(CASE, answer(round=2, compared=moved.model_copy(update={"verdict": "same"})), 2).verdict is False
    assert score(CASE, answer(round=2), 2).verdict is False


def test_saying_unknown_is_right_only_where_it_is() -> None:
    unknown = Case.model_validate({**KEY, "expect": {"status": "unknown"}, "rounds": {}})
    silent = answer(status="unknown", faults=(), lines=(), experiment=None)
    assert score(unknown, silent) == Score(abstained=True, status=True)
    assert score(unknown, answer()).abstained is False
    assert score(CASE, silent).abstained is None
    assert score(CASE, silent).root_any is False


def test_the_matching_is_the_best_one() -> None:
    wanted = [["docker:image"], ["--model"]]
    assert faults_f1(wanted, [["--model", "docker:image"], ["engine:version"]]) == 1.0
    assert faults_f1(wanted, [["--dtype"], ["engine:version"], ["model:id"]]) == pytest.approx(0.8)
    assert faults_f1([], []) == 1.0


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [("0.9", "0.90", True), ("True", "true", True), ("1", None, False), (None, None, True), ("auto", "8192", False)],
)
def test_values_are_compared_by_meaning(a: str | None, b: str | None, same: bool) -> None:
    assert same_value(a, b) is same


def test_words_of_a_value_outside_the_command_line_are_no_second_change() -> None:
    assert one_change(experiment("docker:daemon", "nvidia-ctk runtime configure --runtime=docker")) is True
    assert one_change(experiment("env:HF_TOKEN", "x VLLM_USE_V1=0")) is False
    look = Experiment(fault=None, kind="observe", change=None, why="", expect=Expect(if_right="", if_wrong=""))
    assert one_change(look) is False
    assert one_change(look.model_copy(update={"observe": "dmesg"})) is True
    assert one_change(None) is None
