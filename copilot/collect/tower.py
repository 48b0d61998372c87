"""Parameters outside the decoder: vision and audio towers, and learned position tables."""

from collections.abc import Mapping

Config = Mapping[str, object]

_TOWERS = ("vision_config", "audio_config", "vision_tower_config", "visual")


def tower_parameters_m(whole: Config) -> float:
    """Millions of parameters of all towers, from their own sections; 0 for a text model."""
    towers = [section for key in _TOWERS if isinstance(section := whole.get(key), dict)]
    return round(sum(_tower(section) for section in towers) + _positions(whole), 2)


def _tower(section: Config) -> float:
    hidden = _first(section, ("hidden_size", "embed_dim", "d_model", "width"))
    layers = _first(section, ("num_hidden_layers", "depth", "encoder_layers", "layers"))
    inner = _first(section, ("intermediate_size", "encoder_ffn_dim")) or 4 * hidden
    gated = 3 if section.get("hidden_act") == "silu" else 2
    merger = _first(section, ("out_hidden_size",)) * hidden * 4
    return (layers * (4 * hidden * hidden + gated * hidden * inner) + merger) / 1e6


def _positions(whole: Config) -> float:
    """The learned position table of OPT and GPT-2."""
    if whole.get("model_type") not in ("opt", "gpt2"):
        return 0.0
    length = _first(whole, ("max_position_embeddings", "n_positions"))
    return length * _first(whole, ("hidden_size", "n_embd")) / 1e6


def _first(section: Config, keys: tuple[str, ...]) -> int:
    for key in keys:
        value = section.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return 0
