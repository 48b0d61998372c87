"""What a start takes besides weights and cache: activation peak, libraries, CUDA graphs. Estimates with intervals.

Calibrated on recorded starts of vLLM 0.25.0 (one H200, 8,192 batched tokens, V2 runner): the terms are the tensors that
live at the same time in the profile run; the constants are what the recorded peaks leave over.
"""

from dataclasses import dataclass

from copilot.ledger.plan import GIB, Card, Plan
from copilot.ledger.shape import expert_layers
from copilot.ledger.weights import dtype_bytes, dtype_of
from copilot.model.architecture import Architecture

WSL_MARGIN = 0.15
"""GiB by which free memory moves between two starts under WSL2 without anybody doing anything."""
_CALIBRATED_TOKENS = 8192
_HOPPER_WORKSPACE = 32 / 1024
"""cuBLAS workspace in GiB on compute capability 9.0 and later; 8 MiB before."""
_LARGE_CARD = 70.0


@dataclass(frozen=True)
class Estimate:
    """A value in GiB with the range it is expected in."""

    value: float
    low: float
    high: float
    note: str = ""


@dataclass(frozen=True)
class Load:
    """The batch that the profile run computes."""

    tokens: int
    sequences: int
    v2: bool


def load_of(architecture: Architecture, card: Card, plan: Plan) -> Load:
    """Batch limits and runner as this version would set them on this card."""
    release, quantized = plan.release, bool(plan.quantization or architecture.quantization)
    v2 = plan.v2_runner if plan.v2_runner is not None else release.v2_runner(architecture, quantized)
    tokens = plan.max_num_batched_tokens or release.batched_tokens(card.total, card.name)
    sequences = plan.max_num_seqs or release.sequences(card.total, card.name)
    if not plan.max_num_batched_tokens:
        tokens = max(tokens, sequences)
    return Load(tokens, min(sequences, tokens), v2)


def activation(architecture: Architecture, card: Card, plan: Plan) -> Estimate:
    """Peak of the profile run: the widest layer, or the sampler, over the buffers that stay."""
    load = load_of(architecture, card, plan)
    size = dtype_bytes(dtype_of(architecture, plan))
    shards = max(1, plan.tensor_parallel)
    hidden = load.tokens * architecture.hidden * size / GIB
    layer = 3 * load.tokens * architecture.intermediate / shards * size / GIB if _dense(architecture) else 0.0
    layer += _hidden_copies(architecture, plan) * hidden
    sampler = load.sequences * architecture.vocab * _sampler_bytes(plan, load, size) / GIB + 1.6 * hidden
    value = max(layer, sampler) + _stays(architecture, plan, load, size) + _workspace(card)
    calibrated = load.tokens == _CALIBRATED_TOKENS and load.v2 and shards == 1
    spread = 0.05 + 0.08 * value if calibrated else 0.15 + 0.45 * value
    note = f"{load.tokens} batched tokens, {load.sequences} sequences" + ("" if calibrated else ", not calibrated here")
    return Estimate(value, max(0.05, value - (spread if calibrated else spread * 0.7)), value + spread, note)


def non_torch(card: Card, plan: Plan) -> Estimate:
    """Memory that libraries take outside PyTorch's allocator after the first snapshot."""
    value = 0.22 if plan.release.since(0, 20, 0) else 0.12
    if plan.tensor_parallel > 1:
        return Estimate(value + 0.6, value, value + 1.4, "NCCL buffers included")
    return Estimate(value, 0.04, value + (0.08 if card.total > _LARGE_CARD else 0.2))


def graphs(architecture: Architecture, card: Card, plan: Plan) -> Estimate:
    """CUDA graph memory: about 0.2 MiB per layer and captured size (recorded: 0.39 GiB for 24 layers, 0.59 for 32)."""
    if plan.enforce_eager:
        return Estimate(0.0, 0.0, 0.0, "eager mode captures none")
    load = load_of(architecture, card, plan)
    full, piecewise = _sizes(min(load.sequences, 512)), _sizes(min(2 * load.sequences, 512))
    value = architecture.layers * (full + piecewise) * 0.19 / 1024
    return Estimate(value, value * 0.5, value * 2.2)


def context_gib(card: Card) -> float:
    """What the CUDA context takes before the engine looks at free memory (recorded: 0.51 GiB on an H200)."""
    return 0.51 if card.total > _LARGE_CARD else 0.3


def desktop_gib(card: Card) -> Estimate:
    """What Windows and its desktop hold of a card under WSL2 (reported: 6.98 of 8.00 GiB free), and how that moves."""
    if not card.wsl:
        return Estimate(0.0, 0.0, 0.0)
    return Estimate(0.7, 0.2, 1.5) if card.free is None else Estimate(0.0, -WSL_MARGIN, WSL_MARGIN)


def _sizes(most: int) -> int:
    """How many batch sizes are captured up to `most`: 1, 2, 4, every 8 to 256, every 16 above."""
    return 3 + min(most, 256) // 8 + max(0, most - 256) // 16


def _dense(architecture: Architecture) -> bool:
    return expert_layers(architecture) < architecture.layers


def _hidden_copies(architecture: Architecture, plan: Plan) -> float:
    """Tensors of batch times hidden size that live beside the feed-forward part; compiled layers keep more."""
    family = architecture.model_type
    eager = 5.0 if family.startswith("gemma") else 3.0 if family in ("llama", "mistral") else 4.0
    return eager if plan.enforce_eager else eager + 3.0


def _sampler_bytes(plan: Plan, load: Load, size: int) -> float:
    """Bytes per logit: the logits, their float32 copy, and what the V1 runner's top-k and top-p warm-up adds."""
    if load.v2:
        return size + 4.0
    return size + (25.0 if plan.release.sorts_logits else 12.0)


def _stays(architecture: Architecture, plan: Plan, load: Load, size: int) -> float:
    """Workspaces that are not given back: the experts' buffers, and the latent chunks of MLA."""
    total = 0.0
    if architecture.experts:
        inner = (architecture.moe_intermediate or architecture.intermediate) / max(1, plan.tensor_parallel)
        rows = load.tokens * max(1, architecture.experts_per_token) * size
        total += rows * (max(2 * inner, architecture.hidden) + inner)
    if architecture.kv_lora_rank:
        length = plan.max_model_len if plan.max_model_len and plan.max_model_len > 0 else architecture.max_position or 0
        chunk = min(64 * 1024, max(8 * length, 4 * load.sequences * 16))
        total += chunk * (architecture.kv_lora_rank + (architecture.rope_dim or 64)) * size
    return total / GIB


def _workspace(card: Card) -> float:
    capability = (
        float(card.compute_capability or 0) if (card.compute_capability or "0").replace(".", "").isdigit() else 0
    )
    hopper = capability >= 9 or (not capability and card.total > _LARGE_CARD)  # noqa: PLR2004 - Hopper is 9.0
    return _HOPPER_WORKSPACE if hopper else 8 / 1024
