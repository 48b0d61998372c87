"""The numbers of a model that decide its memory, as its config.json names them."""

from copilot.model.text import Frozen


class Architecture(Frozen):
    """A decoder's shape. Sizes in elements, not bytes."""

    model: str
    """Repository id or directory name."""
    architectures: tuple[str, ...] = ()
    model_type: str = ""
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocab: int
    max_position: int | None = None
    dtype: str = "bfloat16"
    tied_embeddings: bool = False
    sliding_window: int | None = None
    sliding_layers: int = 0
    """How many of `layers` are limited to the window."""
    linear_layers: int = 0
    """Layers with a fixed state instead of a KV cache (mamba, linear attention)."""
    kv_lora_rank: int | None = None
    """Set for multi-head latent attention (MLA)."""
    rope_dim: int | None = None
    q_lora_rank: int | None = None
    v_head_dim: int | None = None
    experts: int = 0
    experts_per_token: int = 0
    moe_intermediate: int | None = None
    shared_experts: int = 0
    dense_layers: int = 0
    """Leading layers without experts in a mixture-of-experts model."""
    quantization: str | None = None
    """quant_method of the checkpoint."""
    bits: int | None = None
    group_size: int | None = None
    parameters_m: float | None = None
    """Parameters in millions where published; else computed."""
    weight_bytes: int | None = None
    """Bytes of the weight files where they could be seen."""
    attention_bias: bool = False
    origin: str = "config"
    """`config` (a config.json was read) or `table` (the shipped table of common models)."""
