"""The KV cache as vLLM lays it out: layers in groups of equal size, blocks of equal bytes from one pool.

Formulas: `v1/core/kv_cache_utils.py` and `v1/kv_cache_interface.py`, releases 0.8.5 to 0.33.0.
"""

from dataclasses import dataclass
from math import ceil

from copilot.ledger.plan import Plan
from copilot.ledger.shape import attention_layers
from copilot.ledger.weights import dtype_bytes, dtype_of
from copilot.model.architecture import Architecture

_BLOCK = 16
_UNEVEN = 1.5
"""Groups are as large as the larger kind of layers if that is less than this times the smaller kind."""


@dataclass(frozen=True)
class Group:
    """Layers that share one block table."""

    kind: str
    """`full`, `window` or `state`."""
    block: int
    """Tokens per block."""
    window: int = 0

    def blocks(self, length: int, batched: int) -> int:
        """Blocks that one request of `length` tokens needs."""
        if self.kind == "state":
            return 1
        if self.kind == "window":
            return ceil(min(self.window - 1 + batched, length) / self.block) + 1
        return ceil(length / self.block)


@dataclass(frozen=True)
class Layout:
    """Groups and the bytes of one block of a group."""

    groups: tuple[Group, ...]
    block_bytes: float
    """Bytes of one block over all layers of a group."""
    by_concurrency: bool = True

    def blocks(self, available: float) -> int:
        """Blocks that fit into `available` bytes."""
        return int(available // self.block_bytes) if available > 0 and self.block_bytes else 0

    def request_blocks(self, length: int, batched: int) -> int:
        """Blocks of one request of `length` tokens, over all groups."""
        return sum(group.blocks(length, batched) for group in self.groups)

    def needed(self, length: int, batched: int) -> float:
        """Bytes for one request of `length` tokens."""
        return self.request_blocks(length, batched) * self.block_bytes

    def tokens(self, available: float, length: int, batched: int) -> int:
        """What "GPU KV cache size: N tokens" says for `available` bytes."""
        blocks = self.blocks(available)
        if self.by_concurrency:
            return int(blocks / max(1, self.request_blocks(length, batched)) * length)
        return blocks // len(self.groups) * self.groups[0].block

    def longest(self, available: float, batched: int, most: int) -> int:
        """The longest request that fits, at most `most` tokens; 0 where not even one token fits."""
        low, high = 0, most
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.needed(middle, batched) <= available else (low, middle - 1)
        return low


@dataclass(frozen=True)
class _Kind:
    """Layers of one sort before grouping."""

    name: str
    layers: int
    token_bytes: float
    window: int = 0
    state: float = 0.0


def layout(architecture: Architecture, plan: Plan) -> Layout:
    """The layout of this model's cache on one GPU."""
    kinds = _kinds(architecture, plan)
    if not kinds:
        return Layout((), 0.0)
    block = plan.block_size or _BLOCK
    attention = [kind for kind in kinds if kind.token_bytes]
    page = max((kind.token_bytes for kind in attention), default=0.0) * block
    state = max((kind.state for kind in kinds), default=0.0)
    if attention and state > page:
        block = ceil(state / max(kind.token_bytes for kind in attention) / _BLOCK) * _BLOCK
        page = max(kind.token_bytes for kind in attention) * block
    page = page or state
    size = _group_size([kind.layers for kind in kinds])
    groups = tuple(
        Group(kind.name, _block_of(kind, page, block), kind.window)
        for kind in kinds
        for _ in range(ceil(kind.layers / size))
    )
    return Layout(groups, page * size, plan.release.tokens_by_concurrency)


def _block_of(kind: _Kind, page: float, block: int) -> int:
    """Layers with smaller tokens take longer blocks, so that all pages are equal."""
    return max(block, int(page // kind.token_bytes) // block * block) if kind.token_bytes else 1


def _group_size(counts: list[int]) -> int:
    smallest, largest = min(counts), max(counts)
    return largest if largest < smallest * _UNEVEN else smallest


def _kinds(architecture: Architecture, plan: Plan) -> list[_Kind]:
    stages = max(1, plan.pipeline_parallel)
    shards = max(1, plan.tensor_parallel)
    size = cache_dtype_bytes(architecture, plan)
    attention = attention_layers(architecture)
    windowed = min(architecture.sliding_layers, attention) if architecture.sliding_window else 0
    if architecture.kv_lora_rank is not None:
        latent = (architecture.kv_lora_rank + (architecture.rope_dim or 64)) * size
        return [_Kind("full", _share(attention, stages), latent)]
    narrow = 2 * max(1.0, architecture.kv_heads / shards) * architecture.head_dim * size
    heads = architecture.global_kv_heads or architecture.kv_heads
    wide = 2 * max(1.0, heads / shards) * (architecture.global_head_dim or architecture.head_dim) * size
    own = max(0, attention - architecture.shared_kv_layers) / attention if attention else 0.0
    full, slid = round((attention - windowed) * own), round(windowed * own)
    if not (plan.hybrid_cache and plan.release.hybrid_cache) and full:
        full, slid = full + slid, 0
    kinds = [
        _Kind("full", _share(full, stages), wide),
        _Kind("window", _share(slid, stages), narrow, window=architecture.sliding_window or 0),
        _Kind("state", _share(architecture.linear_layers, stages), 0.0, state=architecture.state_bytes / shards),
    ]
    return [kind for kind in kinds if kind.layers and (kind.token_bytes or kind.state)]


def cache_dtype_bytes(architecture: Architecture, plan: Plan) -> float:
    """Bytes of one cached element."""
    wanted = plan.kv_cache_dtype.lower()
    if wanted in ("auto", ""):
        return float(dtype_bytes(dtype_of(architecture, plan)))
    if wanted.startswith(("fp8", "int8")):
        return 1.0
    return 0.5 if "4" in wanted and not wanted.endswith("16") else float(dtype_bytes(wanted))


def _share(layers: int, stages: int) -> int:
    return ceil(layers / stages)
