"""One cause is one fault: what is seen in two places, or belongs to another program, is not counted twice."""

from pathlib import Path

import pytest

from signatures.asked import asked, first_parameter

SAMPLER = (
    "ERROR 03-20 02:29:07 [core.py:340] RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 "
    "dummy requests. Please try lowering `max_num_seqs` or `gpu_memory_utilization` when initializing the engine."
)
IMAGES = (
    "openai.BadRequestError: Error code: 400 - {'object': 'error', 'message': 'At most 1 image(s) may be provided in "
    "one request.', 'type': 'BadRequestError', 'param': None, 'code': 400}"
)
CUT = (
    'time=2025-03-01T17:27:56.756-08:00 level=WARN source=runner.go:130 msg="truncating input prompt" limit=2048 '
    "prompt=9154 keep=4 new=2048"
)
SITUATIONS = {
    "flag whose version is unknown": (
        {"log": SAMPLER, "command": "vllm serve org/model-7b --swap-space 4 --max-model-len 15000"},
        "--max-num-seqs",
    ),
    "flags of another server": (
        {
            "log": IMAGES,
            "command": "CUDA_VISIBLE_DEVICES=7 lmdeploy serve api_server org/vl-7b --server-port 2556 --tp 1",
        },
        "--limit-mm-per-prompt",
    ),
    "variable of a client": (
        {
            "log": "Couldn't connect to Ollama at http://127.0.0.1:11434",
            "command": "docker run -d -p 3000:8080 -e OLLAMA_BASE_URL=http://127.0.0.1:11434 "
            "ghcr.io/open-webui/open-webui:main",
        },
        "client:base_url",
    ),
    "what was cut, and the variable that did not arrive": (
        {"log": CUT, "command": "export OLLAMA_CONTEXT_LENGTH=32768"},
        "env:OLLAMA_CONTEXT_LENGTH",
    ),
}


@pytest.mark.parametrize(("texts", "parameter"), SITUATIONS.values(), ids=SITUATIONS)
def test_one_cause_is_one_fault(texts: dict[str, str], parameter: str, tmp_path: Path) -> None:
    found = asked(tmp_path, **texts)
    assert found.status == "diagnosed"
    assert [fault.parameters[0] for fault in found.faults] == [parameter]


@pytest.mark.parametrize(
    "sentence",
    [
        "The log asks for --trust-remote-code, which I did not set",
        "vllm serve org/model-7b; --trust-remote-code was not given",
        "no way to pass --trust-remote-code here",
    ],
)
def test_a_switch_that_is_only_spoken_of_is_not_set(sentence: str, tmp_path: Path) -> None:
    said = "ValueError: The repository org/model-7b contains custom code which must be executed to correctly load it."
    found = asked(
        tmp_path, log=f"INFO 11-02 10:00:00 [api_server.py:1] vLLM API server version 0.10.1\n{said}", command=sentence
    )
    assert first_parameter(found) == "--trust-remote-code"
    assert found.experiment is not None
    assert found.experiment.change is not None
    assert found.experiment.change.to == "true"
