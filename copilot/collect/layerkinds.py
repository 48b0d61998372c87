"""Which layers of a model keep a KV cache, only a window of it, or a fixed state, and how large that state is."""

from collections.abc import Mapping

Config = Mapping[str, object]

_WINDOWED = ("sliding_attention", "sliding_window_attention", "chunked_attention", "local_attention", "sliding")
_LINEAR = ("linear_attention", "mamba", "mamba2", "recurrent", "conv", "m", "linear")
_ATTENTION_LETTER = "*"
_MAMBA_LETTER = "M"
_MLP_LETTER = "-"
_EXPERT_LETTER = "E"
_STATE_ONLY = frozenset({"mamba", "mamba2", "falcon_mamba"})
_BOTH = frozenset({"falcon_h1"})
"""Each layer has attention and a state side by side."""
_BYTES = 2
_FLOAT32 = 4
_EVERY_SECOND = 2
_EVERY_SIXTH = 6
_ALL_WINDOWED = frozenset({"mistral", "starcoder2", "mixtral", "phi3", "phimoe"})


def kinds_of(config: Config, layers: int) -> dict[str, object]:
    """Fields of Architecture: window, windowed layers, layers with a state, its bytes and parameters per layer."""
    linear = _linear_layers(config, layers)
    window = _number(config, "sliding_window") or _number(config, "sliding_window_size")
    window = window or _number(config, "attention_chunk_size")
    windowed = _windowed_layers(config, layers - linear) if window else 0
    state, size = _state(config) if linear else (0, 0.0)
    return {
        **_parts(config, layers),
        "sliding_window": window if windowed else None,
        "sliding_layers": windowed,
        "linear_layers": linear,
        "state_bytes": state,
        "linear_parameters_m": size,
    }


def _parts(config: Config, layers: int) -> dict[str, object]:
    """Layers with attention and with a feed-forward part, where a layer is not one of each."""
    pattern = config.get("hybrid_override_pattern")
    if isinstance(pattern, str):
        feed = pattern.count(_MLP_LETTER) + pattern.count(_EXPERT_LETTER)
        return {"attention_layers": pattern.count(_ATTENTION_LETTER), "mlp_layers": feed}
    kind = config.get("model_type")
    if kind in _BOTH:
        return {"attention_layers": layers}
    return {"mlp_layers": 0} if kind in _STATE_ONLY else {}


def _types(config: Config) -> list[str] | None:
    for key in ("layer_types", "layers_block_type", "block_types", "attention_types", "hybrid_override_pattern"):
        value = config.get(key)
        if isinstance(value, str) and key == "hybrid_override_pattern":
            return list(value)
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return [str(item) for item in value]
    return None


def _linear_layers(config: Config, layers: int) -> int:
    if config.get("model_type") in _STATE_ONLY | _BOTH:
        return layers
    types = _types(config)
    if types and len(types) <= layers:
        if set(types) <= set("M*-E"):
            return types.count(_MAMBA_LETTER)
        found = sum(1 for item in types if item in _LINEAR)
        return found * layers // len(types)
    every = _number(config, "full_attention_interval")
    if every and _number(config, "linear_num_value_heads"):
        return layers - layers // every
    period = _number(config, "attn_layer_period")
    if period:
        first = _number(config, "attn_layer_offset") or 0
        return layers - len(range(first, layers, period))
    return 0


def _windowed_layers(config: Config, layers: int) -> int:
    if config.get("use_sliding_window") is False:
        return 0
    types = _types(config)
    if types:
        return sum(1 for item in types if item in _WINDOWED)
    rotary = config.get("no_rope_layers")
    if isinstance(rotary, list) and _number(config, "attention_chunk_size"):
        return sum(1 for item in rotary if item)  # layers with rotary positions attend within their chunk only
    pattern = _number(config, "sliding_window_pattern") or _number(config, "_sliding_window_pattern")
    kind = str(config.get("model_type", ""))
    pattern = pattern or (_EVERY_SIXTH if kind.startswith("gemma3") else _EVERY_SECOND if kind == "gemma2" else None)
    if pattern and pattern > 1:
        return layers - layers // pattern
    first = _number(config, "max_window_layers")
    if config.get("use_sliding_window") is True and first is not None:
        return max(0, layers - first)
    return layers if kind in _ALL_WINDOWED else 0


def _state(config: Config) -> tuple[int, float]:
    """Bytes of the state of one request and parameters (millions) of one such layer."""
    hidden = _number(config, "hidden_size") or 0
    values = _number(config, "linear_num_value_heads")
    if values:
        return _gated_delta(config, hidden, values)
    if cached := _number(config, "conv_L_cache"):
        return hidden * (cached - 1) * _BYTES, 4 * hidden * hidden / 1e6
    heads = _number(config, "mamba_num_heads") or _number(config, "mamba_n_heads")
    inner = _number(config, "mamba_d_ssm") or hidden * (
        _number(config, "mamba_expand") or _number(config, "expand") or 2
    )
    size = _first(config, ("ssm_state_size", "mamba_d_state", "state_size")) or 16
    kernel = _number(config, "conv_kernel") or _number(config, "mamba_d_conv") or 4
    groups = _number(config, "n_groups") or _number(config, "mamba_n_groups") or 0
    if heads:
        inner = heads * (_number(config, "mamba_head_dim") or _number(config, "mamba_d_head") or 64)
    conv = (inner + 2 * groups * size) * (kernel - 1) * _BYTES
    mixer = hidden * (2 * inner + 2 * groups * size + (heads or 0)) + inner * hidden
    if not heads:  # Mamba 1 projects its step sizes through a narrow matrix
        narrow = _first(config, ("mamba_dt_rank", "time_step_rank")) or -(-hidden // 16)
        mixer += inner * (2 * narrow + 2 * size)
    return conv + inner * size * _BYTES, mixer / 1e6


def _gated_delta(config: Config, hidden: int, values: int) -> tuple[int, float]:
    keys = _number(config, "linear_num_key_heads") or values
    key_dim = keys * (_number(config, "linear_key_head_dim") or 128)
    head = _number(config, "linear_value_head_dim") or 128
    value_dim = values * head
    kernel = _number(config, "linear_conv_kernel_dim") or 4
    conv = (2 * key_dim + value_dim) * (kernel - 1) * _BYTES
    wide = _FLOAT32 if config.get("mamba_ssm_dtype") == "float32" else _BYTES
    state = values * (_number(config, "linear_key_head_dim") or 128) * head * wide
    return conv + state, hidden * (2 * key_dim + 2 * value_dim + 2 * values + value_dim) / 1e6


def _first(config: Config, keys: tuple[str, ...]) -> int | None:
    return next((found for key in keys if (found := _number(config, key)) is not None), None)


def _number(config: Config, key: str) -> int | None:
    value = config.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
