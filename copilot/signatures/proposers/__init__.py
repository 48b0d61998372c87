"""Named functions that compute what to try, for the `compute` key of signature files."""

from copilot.signatures.proposers.choices import nearest_choice, placeholder, without_prefix
from copilot.signatures.proposers.computed import Computed, Proposer
from copilot.signatures.proposers.memory import (
    largest_model_len,
    lowered_utilization,
    percent,
    raised_utilization,
    share_of_free,
    utilization_that_fits,
)
from copilot.signatures.proposers.numbers import (
    doubled,
    free_port,
    halved,
    host_ip,
    interface,
    power_of_two,
    shm_size,
    tensor_parallel,
    whole_number,
)
from copilot.signatures.proposers.ports import free_address, free_port_mapping
from copilot.signatures.proposers.removed import removed_flag
from copilot.signatures.proposers.room import room_left
from copilot.signatures.proposers.sizes import doubled_size, plain_bytes
from copilot.signatures.proposers.values import (
    as_json,
    instruct_model,
    leading_number,
    lora_rank,
    multimodal_limit,
    plain_number,
    speculative,
    tool_parser,
)

COMPUTE: dict[str, Proposer] = {
    "as_json": as_json,
    "doubled": doubled,
    "doubled_size": doubled_size,
    "free_address": free_address,
    "free_port": free_port,
    "free_port_mapping": free_port_mapping,
    "halved": halved,
    "host_ip": host_ip,
    "instruct_model": instruct_model,
    "interface": interface,
    "largest_model_len": largest_model_len,
    "leading_number": leading_number,
    "lora_rank": lora_rank,
    "lowered_utilization": lowered_utilization,
    "multimodal_limit": multimodal_limit,
    "nearest_choice": nearest_choice,
    "percent": percent,
    "placeholder": placeholder,
    "plain_bytes": plain_bytes,
    "plain_number": plain_number,
    "power_of_two": power_of_two,
    "raised_utilization": raised_utilization,
    "removed_flag": removed_flag,
    "room_left": room_left,
    "share_of_free": share_of_free,
    "shm_size": shm_size,
    "speculative": speculative,
    "tensor_parallel": tensor_parallel,
    "tool_parser": tool_parser,
    "utilization_that_fits": utilization_that_fits,
    "whole_number": whole_number,
    "without_prefix": without_prefix,
}

__all__ = ["COMPUTE", "Computed", "Proposer"]
