"""Removed and renamed settings as they occur in public reports and in recorded failures: successor and version."""

import pytest

from copilot.model.evidence import Setting
from copilot.parameters import audit, registry

GONE = [
    # (engine, written, a version that no longer has it, gone since, successor)
    ("vllm", "--swap-space", "0.32.0", "0.18.0", None),
    ("vllm", "--disable-log-requests", "0.32.0", "0.17.0", None),
    ("vllm", "--guided-decoding-backend", "0.32.0", "0.12.0", "--structured-outputs-config.backend"),
    ("vllm", "--task", "0.32.0", "0.13.0", "--runner"),
    ("vllm", "--device", "0.32.0", "0.10.0", None),
    ("vllm", "--enable-reasoning", "0.10.0", "0.10.0", "--reasoning-parser"),
    ("vllm", "--engine-use-ray", "0.8.5", "0.6.1.post1", None),
    ("vllm", "--worker-use-ray", "0.8.5", "0.7.0", "--distributed-executor-backend"),
    ("vllm", "--num-speculative-tokens", "0.9.0", "0.8.3", "--speculative-config.num_speculative_tokens"),
    ("vllm", "--speculative-model", "0.9.0", "0.8.3", "--speculative-config.model"),
    ("vllm", "--num-redundant-experts", "0.12.0", "0.12.0", "--eplb-config.num_redundant_experts"),
    ("vllm", "--rope-scaling", "0.12.0", "0.11.1", "--hf-overrides"),
    ("vllm", "--rope-theta", "0.12.0", "0.11.1", "--hf-overrides"),
    ("vllm", "--calculate-kv-scales", "0.30.0", "0.28.0", None),
    ("vllm", "--max-seq-len-to-capture", "0.12.0", "0.11.0", "--max-cudagraph-capture-size"),
    ("vllm", "--num-scheduler-steps", "0.11.0", "0.10.1", None),
    ("vllm", "--cuda-graph-sizes", "0.13.0", "0.13.0", "--cudagraph-capture-sizes"),
    ("vllm", "env:VLLM_ATTENTION_BACKEND", "0.25.0", "0.15.0", "--attention-backend"),
    ("vllm", "env:VLLM_USE_V1", "0.25.0", "0.11.1", None),
    ("vllm", "env:VLLM_MM_HASHER_ALGORITHM", "0.32.0", "0.30.0", "--mm-hasher-algorithm"),
    ("vllm", "env:VLLM_PREFIX_CACHE_RETENTION_INTERVAL", "0.32.0", "0.30.0", "--prefix-cache-retention-interval"),
    ("vllm", "env:VLLM_TRITON_ATTN_USE_TD", "0.32.0", "0.29.0", "env:VLLM_TRITON_USE_TD"),
    ("ollama", "env:OLLAMA_MAX_VRAM", "0.12.3", "0.7.0", "env:OLLAMA_GPU_OVERHEAD"),
    ("ollama", "env:OLLAMA_INTEL_GPU", "0.31.0", "0.12.11", "env:OLLAMA_IGPU_ENABLE"),
    ("ollama", "env:OLLAMA_NEW_ENGINE", "0.30.0", "0.30.0", None),
    ("ollama", "env:OLLAMA_MULTIUSER_CACHE", "0.30.0", "0.30.0", None),
    ("ollama", "env:OLLAMA_TMPDIR", "0.12.3", "0.6.6", None),
    ("ollama", "env:OLLAMA_RUNNERS_DIR", "0.12.3", "0.3.11", None),
]


@pytest.mark.parametrize(("engine", "written", "version", "gone", "successor"), GONE)
def test_the_answer_names_the_successor_and_the_version_of_the_change(engine, written, version, gone, successor):
    found = registry().find(written, engine, version)
    follow = registry().successor(written, engine, version)
    assert found.status == "removed"
    assert found.successor == successor
    assert follow is not None
    assert follow.removed_in == gone
    shown = follow.note.en + follow.note.zh
    assert gone in shown
    assert successor is None or successor.removeprefix("env:") in shown


@pytest.mark.parametrize(("engine", "written", "version", "gone", "successor"), GONE)
def test_the_audit_finds_it_without_any_log_line(engine, written, version, gone, successor):
    setting = Setting(parameter=written, value="1", source="compose", file="compose.yaml", line=7)
    (finding,) = audit([setting], engine, version)
    assert finding.origin == "setting"
    assert finding.confidence == "high"
    assert finding.blocking is written.startswith("--")
    assert gone in finding.cause.en
    assert gone in finding.cause.zh
    assert [line.line for line in finding.lines] == [7]
    tried = {proposal.parameter for proposal in finding.proposals}
    assert written in tried
    assert tried <= {written, successor}


@pytest.mark.parametrize(("engine", "written", "version", "gone", "successor"), GONE)
def test_every_successor_exists_in_the_version_that_needs_it(engine, written, version, gone, successor):
    del gone
    follow = registry().successor(written, engine, version)
    assert follow is not None
    if successor is not None:
        assert registry().exists(successor, engine, version) is True


def test_a_successor_changes_with_the_version():
    successor = registry().successor
    assert successor("env:VLLM_USE_CUDNN_PREFILL", "vllm", "0.20.0").parameter == "--attention-config.use_cudnn_prefill"
    later = successor("env:VLLM_USE_CUDNN_PREFILL", "vllm", "0.25.0")
    assert later.parameter == "--attention-config.mla_prefill_backend"
    assert successor("env:VLLM_ATTENTION_BACKEND", "vllm", "0.12.0") is None
