"""Reads a model's config.json into its shape. Field names differ by family; the meanings do not."""

import json
from collections.abc import Mapping

from copilot.collect.fields import Config, first, text
from copilot.collect.layerkinds import kinds_of
from copilot.collect.quantized import quantization_of
from copilot.collect.tower import tower_parameters_m
from copilot.model.architecture import Architecture

_NESTED = ("text_config", "llm_config", "language_config", "language_model_config", "thinker_config", "decoder")
_LAYERS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
_HIDDEN = ("hidden_size", "n_embd", "d_model", "dim")
_HEADS = ("num_attention_heads", "n_head", "n_heads")
_KV_HEADS = ("num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num", "n_kv_heads")
_INNER = ("intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim", "hidden_dim", "inner_hidden_size")
_VOCAB = ("vocab_size", "padded_vocab_size")
_LENGTH = ("max_position_embeddings", "seq_length", "n_positions", "max_sequence_length", "n_ctx", "max_seq_len")
_EXPERTS = ("num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts")
_PER_TOKEN = ("num_experts_per_tok", "moe_topk", "num_experts_per_token", "moe_k", "top_k_experts", "experts_per_token")
_DEFAULTS: Mapping[str, Config] = {
    "gemma3_text": {
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "vocab_size": 262208,
        "max_position_embeddings": 131072,
    },
}
"""Fields that published files of a family leave out, because the library has them as defaults."""
_UNGATED = frozenset(
    {
        "opt",
        "falcon",
        "gpt2",
        "gpt_neox",
        "gpt_bigcode",
        "gptj",
        "starcoder2",
        "bloom",
        "mpt",
        "phi",
        "nemotron",
        "nemotron_h",
    }
)
_STATE_ONLY = frozenset({"mamba", "mamba2", "falcon_mamba"})
"""Families without attention: their files name no heads."""
_GATED_OUTPUT = ("qwen3_next", "qwen3_5")
_TIED_BY_DEFAULT = frozenset(
    {"opt", "gpt2", "gpt_bigcode", "bloom", "falcon", "mpt", "gemma", "gemma2", "cohere", "cohere2", "lfm2"}
)
_BIASED = frozenset({"qwen2", "qwen2_moe", "qwen2_vl", "qwen2_5_vl", "chatglm", "opt", "phi", "gpt_oss"})


def read_config(json_text: str, name: str) -> Architecture | None:
    """The shape that a config.json describes; None for text that is no JSON object or describes no decoder."""
    try:
        whole = json.loads(json_text)
    except json.JSONDecodeError:
        return None
    if not isinstance(whole, dict):
        return None
    config = text_part(whole)
    config = {**_DEFAULTS.get(text(config, "model_type"), {}), **config}
    layers, hidden, heads = first(config, _LAYERS), first(config, _HIDDEN), first(config, _HEADS)
    if text(config, "model_type") in _STATE_ONLY:
        heads = heads or 1
    if not layers or not hidden or not heads:
        return None
    fields: dict[str, object] = {
        "model": name,
        "architectures": _names(whole, config),
        "model_type": text(config, "model_type") or text(whole, "model_type"),
        "layers": layers,
        "hidden": hidden,
        "heads": heads,
        "extra_parameters_m": tower_parameters_m(whole),
        **_attention(config, hidden, heads),
        **_size(config, whole, hidden),
        **_experts(config),
        **quantization_of(whole, config),
        **kinds_of(config, layers),
    }
    return Architecture.model_validate(fields)


def text_part(whole: Config) -> Config:
    """The part of the configuration that describes the language model."""
    for key in _NESTED:
        nested = whole.get(key)
        if isinstance(nested, dict) and (first(nested, _LAYERS) or any(inner in nested for inner in _NESTED)):
            return text_part({**_inherited(whole), **nested})
    return whole


def _inherited(whole: Config) -> dict[str, object]:
    keys = ("tie_word_embeddings", "torch_dtype", "dtype", "vocab_size")
    return {key: whole[key] for key in keys if key in whole}


def _names(whole: Config, config: Config) -> tuple[str, ...]:
    for source in (whole, config):
        names = source.get("architectures")
        if isinstance(names, list) and names:
            return tuple(str(name) for name in names)
    return ()


def _attention(config: Config, hidden: int, heads: int) -> dict[str, object]:
    rank = first(config, ("kv_lora_rank",))
    rope, nope = first(config, ("qk_rope_head_dim",)), first(config, ("qk_nope_head_dim",))
    kind = text(config, "model_type")
    kv_heads = first(config, _KV_HEADS) or (1 if config.get("multi_query") is True else heads)
    if kind == "falcon" and config.get("multi_query") is True and config.get("new_decoder_architecture") is not True:
        kv_heads = 1
    size = first(config, ("head_dim", "kv_channels", "attention_head_dim")) or hidden // heads
    return {
        "kv_heads": kv_heads,
        "head_dim": (rope or 64) + (nope or 128) if rank else size,
        "kv_lora_rank": rank,
        "rope_dim": rope if rank else None,
        "nope_dim": nope if rank else None,
        "q_lora_rank": first(config, ("q_lora_rank",)),
        "v_head_dim": first(config, ("v_head_dim",)),
        "global_head_dim": first(config, ("global_head_dim",)),
        "global_kv_heads": first(config, ("num_global_key_value_heads",)),
        "output_gate": config.get("attn_output_gate", kind.startswith(_GATED_OUTPUT)) is True,
        "attention_bias": config.get("attention_bias") is True or kind in _BIASED,
    }


def _size(config: Config, whole: Config, hidden: int) -> dict[str, object]:
    kind = text(config, "model_type")
    tied = config.get("tie_word_embeddings", whole.get("tie_word_embeddings"))
    dtype = text(config, "torch_dtype") or text(config, "dtype") or text(whole, "torch_dtype") or text(whole, "dtype")
    inner = config.get("intermediate_size")
    widest = max((value for value in inner if isinstance(value, int)), default=0) if isinstance(inner, list) else 0
    return {
        "intermediate": widest or _inner(config) or 4 * hidden,
        "vocab": first(config, _VOCAB) or 32000,
        "max_position": _length(config),
        "dtype": dtype.removeprefix("torch.") or "bfloat16",
        "tied_embeddings": bool(tied)
        if isinstance(tied, bool)
        else kind.startswith("gemma") or kind in _TIED_BY_DEFAULT,
        "gated_mlp": kind not in _UNGATED,
        "shared_kv_layers": first(config, ("num_kv_shared_layers",)) or 0,
    }


def _inner(config: Config) -> int | None:
    """Width of the feed-forward part; LFM2 states two thirds more than it has, to be rounded up to a multiple."""
    stated = first(config, _INNER)
    multiple = first(config, ("block_multiple_of",))
    if stated is None or config.get("block_auto_adjust_ff_dim") is not True or not multiple:
        return stated
    return -(-(2 * stated // 3) // multiple) * multiple


def _length(config: Config) -> int | None:
    """The derived length: `max_position_embeddings`, stretched where YaRN or linear scaling says so."""
    plain = first(config, _LENGTH)
    scaling = config.get("rope_scaling") or config.get("rope_parameters")
    if plain is None or not isinstance(scaling, dict):
        return plain
    kind, factor = scaling.get("rope_type", scaling.get("type")), scaling.get("factor")
    original = scaling.get("original_max_position_embeddings")
    if kind == "yarn" and isinstance(original, int) and isinstance(factor, int | float):
        return max(plain, int(original * factor))
    return int(plain * factor) if kind in ("linear", "dynamic") and isinstance(factor, int | float) else plain


def _experts(config: Config) -> dict[str, object]:
    experts = first(config, _EXPERTS) or 0
    if experts <= 1:
        return {}
    inner = first(config, ("moe_intermediate_size", "expert_intermediate_size")) or first(config, _INNER)
    shared = first(config, ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts")) or 0
    shared_inner = first(config, ("shared_expert_intermediate_size", "shared_intermediate_size"))
    if shared_inner and inner:
        shared = max(1, round(shared_inner / inner))
    if text(config, "model_type").startswith("llama4"):  # one shared expert beside the routed ones, never named
        shared = 1
    dense = first(config, ("first_k_dense_replace",))
    return {
        "experts": experts,
        "experts_per_token": first(config, _PER_TOKEN) or 1,
        "moe_intermediate": inner,
        "shared_experts": shared,
        "dense_layers": dense if dense is not None else _dense_layers(config),
    }


def _dense_layers(config: Config) -> int:
    """Layers without experts where a step or a list names them."""
    layers, period = first(config, _LAYERS) or 0, first(config, ("expert_layer_period",))
    if period:
        return layers - len(range(first(config, ("expert_layer_offset",)) or 0, layers, period))
    pattern = config.get("hybrid_override_pattern")
    if isinstance(pattern, str):
        return layers - pattern.count("E")
    listed = config.get("mlp_only_layers")
    step = first(config, ("decoder_sparse_step", "interleave_moe_layer_step")) or 1
    sparse = layers // step
    return layers - sparse + (len(listed) if isinstance(listed, list) else 0)
