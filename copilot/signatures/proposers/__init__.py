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

COMPUTE: dict[str, Proposer] = {
    "doubled": doubled,
    "doubled_size": doubled_size,
    "free_address": free_address,
    "free_port": free_port,
    "free_port_mapping": free_port_mapping,
    "halved": halved,
    "host_ip": host_ip,
    "interface": interface,
    "largest_model_len": largest_model_len,
    "lowered_utilization": lowered_utilization,
    "nearest_choice": nearest_choice,
    "percent": percent,
    "placeholder": placeholder,
    "plain_bytes": plain_bytes,
    "power_of_two": power_of_two,
    "raised_utilization": raised_utilization,
    "removed_flag": removed_flag,
    "room_left": room_left,
    "share_of_free": share_of_free,
    "shm_size": shm_size,
    "tensor_parallel": tensor_parallel,
    "utilization_that_fits": utilization_that_fits,
    "whole_number": whole_number,
    "without_prefix": without_prefix,
}

__all__ = ["COMPUTE", "Computed", "Proposer"]
