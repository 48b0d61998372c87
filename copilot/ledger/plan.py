"""What one start asks for: the card, and the settings that touch GPU memory."""

import re
from dataclasses import dataclass, replace

from copilot.ledger.releases import Release
from copilot.model.architecture import Architecture
from copilot.model.evidence import Service

GIB = float(2**30)


@dataclass(frozen=True)
class Card:
    """One GPU as the engine sees it. GiB."""

    total: float
    """Memory as CUDA reports it (`8.0` of an RTX 2070); nvidia-smi's total is a little higher on some cards."""
    free: float | None = None
    """Free before the engine takes any; None: nothing else runs on the card."""
    name: str = ""
    compute_capability: str | None = None
    count: int = 1
    wsl: bool = False
    """Under WSL2 the desktop's share moves while the engine starts."""


@dataclass(frozen=True)
class Plan:
    """The settings of one start; None means the engine's own default for this version and card."""

    version: str | None = None
    utilization: float | None = None
    kv_cache_bytes: int | None = None
    """`--kv-cache-memory-bytes`: replaces the share as the size of the KV cache."""
    max_model_len: int | None = None
    """None: the model's own; -1: `auto`, the engine shortens it until it fits."""
    max_num_seqs: int | None = None
    max_num_batched_tokens: int | None = None
    dtype: str = "auto"
    quantization: str | None = None
    kv_cache_dtype: str = "auto"
    tensor_parallel: int = 1
    pipeline_parallel: int = 1
    enforce_eager: bool = False
    block_size: int | None = None
    hybrid_cache: bool = True
    """False: `--disable-hybrid-kv-cache-manager`, windows count as full attention."""
    v2_runner: bool | None = None
    """VLLM_USE_V2_MODEL_RUNNER where it is set; None: the version decides by model."""
    cpu_offload_gib: float = 0.0

    @property
    def release(self) -> Release:
        """The version in comparable form."""
        return Release.parse(self.version)

    def with_(self, **changes: object) -> "Plan":
        """The same plan with one setting changed."""
        return replace(self, **changes)  # type: ignore[arg-type]  # the field names are checked by dataclasses.replace


def plan_of(service: Service, version: str | None) -> Plan:
    """The plan that a service's settings make. Values that cannot be read as numbers count as unset."""
    return Plan(
        version=version,
        utilization=_number(_value(service, "--gpu-memory-utilization")),
        kv_cache_bytes=_size(_value(service, "--kv-cache-memory-bytes", "--kv-cache-memory")),
        max_model_len=length_of(_value(service, "--max-model-len")),
        max_num_seqs=_size(_value(service, "--max-num-seqs")),
        max_num_batched_tokens=_size(_value(service, "--max-num-batched-tokens")),
        dtype=_value(service, "--dtype") or "auto",
        quantization=_value(service, "--quantization"),
        kv_cache_dtype=_value(service, "--kv-cache-dtype") or "auto",
        tensor_parallel=_size(_value(service, "--tensor-parallel-size")) or 1,
        pipeline_parallel=_size(_value(service, "--pipeline-parallel-size")) or 1,
        enforce_eager=_switch(service, "--enforce-eager"),
        block_size=_size(_value(service, "--block-size")),
        hybrid_cache=not _switch(service, "--disable-hybrid-kv-cache-manager"),
        v2_runner=_flag(_value(service, "env:VLLM_USE_V2_MODEL_RUNNER")),
        cpu_offload_gib=_number(_value(service, "--cpu-offload-gb")) or 0.0,
    )


def settings_of(plan: Plan) -> dict[str, str]:
    """The plan as flags and values, what is left to the engine's own default left out; a switch has no value."""
    length = plan.max_model_len
    given = (
        ("--gpu-memory-utilization", plan.utilization, None),
        ("--max-model-len", "auto" if length == -1 else length, None),
        ("--max-num-seqs", plan.max_num_seqs, None),
        ("--max-num-batched-tokens", plan.max_num_batched_tokens, None),
        ("--dtype", plan.dtype, "auto"),
        ("--quantization", plan.quantization, None),
        ("--kv-cache-dtype", plan.kv_cache_dtype, "auto"),
        ("--tensor-parallel-size", plan.tensor_parallel, 1),
        ("--enforce-eager", "" if plan.enforce_eager else None, None),
    )
    return {name: str(value) for name, value, default in given if value is not None and value != default}


def max_model_len(plan: Plan, architecture: Architecture) -> int:
    """The context length that the start asks for; with `auto` the model's own."""
    wanted = plan.max_model_len
    if wanted is not None and wanted > 0:
        return wanted
    return architecture.max_position or 4096


def _value(service: Service, *names: str) -> str | None:
    for name in names:
        setting = service.effective(name)
        if setting is not None and setting.value is not None:
            return setting.value.strip().strip("'\"")
    return None


def _switch(service: Service, name: str) -> bool:
    setting = service.effective(name)
    return setting is not None and (setting.value or "true").strip().lower() not in ("false", "0", "no")


def _flag(value: str | None) -> bool | None:
    return None if value is None or not value else value.lower() in ("1", "true", "yes")


def _number(value: str | None) -> float | None:
    try:
        return float(value) if value is not None else None
    except ValueError:
        return None


_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kKmMgG]?)i?[bB]?")
_FACTORS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "K": 2**10, "M": 2**20, "G": 2**30}


def _size(value: str | None) -> int | None:
    """An integer as vLLM reads it: `4096`, `4k` (decimal), `4K` (binary), `1.5g`."""
    match = _SIZE.fullmatch(value.strip()) if value else None
    return int(float(match[1]) * _FACTORS[match[2]]) if match else None


def length_of(value: str | None) -> int | None:
    """A context length as vLLM reads it; -1 for `auto`; None for what is no length."""
    return -1 if value is not None and value.lower() in ("auto", "-1") else _size(value)
