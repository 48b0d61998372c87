"""Names as people and engines spell them, in the version that reads them."""

import pytest

from copilot.parameters import registry


@pytest.mark.parametrize(
    ("spelled", "version", "parameter", "value"),
    [
        ("--gpu-memory-util", "0.25.0", "--gpu-memory-utilization", None),
        ("--gpu_memory_utilization=0.8", "0.25.0", "--gpu-memory-utilization", "0.8"),
        ("--kv-cache-memory=7340032000", "0.26.0", "--kv-cache-memory-bytes", "7340032000"),
        ("-tp", "0.25.0", "--tensor-parallel-size", None),
        ("-qawq", "0.25.0", "--quantization", "awq"),
        ("-O3", "0.11.0", "--compilation-config.level", "3"),
        ("-O3", "0.25.0", "--optimization-level", "3"),
        ("-cc.mode=3", "0.25.0", "--compilation-config.mode", "3"),
        ("--compilation-config.pass_config.fuse_norm_quant", "0.25.0", None, None),
        ("--no-enable-prefix-caching", "0.25.0", "--enable-prefix-caching", "false"),
        ("--disable-log-requests", "0.33.0", "--enable-log-requests", "false"),
        ("--disable-prefix-caching", "0.33.0", "--enable-prefix-caching", "false"),
        ("--hf-overrides.rope_theta", "0.25.0", "--hf-overrides.rope_theta", None),
    ],
)
def test_options_mean_what_the_parser_reads(spelled, version, parameter, value):
    found = registry().find(spelled, "vllm", version)
    if parameter is not None:
        assert found.parameter == parameter
    assert found.status == "ok"
    assert found.value == value


def test_defaults_follow_the_version():
    default = registry().default
    assert default("--gpu-memory-utilization", "vllm", "0.19.1") == "0.9"
    assert default("--gpu-memory-utilization", "vllm", "0.20.0") == "0.92"
    assert default("--gpu-memory-utilization", "vllm", None) is None
    assert default("OLLAMA_NUM_PARALLEL", "ollama", "0.9.6") == "0"
    assert default("OLLAMA_NUM_PARALLEL", "ollama", "0.10.0") == "1"
    assert default("OLLAMA_CONTEXT_LENGTH", "ollama", "0.6.6") == "2048"


def test_existence_is_unknown_only_where_the_releases_do_not_settle_it():
    exists = registry().exists
    assert exists("--attention-backend", "vllm", "0.13.0") is True
    assert exists("--attention-backend", "vllm", "0.12.0") is False
    assert exists("--attention-backend", "vllm", "0.12.1.dev4") is None
    assert exists("--attention-backend", "vllm", None) is None
    assert exists("--max-model-len", "vllm", None) is True
    assert exists("--flash-speed", "vllm", None) is False
    assert exists("--flash-speed", "vllm", "0.99.0") is None
