"""Named functions that compute what to try, for the `compute` key of signature files."""

from copilot.signatures.proposers.choices import nearest_choice, without_prefix
from copilot.signatures.proposers.computed import Computed, Proposer
from copilot.signatures.proposers.memory import largest_model_len, utilization_that_fits
from copilot.signatures.proposers.numbers import free_port, halved, tensor_parallel
from copilot.signatures.proposers.removed import removed_flag

COMPUTE: dict[str, Proposer] = {
    "free_port": free_port,
    "halved": halved,
    "largest_model_len": largest_model_len,
    "nearest_choice": nearest_choice,
    "removed_flag": removed_flag,
    "tensor_parallel": tensor_parallel,
    "utilization_that_fits": utilization_that_fits,
    "without_prefix": without_prefix,
}

__all__ = ["COMPUTE", "Computed", "Proposer"]
