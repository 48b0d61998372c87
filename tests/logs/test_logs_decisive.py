"""Causes before wrappers, on real logs. `decisive.json` holds the annotated line of each; null where it is sound."""

import json
from pathlib import Path

import pytest

from copilot.logs import clean, decisive, decode, parse

DATA = Path(__file__).parent / "data"
ANNOTATED: dict[str, str | None] = json.loads((DATA / "decisive.json").read_text())
FAILED = sorted(name for name, line in ANNOTATED.items() if line)
OTHERWISE = {
    # The annotation names the last exception of the chain; the retries above it name the cause.
    "gpu-model-name-wrong-no-network": "Temporary failure in name resolution",
    # The annotation names the exception of the caller; the linker's own line stands above it.
    "gpu-no-c-compiler": "cannot find ‘ld’",
}
CAUSES = frozenset({"argparse", "pydantic", "daemon", "exception", "fatal", "signal"})


def recorded(name):
    return parse(clean(decode((DATA / f"{name}.log").read_bytes())))


@pytest.mark.parametrize("name", FAILED)
def test_the_first_is_the_annotated_line_or_a_copy_of_it(name):
    log = recorded(name)
    best = decisive(log)[0]
    said = [log.line(number).text for number in (best.number, *best.also)]
    wanted = OTHERWISE.get(name) or ANNOTATED[name].strip()
    assert any(wanted in text for text in said), said[0]


def test_at_least_95_of_100_agree_with_the_annotation():
    assert len(OTHERWISE) / len(FAILED) <= 0.05


@pytest.mark.parametrize("name", sorted(name for name, line in ANNOTATED.items() if line is None))
def test_a_sound_log_has_no_cause(name):
    log = recorded(name)
    assert [one for one in decisive(log) if one.kind in CAUSES] == []


def test_the_wrapper_comes_after_the_cause_and_its_copies_are_one():
    log = recorded("gpu-wsl-uva-not-available")
    cause, *rest = decisive(log)
    assert log.line(cause.number).message == "RuntimeError: UVA is not available"
    assert len(cause.also) == 1
    assert [one.kind for one in rest] == ["wrapper", "wrapper"]


def test_a_killed_process_leaves_only_wrappers_and_they_become_the_evidence():
    found = decisive(recorded("worker-killed-at-startup"))
    assert {one.kind for one in found} == {"signal"}


def test_pydantic_header_is_never_chosen():
    log = recorded("max-model-len-over-derived")
    assert not any("validation error for" in log.line(one.number).text for one in decisive(log))


def test_of_a_chain_the_one_that_says_more():
    hub = recorded("hub-gated-401")
    assert "GatedRepoError" in hub.line(decisive(hub)[0].number).text
    advice = recorded("gpu-oom-sampler-warmup-v1")
    assert "lowering `max_num_seqs`" in advice.line(decisive(advice)[0].number).text


def test_the_last_boot_comes_first_and_the_others_stay():
    first, second = (
        DATA / f"{name}.log" for name in ("gpu-free-memory-below-utilization-7gib", "gpu-wsl-uva-not-available")
    )
    log = parse(decode(first.read_bytes() + b"\n" + second.read_bytes()))
    said = [log.line(one.number).message for one in decisive(log) if one.kind == "exception"]
    assert said[0].startswith("RuntimeError: UVA")
    assert any(text.startswith("ValueError: Free memory") for text in said[1:])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("vllm: error: unrecognized arguments: --swap-space 4", "argparse"),
        ('docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].', "daemon"),
        ("Error response from daemon: unknown or invalid runtime name: nvidia", "daemon"),
        ('exec: "--model": executable file not found in $PATH', "daemon"),
        ("Killed", "signal"),
        ("panic: unable to create llama context", "fatal"),
        (" KeyError: 'mllama'", "exception"),
        ("  Value error, rope_scaling should have a 'rope_type' key [type=value_error]", "pydantic"),
        ("permissionError: [error 13] Permission denied: '/.cache'", "exception"),
        ("Error: llama runner process has terminated", "fatal"),
        ("403 Client Error.", "hint"),
        ('10.0.0.1:48284 - "POST /v1/chat/completions HTTP/1.1" 400 Bad Request', "http"),
        ('[GIN] 2024/02/09 - 09:21:34 | 403 | 14µs | 172.19.0.1 | POST "/v1/chat/completions"', "http"),
    ],
)
def test_one_pasted_line_is_enough(text, kind):
    assert [one.kind for one in decisive(parse(text))] == [kind]


def test_the_error_of_a_neighbour_is_not_the_engines():
    log = parse(
        "vllm-1  | (APIServer pid=1) INFO:     Application startup complete.\n"
        "web-1   | Traceback (most recent call last):\n"
        "web-1   | ValueError: bad page\n"
        'vllm-1  | (APIServer pid=1) INFO:     127.0.0.1:5 - "GET /health HTTP/1.1" 200 OK\n'
    )  # fmt: skip
    assert decisive(log) == ()


def test_a_text_above_a_chain_is_an_exception_without_its_class():
    log = parse(
        "The checkpoint has model type `x`\n\nDuring handling of the above exception, another exception occurred:"
    )
    assert decisive(log)[0].number == 1
