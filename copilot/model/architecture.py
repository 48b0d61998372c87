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
    state_bytes: int = 0
    """Bytes of that state, per request and layer, before tensor parallelism."""
    linear_parameters_m: float = 0.0
    """Parameters of one such layer's mixer, in millions."""
    attention_layers: int | None = None
    """Layers with attention; None: all without a state (Falcon-H1: each has both, Nemotron-H: some neither)."""
    mlp_layers: int | None = None
    """Layers with a dense feed-forward part or experts; None: all."""
    output_gate: bool = False
    """Attention's output is gated by a second query projection (Qwen3-Next and later)."""
    global_kv_heads: int | None = None
    """KV heads of the layers without a window, where they differ (Gemma 4)."""
    global_head_dim: int | None = None
    """Head size of the layers without a window, where it differs (Gemma 4)."""
    shared_kv_layers: int = 0
    """Last layers that read another layer's KV cache instead of their own (Gemma 3n, Gemma 4)."""
    gated_mlp: bool = True
    """Gate and up projection (SwiGLU and relatives); False: one up projection (OPT, Falcon, StarCoder 2)."""
    kv_lora_rank: int | None = None
    """Set for multi-head latent attention (MLA)."""
    rope_dim: int | None = None
    q_lora_rank: int | None = None
    nope_dim: int | None = None
    """MLA: the part of a key head without rotary embedding."""
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
    extra_parameters_m: float = 0.0
    """Parameters outside the decoder, in millions: vision tower, projector, learned positions."""
    origin: str = "config"
    """`config` (a config.json was read) or `table` (the shipped table of common models)."""
