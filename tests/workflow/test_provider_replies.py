"""A model's reply passes the checks, goes back with objections, or is replaced by the playbook."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from copilot.errors import ProviderOverloaded
from copilot.model.request import Options
from copilot.ports import ScriptedModel
from copilot.workflow.state import Ports
from workflow.helpers import answer, case, states

PIN = "env:VLLM_WSL2_ENABLE_PIN_MEMORY"
ASK = Options(provider="scripted", model="m", loop=False)
UVA_LINE = 108


def reply(**changes: object) -> dict[str, object]:
    """A right reply for the pinned-memory case."""
    line = {"source": "log", "line": UVA_LINE, "why": "states it", "parameter": PIN, "role": "cause", "fault": "f1"}
    good: dict[str, object] = {
        "lines": [{**line, "topic": "memory path"}],
        "faults": [{"id": "f1", "cause": "Pinned memory is off under WSL2.", "title": "UVA", "parameters": [PIN],
                    "category": "environment", "blocking": True, "confidence": "high"}],
        "experiment": {"fault": "f1", "why": "turn it on", "kind": "change", "parameter": PIN, "to": "1",
                       "observe": None, "if_right": "it starts", "if_wrong": "the same line", "watch": ["UVA"]},
        "status": "diagnosed",
        "missing": [],
    }  # fmt: skip
    return {**good, **changes}


def experiment(**changes: object) -> dict[str, object]:
    base = reply()["experiment"]
    assert isinstance(base, dict)
    return {**base, **changes}


def with_model(ports: Ports, replies: Sequence[dict[str, object] | str | Exception]) -> tuple[Ports, ScriptedModel]:
    model = ScriptedModel([r if isinstance(r, str | Exception) else json.dumps(r) for r in replies])
    return replace(ports, model=model), model


def test_a_good_reply_is_the_answer(ports: Ports) -> None:
    asked, model = with_model(ports, [reply()])
    found = answer(asked, case("wsl2-pinned-memory"), ASK)
    assert found.answered_by.provider == "scripted"
    assert found.answered_by.prompt
    assert found.faults[0].cause == "Pinned memory is off under WSL2."
    assert all(check.passed for check in found.checks)
    assert len(model.seen) == 1


@pytest.mark.parametrize(
    ("wrong", "check"),
    [
        (experiment(parameter="--enable-uva-fix"), "parameters_exist"),
        (experiment(parameter="env:VLLM_ATTENTION_BACKEND", to="FLASHINFER"), "parameters_exist"),
        (experiment(to="1; rm -rf /"), "value_valid"),
        (experiment(to="<a>; rm -rf </"), "value_valid"),
        (experiment(to=PIN), "value_valid"),
        (experiment(to="1: The switch turns pinned memory on."), "value_valid"),
        (experiment(to="on under WSL2"), "value_valid"),
        (experiment(parameter="--max-model-len", to="4096"), "one_change"),
        (experiment(parameter="--dtype", to="float99"), "value_valid"),
    ],
)
def test_a_wrong_experiment_goes_back_with_the_objection_and_is_mended(
    ports: Ports, wrong: dict[str, object], check: str
) -> None:
    asked, model = with_model(ports, [reply(experiment=wrong), reply()])
    found = answer(asked, case("wsl2-pinned-memory"), ASK)
    assert len(model.seen) == 2
    back = model.seen[1].messages[-1].content
    assert "experiment" in back
    assert found.answered_by.provider == "scripted"
    assert found.experiment is not None
    assert found.experiment.change is not None
    assert found.experiment.change.parameter == PIN
    assert check in {c.check for c in found.checks}


def test_what_still_fails_after_two_objections_is_replaced_by_the_playbook(ports: Ports) -> None:
    stubborn = reply(experiment=experiment(parameter="--no-such-flag"))
    asked, model = with_model(ports, [stubborn] * 3)
    found = answer(asked, case("wsl2-pinned-memory"), ASK)
    assert len(model.seen) == 3
    assert found.answered_by.provider == "playbook"
    assert found.answered_by.fallback_from == "scripted"
    assert found.experiment is not None


def test_a_line_that_is_not_there_is_dropped_from_the_map(ports: Ports) -> None:
    good = reply()["lines"]
    assert isinstance(good, list)
    made_up = {**good[0], "line": 99_999}
    asked, _ = with_model(ports, [reply(lines=[*good, made_up])])
    found = answer(asked, case("wsl2-pinned-memory"), ASK)
    assert [line.line for line in found.lines if line.source == "log"] == [UVA_LINE]
    assert any(not c.passed and c.check == "quotes_exist" for c in found.checks)


def test_a_fault_whose_only_line_is_dropped_goes_with_it(ports: Ports) -> None:
    """A small model's real answer to a failure that nobody knows: no line for its cause, a guessed parameter."""
    line = {"source": "log", "line": 999, "why": "states it", "parameter": None, "role": "cause", "fault": "f1"}
    fault = {"id": "f1", "cause": "two moons voted for different tides", "title": "tides", "category": "model",
             "parameters": ["model:quantization"], "blocking": True, "confidence": "high"}  # fmt: skip
    wrong = reply(lines=[{**line, "topic": "model"}], faults=[fault],
                  experiment=experiment(parameter="model:quantization", to="none"))  # fmt: skip
    asked, _ = with_model(ports, [wrong, wrong, wrong])
    found = answer(asked, case("tide-keeper"), ASK)
    assert found.status == "unknown"
    assert found.answered_by.provider == "playbook"


def test_a_provider_that_fails_is_replaced_and_that_is_said(ports: Ports) -> None:
    asked, _ = with_model(ports, [ProviderOverloaded("The endpoint is overloaded.", "")])
    found = answer(asked, case("wsl2-pinned-memory"), ASK)
    assert found.answered_by.provider == "playbook"
    assert found.answered_by.fallback_from == "scripted"
    assert any("overloaded" in m for m in found.missing)


def test_without_fallback_the_failure_is_the_result(ports: Ports) -> None:
    asked, _ = with_model(ports, [ProviderOverloaded("The endpoint is overloaded.", "")])
    with pytest.raises(ProviderOverloaded):
        answer(asked, case("wsl2-pinned-memory"), ASK.model_copy(update={"fallback": False}))


def test_half_a_json_is_repaired_once(ports: Ports) -> None:
    asked, model = with_model(ports, ['{"lines": [', reply()])
    found = answer(asked, case("wsl2-pinned-memory"), ASK)
    assert len(model.seen) == 2
    assert found.answered_by.provider == "scripted"


def test_a_healthy_log_is_not_sent_to_anyone(ports: Ports) -> None:
    asked, model = with_model(ports, [])
    found = answer(asked, case("three-attempts", 3), ASK)
    assert found.status == "healthy"
    assert not model.seen


def test_the_prompt_holds_the_decisive_line_with_its_number_and_stays_within_a_small_window(ports: Ports) -> None:
    asked, model = with_model(ports, [reply()])
    model.window = 8_192
    answer(asked, case("wsl2-pinned-memory"), ASK)
    text = "\n".join(m.content for m in model.seen[0].messages)
    assert f"{UVA_LINE} | " in text or "RuntimeError: UVA is not available" in text
    assert ports.tokens.count(text).value <= 3_300


def test_the_findings_can_be_left_out_of_the_prompt(ports: Ports) -> None:
    asked, model = with_model(ports, [reply()])
    states(asked, case("wsl2-pinned-memory"), ASK.model_copy(update={"findings": False}))
    assert "(not given)" in model.seen[0].messages[1].content
