"""Settings that cannot work or do nothing, whatever the log says."""

import pytest

from copilot.model.evidence import Setting
from copilot.parameters import audit, pinning_notes


def written(parameter, value=None, spelled="", source="compose"):
    return Setting(parameter=parameter, value=value, source=source, file="compose.yaml", line=4, spelled=spelled)


def one(setting, version, engine="vllm"):
    (finding,) = audit([setting], engine, version)
    return finding


@pytest.mark.parametrize(
    ("setting", "version", "identity", "blocking", "proposed"),
    [
        (written("--gpu-memory-utilisation", "0.9"), "0.25.0", "unknown", True, ("--gpu-memory-utilization", "0.9")),
        (written("--max-modellen", "4096"), None, "unknown", True, ("--max-model-len", "4096")),
        (written("env:VLLM_LOGGING_LEVLE", "DEBUG"), "0.25.0", "unknown", False, ("env:VLLM_LOGGING_LEVEL", "DEBUG")),
        (written("env:OLLAMA_NUM_PARALEL", "2"), "0.12.3", "unknown", False, ("env:OLLAMA_NUM_PARALLEL", "2")),
        (written("env:HUGGINGFACE_TOKEN", "‹token›"), "0.25.0", "unread", False, ("env:HF_TOKEN", "‹token›")),
        (written("--attention-backend", "FLASHINFER"), "0.12.0", "not-yet", True, ("--attention-backend", None)),
        (written("env:VLLM_WSL2_ENABLE_PIN_MEMORY", "1"), "0.23.0", "ignored", False, None),
        (
            written("env:VLLM_ATTENTION_BACKEND", "FLASHINFER"),
            "0.25.0",
            "ignored",
            False,
            ("--attention-backend", "FLASHINFER"),
        ),
        (written("--swap-space", "4"), "0.12.0", "ignored", False, ("--swap-space", None)),
        (written("--gpu-memory-utilization", "95"), "0.25.0", "value", True, ("--gpu-memory-utilization", None)),
        (written("--kv-cache-dtype", "fp8_e4m4"), "0.25.0", "value", True, ("--kv-cache-dtype", "fp8_e4m3")),
        (written("--enable-chunked-prefill", "False"), "0.9.0", "value", True, None),
        (written("env:OLLAMA_CONTEXT_LENGTH", "8k"), "0.12.3", "value", False, None),
        (written("env:OLLAMA_GPU_OVERHEAD", "1G"), "0.12.3", "value", False, None),
        (written("env:OLLAMA_KEEP_ALIVE", "forever"), "0.12.3", "value", False, None),
    ],
    ids=lambda value: value.parameter if isinstance(value, Setting) else None,
)
def test_a_wrong_setting_is_found(setting, version, identity, blocking, proposed):
    finding = one(setting, version, "ollama" if "OLLAMA" in setting.parameter else "vllm")
    assert finding.id.startswith(f"setting:{identity}:")
    assert finding.blocking is blocking
    first = finding.proposals[0]
    assert proposed is None or (first.parameter, first.to) == proposed
    assert all(
        text.en and text.zh for text in (finding.title, finding.cause, first.why, first.if_right, first.if_wrong)
    )


@pytest.mark.parametrize(
    ("settings", "engine", "version"),
    [
        ([written("--kv-cache-memory-bytes", "7340032000", "--kv-cache-memory")], "vllm", "0.26.0"),
        ([written("--max-model-len", "16k"), written("--max-num-batched-tokens", "8192")], "vllm", "0.25.0"),
        ([written("--max-model-len", "auto")], "vllm", "0.25.0"),
        ([written("--attention-backend", "flashinfer")], "vllm", "0.25.0"),
        ([written("--gpu-memory-utilization", "${UTIL:-0.9}")], "vllm", "0.25.0"),
        ([written("--enable-prefix-caching", "false", "--no-enable-prefix-caching")], "vllm", "0.25.0"),
        ([written("--enable-log-requests", "false", "--disable-log-requests")], "vllm", "0.33.0"),
        ([written("--enable-chunked-prefill", "False")], "vllm", "0.8.4"),
        ([written("env:VLLM_ATTENTION_BACKEND", "FLASHINFER")], "vllm", "0.13.0"),
        ([written("env:VLLM_SERVICE_HOST", "10.0.0.1")], "vllm", "0.25.0"),
        ([written("env:VLLM_SOMETHING_OF_THE_IMAGE", "x", source="inspect")], "vllm", "0.25.0"),
        ([written("env:HUGGINGFACE_TOKEN", "x"), written("env:HF_TOKEN", "x")], "vllm", "0.25.0"),
        ([written("env:MY_APP_SETTING", "x")], "vllm", "0.25.0"),
        ([written("--swap-space", "4", source="log")], "vllm", "0.25.0"),
        ([written("env:OLLAMA_KEEP_ALIVE", "-1"), written("env:OLLAMA_FLASH_ATTENTION", "1")], "ollama", "0.12.3"),
        ([written("env:OLLAMA_KV_CACHE_TYPE", "q8_0")], "ollama", "0.12.3"),
        ([written("--no-such-flag")], "client", None),
    ],
)
def test_a_setting_that_works_is_left_alone(settings, engine, version):
    assert audit(settings, engine, version) == ()


def test_with_an_unknown_version_only_the_version_is_in_doubt():
    finding = one(written("--swap-space", "4"), None)
    assert (finding.confidence, finding.blocking) == ("low", False)
    assert "0.17.1" in finding.cause.en


def test_a_version_beyond_the_data_may_have_what_the_data_does_not():
    finding = one(written("--flag-of-the-future", "1"), "0.99.0")
    assert (finding.confidence, finding.blocking) == ("low", False)


@pytest.mark.parametrize(
    ("version", "blocking"), [("0.9.2", True), ("0.10.0", False), ("0.11.0", False), ("0.11.1", None), ("0.25.0", None)]
)
def test_a_bare_model_word_depends_on_the_image(version, blocking):
    settings = [
        written("docker:image", f"vllm/vllm-openai:v{version}"),
        written("--model", "Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-7B-Instruct"),
    ]
    found = audit(settings, "vllm", version)
    assert [finding.blocking for finding in found] == ([] if blocking is None else [blocking])


def test_what_can_move_between_two_starts_is_noted():
    hub = [written("--model", "Qwen/Qwen2.5-7B-Instruct")]
    assert len(pinning_notes("vllm/vllm-openai:latest", hub)) == 2
    assert len(pinning_notes("ollama/ollama", [])) == 1
    assert pinning_notes("vllm/vllm-openai:v0.25.0", [*hub, written("--revision", "abc")]) == ()
    assert pinning_notes("registry.local:5000/vllm@sha256:00", [written("--model", "/models/qwen")]) == ()
