"""Two boots side by side, on real pairs that differ in one setting."""

import re
from pathlib import Path

import pytest

from copilot import engines
from copilot.logs import clean, compare, decode, parse, topic_of

DATA = Path(__file__).parent / "data"
CASES = Path(__file__).parents[2] / "cases"


def side(text):
    log = parse(clean(text))
    return log, engines.read(log, "vllm", None, None).boots[-1].phase


def compared(a, b):
    (log_a, phase_a), (log_b, phase_b) = side(a), side(b)
    return compare(log_a, log_b, phase_a, phase_b)


def text_of(name):
    return decode((DATA / f"{name}.log").read_bytes())


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ("gpu-wsl-uva-not-available", "gpu-wsl-pin-memory-enabled", "fixed"),
        ("gpu-wsl-uva-not-available", "gpu-wsl-v1-runner", "fixed"),
        ("gpu-wsl-uva-not-available", "gpu-wsl-uva-not-available", "same"),
        ("gpu-free-memory-below-utilization-7gib", "gpu-wsl-uva-not-available", "moved"),
        ("gpu-free-memory-below-utilization-7gib", "gpu-kv-cache-too-small-hint", "moved"),
        ("removed-flag-swap-space", "gpu-oom-weight-load", "moved"),
        ("removed-flag-swap-space", "removed-flag-disable-log-requests", "moved"),
        ("gpu-kv-cache-too-small-hint", "gpu-oom-weight-load", "worse"),
        ("gpu-oom-weight-load", "max-model-len-over-derived", "worse"),
        ("gpu-oom-weight-load", "gpu-oom-cuda-graph-capture", "moved"),
        ("ok-startup", "port-in-use", "worse"),
        ("port-in-use", "ok-startup", "fixed"),
        ("port-in-use", "sigkill-after-grace-period-at-startup", "unclear"),
        ("request-tool-choice-not-enabled", "ok-startup", "fixed"),
        ("gpu-wsl-v1-runner", "gpu-sigterm-serving", "same"),
    ],
)
def test_verdicts(a, b, verdict):
    assert compared(text_of(a), text_of(b)).verdict == verdict


def test_what_a_switch_changed_is_told_by_topic():
    result = compared(text_of("gpu-wsl-uva-not-available"), text_of("gpu-wsl-v1-runner"))
    gone = {line.topic for line in result.gone}
    assert "memory path" in gone
    assert any("Using V2 Model Runner" in line.text for line in result.gone)
    assert not any("File " in line.text or "^^^" in line.text for line in (*result.gone, *result.new))


def shifted(text):
    """The same start at another time: other clocks, processes, ports, addresses."""
    text = re.sub(r"16:56:(\d\d)|16:57:(\d\d)", "09:13:27", text)
    text = re.sub(r"pid=(\d+)", lambda found: f"pid={int(found[1]) + 4711}", text)
    text = re.sub(r"127\.0\.0\.1:(\d{5})", "127.0.0.1:54321", text)
    return re.sub(r"\d\.\d{6} seconds", "9.876543 seconds", text)


@pytest.mark.parametrize("name", ["gpu-wsl-pin-memory-enabled", "gpu-wsl-uva-not-available"])
def test_the_same_start_again_differs_in_nothing(name):
    result = compared(text_of(name), shifted(text_of(name)))
    assert (result.gone, result.new, result.changed) == ((), (), ())
    assert result.same > 15


def test_the_order_of_processes_does_not_count():
    lines = [
        f"(Worker_TP{rank} pid={rank}) INFO 12-01 10:00:00 [a.py:1] step {step}" for step in "abc" for rank in (0, 1)
    ]
    result = compared("\n".join(lines), "\n".join(sorted(lines)))
    assert (result.gone, result.new, result.changed) == ((), (), ())


def test_another_value_of_the_same_message_is_a_change():
    result = compared(text_of("gpu-wsl-v1-runner"), text_of("gpu-sigterm-serving"))
    pairs = [(change.a.text, change.b.text) for change in result.changed]
    assert any("10.67 GiB" in a and "0.63 GiB" in b for a, b in pairs)
    assert {change.a.topic for change in result.changed} >= {"memory budget"}


def test_the_last_boots_are_compared():
    loop = text_of("port-in-use") + "\n" + text_of("ok-startup")
    assert compared(text_of("port-in-use"), loop).verdict == "fixed"


def test_another_value_of_the_setting_in_the_same_message_is_the_same_failure():
    def text(round_):
        return (CASES / "bits-two-starts" / round_ / "server.log").read_text(encoding="utf-8")

    assert compared(text("round-1"), text("round-2")).verdict == "same"


def test_two_messages_that_differ_in_more_than_a_setting_are_two_failures():
    args = "INFO 12-01 10:00:00 [a.py:1] non-default args: {'model': 'm', 'quantization': '%s'}\n"
    crash = 'Traceback (most recent call last):\n  File "a.py", line 1, in b\nValueError: %s\n'
    a = args % "awq" + crash % "Cannot find the config file for awq"
    b = args % "gptq" + crash % "The input size is not aligned with gptq"
    assert compared(a, b).verdict == "moved"


@pytest.mark.parametrize(
    ("message", "topic"),
    [
        ("RuntimeError: UVA is not available", "memory path"),
        ("Using 'pin_memory=False' as WSL is detected.", "memory path"),
        ("Available KV cache memory: 21.0 GiB", "memory budget"),
        ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 MiB", "memory budget"),
        ("Using FLASH_ATTN attention backend", "attention"),
        ("CAS Client Error: HTTP 401, cas-server.xethub.hf.co", "access"),
        ("Time spent downloading weights for x: 3 seconds", "download"),
        ("OSError: [Errno 98] Address already in use", "network"),
        ("Automatically detected platform cuda.", "device"),
        ("Resolved architecture: LlamaForCausalLM", "model"),
        ("world_size=2 rank=0 local_rank=0", "parallelism"),
        ('127.0.0.1:5 - "POST /v1/chat/completions HTTP/1.1" 200 OK', "request"),
        ("Enabled custom fusions: norm_quant", "other"),
    ],
)
def test_topics(message, topic):
    assert topic_of(message) == topic
