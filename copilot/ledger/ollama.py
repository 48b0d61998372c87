"""What a model takes under Ollama: GGUF weights, a cache of context times parallel requests, and the layers that fit.

Ollama (llama.cpp underneath) loads what fits on the GPU layer by layer and computes the rest on the CPU: a card that is
too small makes it slow, not fail.
"""

from dataclasses import dataclass
from math import floor

from copilot.ledger.activation import Estimate
from copilot.ledger.plan import GIB, Card
from copilot.ledger.quantization import gguf_bits
from copilot.ledger.shape import matrices, parameters
from copilot.model.architecture import Architecture
from copilot.model.ledger import Row

_CACHE_BYTES = {"f16": 2.0, "bf16": 2.0, "f32": 4.0, "q8_0": 34 / 32, "q4_0": 18 / 32}
_SMALL, _LARGE = 23.0, 47.0
_BATCH = 512
"""Tokens that llama.cpp computes at a time."""


@dataclass(frozen=True)
class OllamaPlan:
    """The settings of an Ollama model that touch memory; None means Ollama's own default."""

    quantization: str | None = None
    """A GGUF name; None: Q4_K_M, the library's usual tag."""
    context: int | None = None
    """OLLAMA_CONTEXT_LENGTH or num_ctx."""
    parallel: int = 1
    """OLLAMA_NUM_PARALLEL."""
    cache_type: str = "f16"
    """OLLAMA_KV_CACHE_TYPE; other than f16 needs flash attention."""

    def settings(self) -> dict[str, str]:
        """The plan as the server's variables; Ollama's own defaults left out."""
        found = {"env:OLLAMA_CONTEXT_LENGTH": str(self.context)} if self.context else {}
        if self.parallel > 1:
            found["env:OLLAMA_NUM_PARALLEL"] = str(self.parallel)
        if self.cache_type != "f16":
            found |= {"env:OLLAMA_KV_CACHE_TYPE": self.cache_type, "env:OLLAMA_FLASH_ATTENTION": "1"}
        return found


@dataclass(frozen=True)
class Offload:
    """What lands on the card."""

    rows: tuple[Row, ...]
    layers: int
    """Layers on the GPU, the output layer counted as one."""
    of: int
    context: int
    largest_context: int
    """The longest context with which all layers stay on the GPU; 0 where the weights alone are too large."""

    @property
    def whole(self) -> bool:
        """Whether the whole model runs on the GPU."""
        return self.layers >= self.of


def default_context(total_gib: float) -> int:
    """Context when nothing sets it: 4k below 24 GB, 32k below 48 GB, else 256k (all cards together)."""
    return 4096 if total_gib < _SMALL else 32768 if total_gib < _LARGE else 262144


def predict_ollama(architecture: Architecture, card: Card, plan: OllamaPlan) -> Offload:
    """The memory of one loaded model on all cards together, and how many of its layers fit."""
    total = card.total * card.count
    free = (card.free if card.free is not None else card.total - 0.3) * card.count
    longest = architecture.max_position or 4096
    context = min(plan.context or default_context(total), longest)
    bits = gguf_bits(plan.quantization or "") or _own_bits(architecture)
    weights = parameters(architecture) * bits / 8 / GIB
    each = _cache_per_token(architecture, plan.cache_type) * max(1, plan.parallel) / GIB
    buffer = _compute_buffer(architecture)
    room = free - buffer.value - 0.4
    layers = architecture.layers + 1
    per_layer = (weights + each * context) / layers
    fitting = min(layers, max(0, floor(room / per_layer)))
    return Offload(
        rows=_rows(card, (total, free), (weights, each * context), buffer),
        layers=fitting,
        of=layers,
        context=context,
        largest_context=min(longest, max(0, int((room - weights) / each))) if each else longest,
    )


def _own_bits(architecture: Architecture) -> float:
    if architecture.quantization == "mxfp4":
        expert = sum(matrix.elements * matrix.count for matrix in matrices(architecture) if matrix.part == "experts")
        share = expert / parameters(architecture)
        return 4.25 * share + 16 * (1 - share)
    return gguf_bits("Q4_K_M") or 4.85


def _cache_per_token(architecture: Architecture, kind: str) -> float:
    """Bytes of one token over all layers; llama.cpp keeps only the window of windowed layers, which is left out."""
    size = _CACHE_BYTES.get(kind.lower(), 2.0)
    layers = architecture.layers - architecture.linear_layers - architecture.sliding_layers
    if layers <= 0:
        layers = architecture.layers
    if architecture.kv_lora_rank:
        return layers * (architecture.kv_lora_rank + (architecture.rope_dim or 64)) * size
    return layers * 2 * architecture.kv_heads * architecture.head_dim * size


def _compute_buffer(architecture: Architecture) -> Estimate:
    logits = _BATCH * architecture.vocab * 4 / GIB
    inner = _BATCH * (architecture.intermediate * 2 + architecture.hidden * 4) * 4 / GIB
    value = logits + inner + 0.06
    return Estimate(value, value * 0.5, value * 2)


def _rows(card: Card, card_gib: tuple[float, float], model: tuple[float, float], buffer: Estimate) -> tuple[Row, ...]:
    weights, cache = model
    cards = f"{card.count} cards together" if card.count > 1 else ""
    return (
        Row(name="total", gib=card_gib[0], origin="gpu", note=cards),
        Row(name="free", gib=card_gib[1], origin="gpu"),
        Row(name="weights", gib=weights, origin="estimated", low=weights * 0.95, high=weights * 1.08),
        Row(name="kv_needed", gib=cache, origin="derived", note="context × parallel requests"),
        Row(name="activation", gib=buffer.value, origin="estimated", low=buffer.low, high=buffer.high),
        Row(name="non_torch", gib=0.4, origin="estimated", low=0.25, high=0.6, note="CUDA context"),
    )
