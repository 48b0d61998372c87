"""Bits per weight of quantised checkpoints, and which matrices each method touches."""

from dataclasses import dataclass

from copilot.ledger.shape import Part

_LINEAR: tuple[Part, ...] = ("attention", "mlp", "experts")
_EVERYTHING: tuple[Part, ...] = ("attention", "mlp", "experts", "embedding", "head")


@dataclass(frozen=True)
class Format:
    """How a quantised weight is stored."""

    name: str
    bits: float
    """Per weight, scales and zero points included."""
    parts: tuple[Part, ...] = _LINEAR


_METHODS: dict[str, Format] = {
    "fp8": Format("fp8", 8.02),
    "fbgemm_fp8": Format("fbgemm_fp8", 8.02),
    "ptpc_fp8": Format("ptpc_fp8", 8.02),
    "modelopt": Format("modelopt", 8.02),
    "modelopt_fp4": Format("modelopt_fp4", 4.5),
    "nvfp4": Format("nvfp4", 4.5),
    "mxfp4": Format("mxfp4", 4.25, ("experts",)),
    "gpt_oss_mxfp4": Format("gpt_oss_mxfp4", 4.25, ("experts",)),
    "mxfp8": Format("mxfp8", 8.25),
    "bitsandbytes": Format("bitsandbytes", 4.5),
    "hqq": Format("hqq", 4.5),
    "experts_int8": Format("experts_int8", 8.02, ("experts",)),
}

_GGUF_BITS: dict[str, float] = {
    "F32": 32.0,
    "F16": 16.0,
    "BF16": 16.0,
    "Q8_0": 8.5,
    "Q6_K": 6.56,
    "Q5_K_M": 5.68,
    "Q5_K_S": 5.52,
    "Q5_1": 6.0,
    "Q5_0": 5.5,
    "Q4_K_M": 4.85,
    "Q4_K_S": 4.58,
    "Q4_1": 5.0,
    "Q4_0": 4.55,
    "IQ4_NL": 4.5,
    "IQ4_XS": 4.25,
    "Q3_K_L": 4.27,
    "Q3_K_M": 3.91,
    "Q3_K_S": 3.5,
    "IQ3_M": 3.66,
    "IQ3_XXS": 3.06,
    "Q2_K": 3.35,
    "IQ2_M": 2.7,
    "IQ2_XS": 2.31,
    "IQ1_M": 1.75,
    "MXFP4": 4.25,
}
"""Bits per weight over the whole file, as llama.cpp prints them for a Llama model (BPW)."""


def gguf_bits(tag: str) -> float | None:
    """Bits per weight of a GGUF quantisation (`q4_K_M`, `Q8_0`); None for an unknown name."""
    return _GGUF_BITS.get(tag.upper().replace("-", "_"))


def format_of(method: str | None, bits: int | None, group: int | None) -> Format | None:
    """The format of a quantisation method; None for none. Unknown methods count by `bits`, or 4 bits with scales."""
    if method is None or method.lower() in ("", "none", "auto"):
        return None
    name = method.lower().replace("-", "_")
    known = _METHODS.get(name)
    if known is not None and not (bits and name in ("bitsandbytes", "modelopt")):
        return known
    if name == "gguf" or gguf_bits(name) is not None:
        return Format(name, gguf_bits(name) or _GGUF_BITS["Q4_K_M"], _EVERYTHING)
    width = bits or (8 if "8" in name else 4)
    size = group if group and group > 0 else 128
    scales = 20 / size if width < 8 else 16 / max(size, 128)  # noqa: PLR2004 - 8-bit methods keep no zero points
    return Format(name, width + scales)
