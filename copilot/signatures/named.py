"""Settings that a message names in its own words: `--max-num-seqs`, `max_num_seqs`, `VLLM_USE_V1`."""

import re

from copilot.parameters import registry

_SPELLED = re.compile(r"(?<![\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)+|\bVLLM_[A-Z][A-Z0-9_]+\b|\b[a-z]+(?:_[a-z0-9]+)+\b")
_ECHO = re.compile(r"\[type=\w+, input_value=.*|\(?For further information visit .*")
"""What pydantic appends: a print of all arguments, not the one that is wrong."""

_FEATURES = {
    "pipeline parallelism": "--pipeline-parallel-size",
    "tensor parallelism": "--tensor-parallel-size",
    "expert parallelism": "--enable-expert-parallel",
    "data parallelism": "--data-parallel-size",
    "speculative decoding": "--speculative-config",
    "chunked prefill": "--enable-chunked-prefill",
    "prefix caching": "--enable-prefix-caching",
    "lora": "--enable-lora",
    "fp8 kv cache": "--kv-cache-dtype",
    "kv cache dtype": "--kv-cache-dtype",
    "attention backend": "--attention-backend",
    "cpu offload": "--cpu-offload-gb",
    "sleep mode": "--enable-sleep-mode",
    "async scheduling": "--async-scheduling",
    "hybrid kv cache manager": "--disable-hybrid-kv-cache-manager",
    "prompt embeds": "--enable-prompt-embeds",
    "guided decoding": "--structured-outputs-config",
    "structured output": "--structured-outputs-config",
    "swap space": "--swap-space",
    "load format": "--load-format",
    "quantization": "--quantization",
}
"""Features as sentences name them -> the setting that turns them on; the longer names first where one holds another."""
_CLASSES = {
    "SpeculativeConfig": "--speculative-config",
    "LoRAConfig": "--enable-lora",
    "KVTransferConfig": "--kv-transfer-config",
    "KVEventsConfig": "--kv-events-config",
    "CompilationConfig": "--compilation-config",
    "AttentionConfig": "--attention-config",
    "PoolerConfig": "--pooler-config",
    "ProfilerConfig": "--profiler-config",
    "StructuredOutputsConfig": "--structured-outputs-config",
    "ReasoningConfig": "--reasoning-config",
    "EPLBConfig": "--eplb-config",
    "MultiModalConfig": "--limit-mm-per-prompt",
}
"""Parts of the configuration as a validation error names them -> the setting that fills them."""
_INVALID = re.compile(r"validation errors? for (\w+)")
_REFUSED = re.compile(
    r"\b(?:not|n't|only|cannot|too|lack|unsupported|invalid|unknown|failed|disabled|mutually exclusive|incompatible)\b",
    re.IGNORECASE,
)


def named_settings(message: str, version: str | None) -> tuple[str, ...]:
    """The vLLM settings that a message names, as parameters, in order; names unknown to the version are left out.

    Where it spells none, the feature that it says is not possible.
    """
    said = _ECHO.sub("", message)
    spelled = tuple(dict.fromkeys(_parameter(m.group()) for m in _SPELLED.finditer(said)))
    known = tuple(name for name in spelled if registry().exists(name, "vllm", version))
    part = _INVALID.search(said)
    if part is not None:
        known = tuple(name for name in (_CLASSES.get(part[1]),) if name)
    if known or part or not _REFUSED.search(said):
        return tuple(name for name in known if registry().exists(name, "vllm", version))
    lowered = said.lower()
    features = (setting for words, setting in _FEATURES.items() if re.search(rf"\b{words}\b", lowered))
    return tuple(name for name in features if registry().exists(name, "vllm", version))


def _parameter(spelled: str) -> str:
    if spelled.startswith("--"):
        return registry().find(spelled, "vllm", None).parameter or spelled
    return f"env:{spelled}" if spelled.isupper() else f"--{spelled.replace('_', '-')}"
