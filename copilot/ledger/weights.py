"""What the weights take on one GPU: dtype, quantisation, tensor parallelism, and the allocator's rounding."""

from copilot.ledger.plan import GIB, Plan
from copilot.ledger.quantization import Format, format_of
from copilot.ledger.shape import Matrix, matrices, parameters
from copilot.model.architecture import Architecture

_MIB = 2**20
_DTYPE_BYTES = {"float32": 4, "float": 4, "float16": 2, "half": 2, "bfloat16": 2, "fp8": 1, "float8_e4m3fn": 1}


def dtype_of(architecture: Architecture, plan: Plan) -> str:
    """The compute dtype; `auto` keeps the checkpoint's, and takes float32 checkpoints as float16."""
    wanted = plan.dtype.lower().removeprefix("torch.")
    if wanted in ("auto", ""):
        wanted = architecture.dtype.lower().removeprefix("torch.")
        return "float16" if wanted in ("float32", "float") else wanted
    return {"half": "float16", "float": "float32"}.get(wanted, wanted)


def dtype_bytes(name: str) -> int:
    """Bytes of one element; an unknown name counts as a 16-bit type."""
    return _DTYPE_BYTES.get(name, 2)


def weight_gib(architecture: Architecture, plan: Plan) -> float:
    """GiB of weights and rotary tables on one GPU."""
    shards = max(1, plan.tensor_parallel) * max(1, plan.pipeline_parallel)
    size = dtype_bytes(dtype_of(architecture, plan))
    quantized = format_of(plan.quantization or architecture.quantization, architecture.bits, architecture.group_size)
    parts = matrices(architecture, max(1, plan.tensor_parallel))
    taken = sum(_bytes(matrix, size, quantized) for matrix in parts) / max(1, plan.pipeline_parallel)
    if architecture.parameters_m:
        taken *= _published(architecture)
    if architecture.weight_bytes and quantized:
        taken = architecture.weight_bytes / shards
    return max(0.0, (taken + _rotary(architecture, size)) / GIB)


def _published(architecture: Architecture) -> float:
    """The published count over the computed one, where both are known and agree roughly."""
    computed = parameters(architecture)
    factor = (architecture.parameters_m or 0) * 1e6 / computed
    return factor if 0.8 < factor < 1.25 else 1.0  # noqa: PLR2004 - farther apart one of the two counts something else


def _bytes(matrix: Matrix, size: int, quantized: Format | None) -> float:
    covered = quantized is not None and matrix.part in quantized.parts
    each = matrix.elements * (quantized.bits / 8 if quantized and covered else size)
    return matrix.count * _rounded(each)


def _rounded(size: float) -> float:
    """A block as PyTorch's allocator counts it: rounded up to 2 MiB from 10 MiB on if at most 1 MiB would be left."""
    if size < 10 * _MIB:
        return size
    whole = -(-size // (2 * _MIB)) * 2 * _MIB
    return whole if whole - size <= _MIB else size


def _rotary(architecture: Architecture, size: int) -> float:
    """The table of rotary angles, one for all layers."""
    width = architecture.rope_dim or architecture.head_dim
    return float(min(architecture.max_position or 0, 2**20) * width * size)
