"""What a vLLM release decides about memory: defaults by card, what the budget counts, which runner runs.

Read in the engine's own sources (`engine/arg_utils.py`, `v1/worker/gpu_worker.py`, `v1/core/kv_cache_utils.py`,
`v1/sample/ops/topk_topp_sampler.py`) of the releases from 0.8.5 to 0.33.0.
"""

import re
from dataclasses import dataclass

from copilot.model.architecture import Architecture

NEWEST = (0, 33, 0)
"""The last release whose sources were read; an unknown version counts as this one."""

_V2_DENSE = {
    (0, 22, 0): {"Qwen3ForCausalLM"},
    (0, 23, 0): {"Qwen3ForCausalLM", "LlamaForCausalLM", "MistralForCausalLM"},
}
_V2_MOE = {"DeepseekV2ForCausalLM", "Qwen2MoeForCausalLM", "GraniteMoeForCausalLM"}


@dataclass(frozen=True, order=True)
class Release:
    """A released version, ordered."""

    number: tuple[int, ...]
    known: bool = True

    @classmethod
    def parse(cls, version: str | None) -> "Release":
        """`0.11.0`, `v0.25.0.post1`, `0.20.1rc1+cu130`; without digits the newest release, marked unknown."""
        match = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?(?:\.(\d+))?", version or "")
        if match is None:
            return cls(NEWEST, known=False)
        return cls(tuple(int(part) for part in match.groups() if part is not None))

    def since(self, *number: int) -> bool:
        """Whether this release is that one or later."""
        return self.number >= number

    @property
    def utilization(self) -> float:
        """The default of --gpu-memory-utilization."""
        return 0.92 if self.since(0, 20, 0) else 0.9

    @property
    def checks_free_memory(self) -> bool:
        """Whether the start compares free memory with the share asked for."""
        return self.since(0, 9, 1)

    @property
    def hybrid_cache(self) -> bool:
        """Whether layers with a window keep only the window."""
        return self.since(0, 9, 1)

    @property
    def tokens_by_concurrency(self) -> bool:
        """Whether "GPU KV cache size: N tokens" means concurrency times length (before: blocks over groups)."""
        return self.since(0, 24, 0)

    @property
    def sorts_logits(self) -> bool:
        """Whether the V1 runner's sampler sorts the whole vocabulary while memory is profiled."""
        return not self.since(0, 18, 0)

    def batched_tokens(self, total_gib: float, card: str) -> int:
        """The default of --max-num-batched-tokens for a server."""
        if total_gib >= 160 and self.since(0, 28, 0):  # noqa: PLR2004 - the engine's own limit
            return 16384
        return 8192 if self._large(total_gib, card) else 2048

    def sequences(self, total_gib: float, card: str) -> int:
        """The default of --max-num-seqs for a server."""
        return 1024 if self._large(total_gib, card) else 256

    def _large(self, total_gib: float, card: str) -> bool:
        spared = self.since(0, 9, 0) and "a100" in card.lower()
        return self.since(0, 8, 3) and total_gib >= 70 and not spared  # noqa: PLR2004 - the engine's own limit

    def v2_runner(self, architecture: Architecture, quantized: bool) -> bool:
        """Whether the V2 model runner runs this model unless a variable says otherwise."""
        names = set(architecture.architectures)
        if self.since(0, 29, 0):
            return True
        if self.since(0, 25, 0):
            return not architecture.linear_layers and (not architecture.experts or bool(names & _V2_MOE))
        if quantized or not self.since(0, 22, 0):
            return False
        dense = {name for since, family in _V2_DENSE.items() if self.since(*since) for name in family}
        return bool(names & (dense | (_V2_MOE if self.since(0, 24, 0) else set())))

    def counts_graphs(self, v2: bool) -> bool:
        """Whether CUDA graphs are estimated and taken out of the share before the KV cache gets its part."""
        return self.since(0, 29, 0) if v2 else self.since(0, 20, 0)
