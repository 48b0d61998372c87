"""The four situations the product was made for, through the real workflow, offline."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from copilot.model.request import Options, Sources
from copilot.ports import MemoryFiles, Next, ScriptedRetest
from copilot.recorded import Rounds
from copilot.workflow.state import Ports
from workflow.helpers import CASES, answer, case, states

PIN = "env:VLLM_WSL2_ENABLE_PIN_MEMORY"


def test_a_pinned_memory_is_named_and_neither_size_nor_model(ports: Ports) -> None:
    found = answer(ports, case("wsl2-pinned-memory"))
    assert found.status == "diagnosed"
    assert found.faults[0].parameters[0] == PIN
    named = {p for fault in found.faults for p in fault.parameters}
    assert not named & {"--gpu-memory-utilization", "--model", "--max-model-len"}
    causes = [line for line in found.lines if line.role == "cause"]
    assert any("RuntimeError: UVA is not available" in line.text for line in causes)
    assert found.experiment is not None
    assert found.experiment.change is not None
    assert (found.experiment.change.parameter, found.experiment.change.to) == (PIN, "1")
    assert found.experiment.diff is not None
    assert '+      VLLM_WSL2_ENABLE_PIN_MEMORY: "1"' in found.experiment.diff
    assert any(c.startswith("docker compose") and " up -d vllm" in c for c in found.experiment.commands)


def test_a_four_pasted_lines_without_a_version_say_what_that_costs(ports: Ports) -> None:
    found = answer(ports, case("wsl2-pasted-four-lines"))
    assert found.engine.version is None
    assert found.faults[0].parameters[0] == PIN
    assert found.experiment is not None
    assert found.experiment.change is not None
    assert found.experiment.change.parameter == PIN
    said = " ".join((found.experiment.why, found.faults[0].cause, *found.missing))
    assert "0.24" in said
    assert "0.30" in said


def test_a_switch_that_is_set_already_is_not_proposed_again(ports: Ports, tmp_path: Path) -> None:
    source = CASES / "wsl2-pinned-memory" / "round-1"
    pinned = '      VLLM_WSL2_ENABLE_PIN_MEMORY: "1"\n      HF_TOKEN'
    text = (source / "compose.yaml").read_text().replace("      HF_TOKEN", pinned)
    for path in source.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "compose.yaml").write_text(text)
    (tmp_path / "host.json").write_text("{}")
    found = answer(ports, Sources(directory=str(tmp_path), image="vllm/vllm-openai:v0.25.0"))
    assert found.faults[0].parameters[0] == PIN
    assert found.experiment is not None
    assert found.experiment.change is None or found.experiment.change.parameter != PIN
    if found.experiment.change is None:
        assert "VLLM_WSL2_ENABLE_PIN_MEMORY" in (found.experiment.observe or "")


def test_b_the_ledger_shows_asked_against_free_and_the_share_that_fits(ports: Ports) -> None:
    found = answer(ports, case("start-share-above-free"))
    assert found.ledger is not None
    rows = {row.name: row.gib for row in found.ledger.rows}
    assert rows["free"] == pytest.approx(6.98, abs=0.01)
    assert rows["asked"] == pytest.approx(7.2, abs=0.01)
    assert found.experiment is not None
    assert found.experiment.change is not None
    assert found.experiment.change.parameter == "--gpu-memory-utilization"
    assert 0.8 <= float(found.experiment.change.to or 0) <= 0.87
    assert found.experiment.diff is not None
    assert "# share of the card" in found.experiment.diff


def test_c_xet_first_then_the_token(ports: Ports, tmp_path: Path) -> None:
    first = answer(ports, case("hub-content-store-refused"))
    assert first.experiment is not None
    assert first.experiment.change is not None
    assert (first.experiment.change.parameter, first.experiment.change.to) == ("env:HF_HUB_DISABLE_XET", "1")
    log = (CASES / "hub-content-store-refused" / "round-1" / "server.log").read_text()
    (tmp_path / "server.log").write_text(log)
    run = "docker run -e HF_HUB_DISABLE_XET=1 vllm/vllm-openai:v0.25.0 Qwen/Qwen2.5-3B-Instruct"
    (tmp_path / "command.txt").write_text(run)
    second = answer(ports, Sources(directory=str(tmp_path)))
    assert second.experiment is not None
    change = second.experiment.change
    assert change is None or change.parameter != "env:HF_HUB_DISABLE_XET"


def test_d_three_faults_are_kept_apart_and_the_last_boot_decides(ports: Ports) -> None:
    found = answer(ports, case("three-attempts"))
    assert [fault.parameters[0] for fault in found.faults] == [
        "env:HF_HUB_DISABLE_XET",
        PIN,
        "--gpu-memory-utilization",
    ]
    assert [fault.blocking for fault in found.faults] == [True, False, False]
    assert found.experiment is not None
    assert found.experiment.fault == found.faults[0].id
    assert f"{PIN} is now 1" in found.faults[1].cause


def test_d_the_rounds_go_on_to_a_server_that_serves(ports: Ports) -> None:
    looping = replace(ports, retest=Rounds(CASES / "three-attempts"))
    rounds = states(looping, case("three-attempts"), Options(loop=True))
    answers = [state["answer"] for state in rounds]
    assert [a.round for a in answers] == [1, 2, 3]
    assert answers[1].compared is not None
    assert answers[1].compared.verdict == "moved"
    assert any("CAS Client Error" in line.text for line in answers[1].compared.gone)
    assert answers[2].status == "healthy"
    assert answers[2].compared is not None
    assert answers[2].compared.verdict == "fixed"
    history = rounds[1]["history"]
    assert history[0].change is not None
    assert history[0].change.parameter == "env:HF_HUB_DISABLE_XET"
    assert history[0].verdict == "moved"
    assert history[0].kept


@pytest.mark.parametrize("slug", ["wsl2-pinned-memory", "start-share-above-free", "three-attempts"])
def test_chinese_answers_are_chinese_and_name_the_same_things(ports: Ports, slug: str) -> None:
    english = answer(ports, case(slug))
    chinese = answer(ports, case(slug), Options(loop=False, lang="zh"))
    assert [f.parameters for f in english.faults] == [f.parameters for f in chinese.faults]
    assert all(any("\u4e00" <= c <= "\u9fff" for c in f.cause) for f in chinese.faults)
    assert chinese.experiment is not None
    assert any("\u4e00" <= c <= "\u9fff" for c in chinese.experiment.why)
    keys = json.loads(chinese.model_dump_json(by_alias=True)).keys()
    assert list(keys) == list(json.loads(english.model_dump_json(by_alias=True)).keys())


def again(tmp_path: Path, slug: str) -> Sources:
    """The same failure a few minutes later."""
    for path in (CASES / slug / "round-1").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    log = tmp_path / "server.log"
    log.write_text(log.read_text().replace(" 16:", " 17:"))
    return Sources(directory=str(tmp_path))


def test_a_retest_with_the_same_failure_is_not_answered_with_the_same_change(ports: Ports, tmp_path: Path) -> None:
    looping = replace(ports, retest=ScriptedRetest([Next("retested", sources=again(tmp_path, "wsl2-pinned-memory"))]))
    second = states(looping, case("wsl2-pinned-memory"), Options(loop=True))[1]["answer"]
    assert second.compared is not None
    assert second.compared.verdict == "same"
    assert second.experiment is not None
    assert second.experiment.change is None or second.experiment.change.parameter != PIN


def test_the_very_same_log_again_is_no_retest(ports: Ports) -> None:
    same = case("wsl2-pinned-memory")
    looping = replace(ports, retest=ScriptedRetest([Next("retested", sources=same)]))
    last = states(looping, same, Options(loop=True))[1]
    assert last["history"] == ()
    assert last["answer"].experiment is not None
    assert last["answer"].experiment.change is not None
    assert last["answer"].experiment.change.parameter == PIN
    assert any("nothing was started since" in word for word in last["answer"].missing)


def test_an_ignored_setting_of_a_server_that_serves_is_told(ports: Ports, tmp_path: Path) -> None:
    log = (CASES / "three-attempts" / "round-3" / "server.log").read_text()
    (tmp_path / "server.log").write_text(log)
    run = "docker run -e VLLM_ATTENTION_BACKEND=FLASHINFER vllm/vllm-openai:v0.25.0 Qwen/Qwen2.5-1.5B-Instruct"
    (tmp_path / "command.txt").write_text(run)
    found = answer(ports, Sources(directory=str(tmp_path)))
    assert found.status == "diagnosed"
    assert found.faults[0].parameters[0] == "env:VLLM_ATTENTION_BACKEND"
    assert not found.faults[0].blocking
    (tmp_path / "command.txt").write_text(run.replace("-e VLLM_ATTENTION_BACKEND=FLASHINFER ", ""))
    assert answer(ports, Sources(directory=str(tmp_path))).status == "healthy"


def test_else_never_proposes_for_a_start_that_later_ones_have_got_past(ports: Ports) -> None:
    turns = ScriptedRetest([Next("else", applied=False) for _ in range(8)])
    rounds = states(replace(ports, retest=turns), case("three-attempts"), Options(loop=True))
    tried = [s["answer"].experiment for s in rounds if s["answer"].experiment is not None]
    assert tried
    first = {s["answer"].faults[0].id for s in rounds}
    assert {experiment.fault for experiment in tried} <= first


def test_a_healthy_server_has_no_line_that_stopped_it(ports: Ports) -> None:
    found = answer(ports, case("three-attempts", 3))
    assert found.status == "healthy"
    assert not any("stopped" in step for step in found.verify)


def test_what_the_log_shows_comes_before_what_only_the_file_shows(ports: Ports) -> None:
    flags = "--quantization int3 --tool-call-parser llama5_json --enable-auto-tool-choice"
    compose = f"services:\n  vllm:\n    image: vllm/vllm-openai:v0.32.0\n    command: --model m {flags}\n"
    log = "KeyError: 'invalid tool call parser: llama5_json (chose from { hermes,llama3_json,llama4_json,mistral })'\n"
    here = replace(ports, files=MemoryFiles({"compose.yaml": compose.encode(), "server.log": log.encode()}))
    found = answer(here, Sources(log="server.log", compose="compose.yaml", image="vllm/vllm-openai:v0.32.0"))
    assert [fault.parameters[0] for fault in found.faults] == ["--tool-call-parser", "--quantization"]
    assert found.experiment.change.parameter == "--tool-call-parser"
