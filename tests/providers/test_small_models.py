"""Small windows: the compact prompt, and what is enumerated in it. And a doctor who is the patient."""

from dataclasses import replace
from pathlib import Path

import pytest

from copilot import checks
from copilot.model.evidence import Service
from copilot.model.request import Options, Sources
from copilot.ports import EstimatedTokens, ScriptedModel
from copilot.prompting import load_prompt, parse_reply, reply_schema
from copilot.workflow.ask import COMPACT_TOKENS, messages_for, schema_for
from copilot.workflow.check import context_of
from copilot.workflow.find import find
from copilot.workflow.gather import gather
from copilot.workflow.patient import is_patient
from copilot.workflow.state import Ports, State

CASES = sorted(path.parent for path in (Path(__file__).parents[2] / "cases").glob("*/case.toml"))[:12]


def state_of(ports: Ports, folder: Path) -> State:
    state: State = {"session": "s", "options": Options(provider="tiny"), "sources": Sources(directory=str(folder))}
    state.update(gather(ports, state))
    state.update(find(ports, state))
    return state


@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_the_compact_prompt_keeps_within_its_tokens(ports: Ports, folder: Path) -> None:
    messages = messages_for(ports, state_of(ports, folder), COMPACT_TOKENS)
    text = "".join(message.content for message in messages)
    assert EstimatedTokens().count(text).value <= COMPACT_TOKENS * 1.1, "the estimate counts high; the limit holds"


def test_evidence_and_cause_come_before_the_category(ports: Ports) -> None:
    schema = reply_schema([1, 2], ["--max-model-len"])
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert list(properties)[:2] == ["lines", "faults"]
    fault = list(properties["faults"]["items"]["properties"])
    assert fault.index("cause") < fault.index("category") < fault.index("confidence")
    text = load_prompt("diagnose_compact").text
    assert text.index('"cause"') < text.index('"category"')


def test_the_lines_shown_are_enumerated(ports: Ports) -> None:
    state = state_of(ports, CASES[0])
    shown = messages_for(ports, state, COMPACT_TOKENS)[1].content
    schema = str(schema_for(state, shown.rpartition("LOG")[2]))
    assert "'enum': [" in schema


@pytest.mark.parametrize(
    ("url", "patient"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://localhost:8000/v1", True),
        ("http://host.docker.internal:8000/v1", True),
        ("http://vllm:8000/v1", True),
        ("http://127.0.0.1:11434/v1", False),
        ("https://gate.example/v1", False),
        (None, False),
    ],
)
def test_a_provider_that_is_the_server_that_failed_is_recognised(ports: Ports, url: str | None, patient: bool) -> None:
    evidence = state_of(ports, CASES[0])["evidence"].model_copy(update={"container": None})
    service = Service.model_validate(
        {"name": "vllm", "settings": [{"parameter": "--port", "value": "8000", "source": "command"}]}
    )
    assert is_patient(url, evidence, service) is patient


def test_the_patient_is_not_asked(ports: Ports) -> None:
    from copilot.workflow.graph import after_find

    model = ScriptedModel(["{}"])
    known = replace(ports, model=model, model_url="http://127.0.0.1:8000/v1")
    state = state_of(known, CASES[0])
    state["findings"] = state["findings"].model_copy(update={"patient": True})
    assert after_find(state) == "rank"


QWEN = (
    '{"lines": [{"source": "log", "line": 42, "why": "the flag", "parameter": "--quantization", "role": "cause",'
    ' "fault": "f1", "topic": "model"}], "faults": [{"id": "f1", "cause": "no quantisation config", "title": "config",'
    ' "parameters": ["--quantization"], "category": "config", "blocking": true, "confidence": "high"}], "experiment":'
    ' {"fault": "f1", "why": "the flag", "kind": "change", "parameter": "--quantization", "to": "None"},'
    ' "status": "diagnosed"}'
)
"""What Qwen2.5-Coder-1.5B answered to this case, shortened."""


def test_a_frame_of_a_traceback_is_no_cause(ports: Ports) -> None:
    state = state_of(ports, Path(__file__).parents[2] / "cases" / "awq-on-qwen")
    found = checks.run(parse_reply(QWEN), context_of(state))["noise_is_no_cause"]
    assert [one.where for one in found] == ["lines.0"]
    assert "frame of a traceback" in found[0].detail


@pytest.mark.parametrize("word", ["None", "null"])
def test_a_word_for_nothing_takes_the_setting_out(word: str) -> None:
    reply = parse_reply(QWEN.replace('"to": "None"', f'"to": "{word}"'))
    assert reply.experiment is not None
    assert reply.experiment.parameter == "--quantization"
    assert reply.experiment.to is None
