"""How a checkpoint is quantised, as its config.json says."""

from copilot.collect.fields import Config, first, text


def quantization_of(whole: Config, config: Config) -> dict[str, object]:
    """Method, bits and group size; empty for a checkpoint that is not quantised."""
    found = whole.get("quantization_config") or config.get("quantization_config") or whole.get("compression_config")
    if not isinstance(found, dict):
        return {}
    method = text(found, "quant_method") or text(found, "quantization") or None
    bits = first(found, ("bits", "w_bit", "wbits"))
    group = first(found, ("group_size", "q_group_size"))
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
    return first(_scheme(found), ("num_bits",))


def _scheme_group(found: Config) -> int | None:
    return first(_scheme(found), ("group_size",))
