"""What the answer says about removed, renamed and ineffective settings, from a compose file alone or with its log."""

from pathlib import Path

import pytest

from copilot.model.answer import Answer
from copilot.model.request import Options, Sources
from copilot.workflow.state import Ports
from workflow.helpers import answer

IMAGES = {"vllm": "vllm/vllm-openai:v{}", "ollama": "ollama/ollama:{}"}
GONE = [
    # (engine, version, as written, value, gone since, successor)
    ("vllm", "0.32.0", "--swap-space", "4", "0.18.0", None),
    ("vllm", "0.32.0", "--disable-log-requests", None, "0.17.0", None),
    ("vllm", "0.32.0", "--guided-decoding-backend", "outlines", "0.12.0", "--structured-outputs-config.backend"),
    ("vllm", "0.32.0", "--task", "embed", "0.13.0", "--runner"),
    ("vllm", "0.32.0", "--device", "cuda", "0.10.0", None),
    ("vllm", "0.10.0", "--enable-reasoning", None, "0.10.0", "--reasoning-parser"),
    ("vllm", "0.8.5", "--worker-use-ray", None, "0.7.0", "--distributed-executor-backend"),
    ("vllm", "0.9.0", "--speculative-model", "org/draft", "0.8.3", "--speculative-config.model"),
    ("vllm", "0.9.0", "--num-speculative-tokens", "5", "0.8.3", "--speculative-config.num_speculative_tokens"),
    ("vllm", "0.12.0", "--num-redundant-experts", "2", "0.12.0", "--eplb-config.num_redundant_experts"),
    ("vllm", "0.12.0", "--rope-theta", "1000000", "0.11.1", "--hf-overrides"),
    ("vllm", "0.30.0", "--calculate-kv-scales", None, "0.28.0", None),
    ("vllm", "0.12.0", "--max-seq-len-to-capture", "8192", "0.11.0", "--max-cudagraph-capture-size"),
    ("vllm", "0.11.0", "--num-scheduler-steps", "8", "0.10.1", None),
    ("vllm", "0.13.0", "--cuda-graph-sizes", "512", "0.13.0", "--cudagraph-capture-sizes"),
    ("vllm", "0.25.0", "env:VLLM_ATTENTION_BACKEND", "FLASHINFER", "0.15.0", "--attention-backend"),
    ("vllm", "0.25.0", "env:VLLM_USE_V1", "0", "0.11.1", None),
    ("vllm", "0.32.0", "env:VLLM_MM_HASHER_ALGORITHM", "sha256", "0.30.0", "--mm-hasher-algorithm"),
    ("vllm", "0.32.0", "env:VLLM_TRITON_ATTN_USE_TD", "1", "0.29.0", "env:VLLM_TRITON_USE_TD"),
    ("ollama", "0.12.3", "env:OLLAMA_MAX_VRAM", "6000000000", "0.7.0", "env:OLLAMA_GPU_OVERHEAD"),
    ("ollama", "0.31.0", "env:OLLAMA_INTEL_GPU", "1", "0.12.11", "env:OLLAMA_IGPU_ENABLE"),
    ("ollama", "0.30.0", "env:OLLAMA_NEW_ENGINE", "1", "0.30.0", None),
    ("ollama", "0.12.3", "env:OLLAMA_RUNNERS_DIR", "/opt/runners", "0.3.11", None),
]


def compose(engine: str, version: str, written: str, value: str | None) -> str:
    lines = ["services:", "  llm:", f"    image: {IMAGES[engine].format(version)}"]
    command = ["--model", "/models/qwen"] if engine == "vllm" else []
    if written.startswith("env:"):
        lines += ["    environment:", f'      {written[4:]}: "{value}"']
    else:
        command += [written] + ([value] if value else [])
    lines += ["    command:", *(f'      - "{word}"' for word in command)] if command else []
    return "\n".join(lines) + "\n"


def asked(ports: Ports, folder: Path, text: str, log: str | None = None) -> Answer:
    (folder / "compose.yaml").write_text(text, encoding="utf-8")
    if log is not None:
        (folder / "server.log").write_text(log, encoding="utf-8")
    sources = Sources(compose=str(folder / "compose.yaml"), log=str(folder / "server.log") if log is not None else None)
    return answer(ports, sources, Options(loop=False))


@pytest.mark.parametrize("row", GONE, ids=lambda row: f"{row[2]}-{row[1]}")
def test_the_answer_names_the_successor_and_the_version_of_the_change(ports, tmp_path, row):
    engine, version, written, value, gone, successor = row
    found = asked(ports, tmp_path, compose(engine, version, written, value))
    (fault,) = found.faults
    assert found.status == "diagnosed"
    assert fault.parameters == (written,)
    assert fault.blocking is written.startswith("--")
    assert gone in fault.cause
    assert successor is None or successor.removeprefix("env:") in fault.cause
    assert found.experiment is not None
    assert found.experiment.change is not None
    assert found.experiment.change.parameter in (written, successor)
    assert found.experiment.diff is not None
    removed = [line for line in found.experiment.diff.splitlines() if line.startswith("-") and line[1:2] != "-"]
    assert any(written.removeprefix("env:") in line for line in removed)


REFUSED = "usage: vllm serve [model_tag] [options]\nvllm serve: error: unrecognized arguments: {}\n"


def test_the_log_and_the_file_speak_of_one_fault(ports, tmp_path):
    found = asked(ports, tmp_path, compose("vllm", "0.32.0", "--task", "embed"), REFUSED.format("--task embed"))
    (fault,) = found.faults
    assert fault.parameters[0] == "--task"
    assert "0.13.0" in fault.cause
    assert "--runner" in fault.cause
    assert {(line.source, line.role) for line in found.lines} >= {("log", "cause"), ("compose", "cause")}


@pytest.mark.parametrize(
    ("words", "parameter", "told"),
    [
        ("--swap-space 4", "--swap-space", "0.18.0"),
        ("--task embed", "--task", "--runner"),
        ("--disable-log-requests", "--disable-log-requests", "0.17.0"),
        ("--guided-decoding-backend=outlines", "--guided-decoding-backend", "--structured-outputs-config.backend"),
    ],
)
def test_a_refused_flag_in_a_log_without_a_version_can_be_taken_away(ports, tmp_path, words, parameter, told):
    (tmp_path / "server.log").write_text(REFUSED.format(words), encoding="utf-8")
    found = answer(ports, Sources(log=str(tmp_path / "server.log")), Options(loop=False))
    assert found.engine.version is None
    assert found.experiment is not None
    assert found.experiment.change is not None
    assert (found.experiment.change.parameter, found.experiment.change.to) == (parameter, None)
    assert told in found.experiment.why


def test_with_the_image_the_log_alone_names_the_successor(ports, tmp_path):
    (tmp_path / "server.log").write_text(REFUSED.format("--guided-decoding-backend outlines"), encoding="utf-8")
    sources = Sources(log=str(tmp_path / "server.log"), image="vllm/vllm-openai:v0.32.0")
    found = answer(ports, sources, Options(loop=False))
    assert found.experiment is not None
    assert found.experiment.change is not None
    assert found.experiment.change.parameter == "--structured-outputs-config.backend"
    assert found.experiment.replaces == "--guided-decoding-backend"
    assert "--guided-decoding-backend" in found.experiment.undo


HEALTHY = (
    "INFO 12-01 10:00:00 [api_server.py:1] vLLM API server version 0.25.0\n"
    "INFO 12-01 10:00:30 [launcher.py:1] Starting vLLM server on http://0.0.0.0:8000\n"
    "INFO:     Started server process [1]\nINFO:     Waiting for application startup.\n"
    "INFO:     Application startup complete.\n"
)


def test_an_ignored_variable_is_told_although_the_server_runs(ports, tmp_path):
    found = asked(ports, tmp_path, compose("vllm", "0.25.0", "env:VLLM_ATTENTION_BACKEND", "FLASHINFER"), HEALTHY)
    assert [fault.parameters for fault in found.faults] == [("env:VLLM_ATTENTION_BACKEND",)]
    assert not found.faults[0].blocking
    assert "--attention-backend" in found.faults[0].cause
