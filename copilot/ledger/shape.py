"""The weight matrices of a decoder, as the engine stores them (query, key and value merged; gate and up merged)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from copilot.model.architecture import Architecture

Part = Literal["embedding", "head", "attention", "mlp", "experts", "other"]


@dataclass(frozen=True)
class Matrix:
    """`count` equal matrices of `elements` each."""

    part: Part
    elements: float
    count: float = 1


def matrices(architecture: Architecture, tensor_parallel: int = 1) -> tuple[Matrix, ...]:
    """All weights that one GPU holds."""
    return tuple(_all(architecture, tensor_parallel))


def parameters(architecture: Architecture) -> float:
    """Number of parameters, computed from the shape."""
    return sum(matrix.elements * matrix.count for matrix in matrices(architecture))


def attention_layers(architecture: Architecture) -> int:
    """Layers with a KV cache or one that they read."""
    stated = architecture.attention_layers
    return architecture.layers - architecture.linear_layers if stated is None else stated


def expert_layers(architecture: Architecture) -> int:
    """Layers whose feed-forward part is a mixture of experts."""
    return architecture.layers - architecture.dense_layers if architecture.experts else 0


def _all(architecture: Architecture, shards: int) -> Iterator[Matrix]:
    table = architecture.vocab * architecture.hidden / shards
    yield Matrix("embedding", table)
    if not architecture.tied_embeddings:
        yield Matrix("head", table)
    yield from _attention(architecture, shards)
    yield from _feed_forward(architecture, shards)
    if architecture.linear_layers:
        mixer = architecture.linear_parameters_m * 1e6 or 4.0 * architecture.hidden**2
        yield Matrix("attention", mixer / shards, architecture.linear_layers)
    yield Matrix("other", 2 * architecture.hidden * architecture.layers + architecture.hidden)
    if architecture.extra_parameters_m:
        yield Matrix("other", architecture.extra_parameters_m * 1e6)


def _attention(architecture: Architecture, shards: int) -> Iterator[Matrix]:
    layers = attention_layers(architecture)
    wide = layers - architecture.sliding_layers if architecture.global_head_dim else 0
    if architecture.kv_lora_rank is not None:
        yield from _latent_attention(architecture, shards)
        return
    for count, heads, size in (
        (layers - wide, architecture.kv_heads, architecture.head_dim),
        (wide, architecture.global_kv_heads or architecture.kv_heads, architecture.global_head_dim or 0),
    ):
        if count:
            own = max(1.0, heads / shards)
            queries = architecture.heads * (2 if architecture.output_gate else 1) / shards
            merged = architecture.hidden * size * (queries + 2 * own)
            yield Matrix("attention", merged, count)
            yield Matrix("attention", architecture.hidden * size * architecture.heads / shards, count)


def _latent_attention(architecture: Architecture, shards: int) -> Iterator[Matrix]:
    hidden, heads = architecture.hidden, architecture.heads / shards
    rank, rope = architecture.kv_lora_rank or 0, architecture.rope_dim or 64
    nope, value = architecture.nope_dim or 128, architecture.v_head_dim or 128
    layers = attention_layers(architecture)
    if architecture.q_lora_rank:
        yield Matrix("attention", hidden * (architecture.q_lora_rank + rank + rope), layers)
        yield Matrix("attention", architecture.q_lora_rank * heads * (nope + rope), layers)
    else:
        yield Matrix("attention", hidden * heads * (nope + rope), layers)
        yield Matrix("attention", hidden * (rank + rope), layers)
    yield Matrix("attention", rank * heads * (nope + value), layers)
    yield Matrix("attention", heads * value * hidden, layers)


def _feed_forward(architecture: Architecture, shards: int) -> Iterator[Matrix]:
    hidden, routed = architecture.hidden, expert_layers(architecture)
    up = 2 if architecture.gated_mlp else 1
    dense = (architecture.layers if architecture.mlp_layers is None else architecture.mlp_layers) - routed
    if dense > 0 and architecture.intermediate:
        yield Matrix("mlp", up * hidden * architecture.intermediate / shards, dense)
        yield Matrix("mlp", hidden * architecture.intermediate / shards, dense)
    if routed:
        inner = (architecture.moe_intermediate or architecture.intermediate) / shards
        yield Matrix("experts", architecture.experts * up * hidden * inner, routed)
        yield Matrix("experts", architecture.experts * hidden * inner, routed)
        yield Matrix("other", architecture.experts * hidden, routed)
        if architecture.shared_experts:
            yield Matrix("mlp", up * hidden * inner * architecture.shared_experts, routed)
            yield Matrix("mlp", hidden * inner * architecture.shared_experts, routed)
