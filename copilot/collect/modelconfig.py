"""Reads a model's config.json into its shape. Field names differ by family; the meanings do not."""

import json
from collections.abc import Mapping

from copilot.collect.layerkinds import kinds_of
from copilot.collect.tower import tower_parameters_m
from copilot.model.architecture import Architecture

Config = Mapping[str, object]

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
    {"opt", "falcon", "gpt2", "gpt_neox", "gpt_bigcode", "gptj", "starcoder2", "bloom", "mpt", "phi", "nemotron"}
)
_TIED_BY_DEFAULT = frozenset({"opt", "gpt2", "gpt_bigcode", "bloom", "falcon", "mpt", "gemma", "gemma2", "cohere"})
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
    config = {**_DEFAULTS.get(_text(config, "model_type"), {}), **config}
    layers, hidden, heads = _first(config, _LAYERS), _first(config, _HIDDEN), _first(config, _HEADS)
    if not layers or not hidden or not heads:
        return None
    fields: dict[str, object] = {
        "model": name,
        "architectures": _names(whole, config),
        "model_type": _text(config, "model_type") or _text(whole, "model_type"),
        "layers": layers,
        "hidden": hidden,
        "heads": heads,
        "extra_parameters_m": tower_parameters_m(whole),
        **_attention(config, hidden, heads),
        **_size(config, whole, hidden),
        **_experts(config),
        **_quantization(whole, config),
        **kinds_of(config, layers),
    }
    return Architecture.model_validate(fields)


def text_part(whole: Config) -> Config:
    """The part of the configuration that describes the language model."""
    for key in _NESTED:
        nested = whole.get(key)
        if isinstance(nested, dict) and (_first(nested, _LAYERS) or any(inner in nested for inner in _NESTED)):
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
    rank = _first(config, ("kv_lora_rank",))
    rope, nope = _first(config, ("qk_rope_head_dim",)), _first(config, ("qk_nope_head_dim",))
    kind = _text(config, "model_type")
    kv_heads = _first(config, _KV_HEADS) or (1 if config.get("multi_query") is True else heads)
    if kind == "falcon" and config.get("multi_query") is True and config.get("new_decoder_architecture") is not True:
        kv_heads = 1
    size = _first(config, ("head_dim", "kv_channels", "attention_head_dim")) or hidden // heads
    return {
        "kv_heads": kv_heads,
        "head_dim": (rope or 64) + (nope or 128) if rank else size,
        "kv_lora_rank": rank,
        "rope_dim": rope if rank else None,
        "nope_dim": nope if rank else None,
        "q_lora_rank": _first(config, ("q_lora_rank",)),
        "v_head_dim": _first(config, ("v_head_dim",)),
        "global_head_dim": _first(config, ("global_head_dim",)),
        "global_kv_heads": _first(config, ("num_global_key_value_heads",)),
        "attention_bias": config.get("attention_bias") is True or kind in _BIASED,
    }


def _size(config: Config, whole: Config, hidden: int) -> dict[str, object]:
    kind = _text(config, "model_type")
    tied = config.get("tie_word_embeddings", whole.get("tie_word_embeddings"))
    dtype = (
        _text(config, "torch_dtype") or _text(config, "dtype") or _text(whole, "torch_dtype") or _text(whole, "dtype")
    )
    inner = config.get("intermediate_size")
    widest = max((value for value in inner if isinstance(value, int)), default=0) if isinstance(inner, list) else 0
    return {
        "intermediate": widest or _first(config, _INNER) or 4 * hidden,
        "vocab": _first(config, _VOCAB) or 32000,
        "max_position": _length(config),
        "dtype": dtype.removeprefix("torch.") or "bfloat16",
        "tied_embeddings": bool(tied)
        if isinstance(tied, bool)
        else kind.startswith("gemma") or kind in _TIED_BY_DEFAULT,
        "gated_mlp": kind not in _UNGATED,
        "shared_kv_layers": _first(config, ("num_kv_shared_layers",)) or 0,
    }


def _length(config: Config) -> int | None:
    """The derived length: `max_position_embeddings`, stretched where YaRN or linear scaling says so."""
    plain = _first(config, _LENGTH)
    scaling = config.get("rope_scaling") or config.get("rope_parameters")
    if plain is None or not isinstance(scaling, dict):
        return plain
    kind, factor = scaling.get("rope_type", scaling.get("type")), scaling.get("factor")
    original = scaling.get("original_max_position_embeddings")
    if kind == "yarn" and isinstance(original, int) and isinstance(factor, int | float):
        return max(plain, int(original * factor))
    return int(plain * factor) if kind in ("linear", "dynamic") and isinstance(factor, int | float) else plain


def _experts(config: Config) -> dict[str, object]:
    experts = _first(config, _EXPERTS) or 0
    if experts <= 1:
        return {}
    inner = _first(config, ("moe_intermediate_size", "expert_intermediate_size")) or _first(config, _INNER)
    shared = _first(config, ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts")) or 0
    shared_inner = _first(config, ("shared_expert_intermediate_size", "shared_intermediate_size"))
    if shared_inner and inner:
        shared = max(1, round(shared_inner / inner))
    dense = _first(config, ("first_k_dense_replace",))
    return {
        "experts": experts,
        "experts_per_token": _first(config, _PER_TOKEN) or 1,
        "moe_intermediate": inner,
        "shared_experts": shared,
        "dense_layers": dense if dense is not None else _dense_layers(config),
    }


def _dense_layers(config: Config) -> int:
    """Layers without experts where a step or a list names them."""
    listed = config.get("mlp_only_layers")
    step = _first(config, ("decoder_sparse_step", "interleave_moe_layer_step")) or 1
    layers = _first(config, _LAYERS) or 0
    sparse = layers // step
    return layers - sparse + (len(listed) if isinstance(listed, list) else 0)


def _quantization(whole: Config, config: Config) -> dict[str, object]:
    found = whole.get("quantization_config") or config.get("quantization_config") or whole.get("compression_config")
    if not isinstance(found, dict):
        return {}
    method = _text(found, "quant_method") or _text(found, "quantization") or None
    bits = _first(found, ("bits", "w_bit", "wbits"))
    group = _first(found, ("group_size", "q_group_size"))
    if found.get("load_in_4bit") is True or found.get("_load_in_4bit") is True:
        bits = 4
    elif found.get("load_in_8bit") is True:
        bits = 8
    return {"quantization": method, "bits": bits or _scheme_bits(found), "group_size": group or _scheme_group(found)}


def _scheme(found: Config) -> Config:
    """The weights' scheme of a compressed-tensors configuration."""
    groups = found.get("config_groups")
    for group in groups.values() if isinstance(groups, dict) else ():
        weights = group.get("weights") if isinstance(group, dict) else None
        if isinstance(weights, dict):
            return weights
    return {}


def _scheme_bits(found: Config) -> int | None:
    return _first(_scheme(found), ("num_bits",))


def _scheme_group(found: Config) -> int | None:
    return _first(_scheme(found), ("group_size",))


def _first(config: Config, keys: tuple[str, ...]) -> int | None:
    """The first of these fields that holds a whole number; a list of equal-or-not numbers counts by its largest."""
    for key in keys:
        value = config.get(key)
        if isinstance(value, list) and value and all(isinstance(item, int) for item in value):
            return int(max(value))
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def _text(config: Config, key: str) -> str:
    value = config.get(key)
    return value if isinstance(value, str) else ""
