"""Prefixes of collectors, processes and loggers, alone and nested."""

# ruff: noqa: E501 - log lines stand as they are printed

import pytest

from copilot.logs import parse

MESSAGE = "RuntimeError: UVA is not available"
VLLM = f"(EngineCore_DP0 pid=73) ERROR 12-01 16:57:11 [core.py:1231] {MESSAGE}"


def only(text):
    """The last of a few lines: names before a bar count when they occur twice."""
    return parse(text).lines[-1]


@pytest.mark.parametrize(
    "prefix",
    [
        "",
        "vllm-1  | ",
        "vllm  | ",
        "2026-12-01T16:57:11.123456789Z ",
        "vllm-1  | 2026-12-01T16:57:11.123456789Z ",
        "[pod/vllm-7d9f/server] ",
        "[pod/vllm-7d9f/server] 2026-12-01T16:57:11.1Z ",
        "2026-12-01T16:57:11.123456789Z stderr F ",
        "Dec 01 16:57:11 host docker[123]: ",
        "Dec  1 16:57:11 host 0a1b2c3d4e5f[123]: ",
        "2026-12-01T16:57:11+0100 host docker[123]: ",
    ],
)
def test_the_message_is_the_same_behind_every_collector(prefix):
    line = only(f"{prefix}{VLLM}\n{prefix}{VLLM}")
    assert line.message == MESSAGE
    assert (line.process, line.pid, line.level) == ("EngineCore_DP0", 73, "ERROR")
    assert line.place == "core.py:1231"
    assert line.text == f"{prefix}{VLLM}"


@pytest.mark.parametrize(
    ("text", "message", "level", "place"),
    [
        ("INFO 12-01 16:56:53 [core.py:114] hello", "hello", "INFO", "core.py:114"),
        ("INFO 12-01 16:56:53 core.py:114] hello", "hello", "INFO", "core.py:114"),
        ("INFO vllm_engine.py] Using V1 engine", "Using V1 engine", "INFO", "vllm_engine.py"),
        ("ERROR engine.py:387] You can update", "You can update", "ERROR", "engine.py:387"),
        ("ERROR [core.py:1330] EngineCore failed", "EngineCore failed", "ERROR", "core.py:1330"),
        ("[multiproc_executor.py:492] ValueError: x", "ValueError: x", None, "multiproc_executor.py:492"),
        ("INFO 12-01 17:26:36 [entrypoints/.../utils/api_utils.py:339] x", "x", "INFO", "entrypoints/.../utils/api_utils.py:339"),
        ("INFO:     Application startup complete.", "Application startup complete.", "INFO", None),
        ("WARNING services.py:1996 -- WARNING: the store", "WARNING: the store", "WARNING", "services.py:1996"),
        ("2025-05-05 14:27:38,980 - httpx - INFO - HTTP Request", "HTTP Request", "INFO", "httpx"),
        ("[rank0]:[W1201 16:57:12.346442148 ProcessGroupNCCL.cpp:1575] Warning: x", "Warning: x", "WARNING", "ProcessGroupNCCL.cpp:1575"),
        ("[ERROR] it broke", "it broke", "ERROR", None),
        ("2023/12/08 10:00:00 images.go:737: total blobs: 0", "total blobs: 0", None, "images.go:737"),
    ],
)  # fmt: skip
def test_loggers(text, message, level, place):
    line = only(text)
    assert (line.message, line.level, line.place) == (message, level, place)


@pytest.mark.parametrize(
    ("text", "process", "pid"),
    [
        ("(APIServer pid=1) hello", "APIServer", 1),
        ("(VllmWorkerProcess pid=90) INFO 12-20 20:25:49 model_runner.py:1413] hello", "VllmWorkerProcess", 90),
        ("(VllmWorker rank=1 pid=2445156) ERROR 05-10 16:00:15 [m.py:470] hello", "VllmWorker_1", 2445156),
        ("(RayWorkerWrapper pid=1978, ip=10.0.0.2) hello", "RayWorkerWrapper", 1978),
        ("(Worker_TP0 pid=60) hello", "Worker_TP0", 60),
        ("(pid=247352) hello", None, 247352),
        ("[rank0]: hello", "rank0", None),
    ],
)
def test_processes(text, process, pid):
    line = only(text)
    assert (line.process, line.pid, line.message) == (process, pid, "hello")


def test_ollama_fields_follow_the_message():
    line = only('time=2026-08-17T22:09:50.580Z level=WARN source=types.go:32 msg="said \\"so\\"" id=0 library=CUDA')
    assert line.message == 'said "so" id=0 library=CUDA'
    assert (line.level, line.place, line.stamp) == ("WARNING", "types.go:32", "2026-08-17T22:09:50.580Z")


def test_gin_access_lines_stay_whole():
    text = '[GIN] 2024/02/09 - 09:21:34 | 403 |  14.458µs | 172.19.0.1 | POST "/v1/chat/completions"'
    assert only(text).message == text


def test_indentation_of_a_traceback_stays():
    assert only('(EngineCore pid=7) ERROR 12-01 16:57:11 [core.py:1]   File "x.py", line 1, in f').message.startswith(
        "  File"
    )


def test_neighbours_of_a_compose_log_are_told_apart():
    log = parse(
        "db-1    | LOG: ready\n"
        "vllm-1  | (APIServer pid=1) INFO 12-01 16:56:53 [api_utils.py:273] non-default args: {'model': 'm'}\n"
        "db-1    | Error: no space\n"
        "vllm-1  | (APIServer pid=1) INFO:     Application startup complete.\n"
    )
    assert log.service == "vllm-1"
    assert [line.service for line in log.lines] == ["db-1", "vllm-1", "db-1", "vllm-1"]


@pytest.mark.parametrize("text", ["name | value", " 1490 | };", "GPU 0 | 8192 MiB", "1490 | };\n1491 | };"])
def test_a_bar_alone_is_no_compose_prefix(text):
    lines = parse(f"{text}\nINFO one\nINFO two\nINFO three").lines
    assert lines[0].service is None


def test_numbers_count_newlines_only():
    log = parse("a\n\nb\n")
    assert [(line.number, line.text) for line in log.lines] == [(1, "a"), (2, ""), (3, "b")]
    assert parse("").lines == ()
