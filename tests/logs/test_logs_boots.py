"""Restart loops and pasted attempts."""

from pathlib import Path

import pytest

from copilot.logs import clean, decode, parse

DATA = Path(__file__).parent / "data"


def text_of(name):
    return decode((DATA / f"{name}.log").read_bytes()).rstrip("\n") + "\n"


def firsts(text):
    return [boot.first for boot in parse(text).boots]


@pytest.mark.parametrize("path", sorted(DATA.glob("*.log")), ids=lambda path: path.stem)
def test_one_recording_is_one_boot_and_three_are_three(path):
    text = clean(decode(path.read_bytes())).rstrip("\n") + "\n"
    count = text.count("\n")
    assert firsts(text) == [1]
    assert firsts(text * 3) == [1, count + 1, 2 * count + 1]


def test_three_attempts_without_any_banner():
    log = parse(
        "INFO core.py:114] Initializing a V1 LLM engine (v0.25.0) with config: model='x'\n"
        "ERROR core.py:1231] ValueError: Free memory on device cuda:0 (6.98/8.0 GiB) on startup is less than desired\n"
        "RuntimeError: Engine core initialization failed. See root cause above.\n"
        "INFO vllm_engine.py] Using V1 engine\n"
        "INFO platform.py] Detected WSL2 environment, GPU-PV layer\n"
        "ERROR engine.py] RuntimeError: UVA is not available\n"
        "CUDA pinned memory allocation failed on device cuda:0\n"
        "INFO vllm_engine.py] Using V1 engine\n"
        "RuntimeError: Data processing error: CAS Client Error: HTTP 401, cas-server.xethub.hf.co\n"
    )
    assert [(boot.first, boot.last) for boot in log.boots] == [(1, 3), (4, 7), (8, 9)]
    assert [line.boot for line in log.lines] == [0] * 3 + [1] * 4 + [2] * 2


def test_what_compose_says_of_an_exit_begins_the_next_boot():
    log = "vllm-1  | ValueError: no\nvllm-1 exited with code 1 (restarting)\nvllm-1  | ValueError: no\nvllm-1  | more\n"
    assert firsts(log) == [1, 3]


def test_the_exit_of_a_neighbour_begins_nothing():
    line = "vllm-1  | (APIServer pid=1) INFO 12-01 16:56:53 [a.py:1] x\n"
    assert firsts(f"{line}job-1   | done\njob-1   | done\njob-1 exited with code 0\n{line}{line}") == [1]


def test_ranks_of_one_start_are_one_boot():
    config = "INFO 12-01 16:56:53 [core.py:114] Initializing a V1 LLM engine (v0.25.0) with config: model='x'\n"
    assert firsts("".join(f"(EngineCore_DP{rank} pid={rank + 9}) {config}" for rank in range(4))) == [1]
    assert firsts(f"(EngineCore_DP0 pid=9) {config}" * 2) == [1, 2]


def test_ollama_starts_with_its_configuration():
    start = (
        'time=2026-08-17T22:09:50Z level=INFO source=routes.go:1 msg="server config" env="map[OLLAMA_DEBUG:false]"\n'
        'time=2026-08-17T22:09:50Z level=INFO source=routes.go:2 msg="Listening on [::]:11434 (version 0.12.3)"\n'
    )
    assert firsts(start * 3) == [1, 3, 5]
