"""Who holds the memory that the start did not find: another program, the last start's remains, or nobody known."""

from typing import Literal

from copilot.model.evidence import Gpu, GpuReport
from copilot.model.ledger import Readings

Holder = Literal["tenant", "race", "unknown", "none"]

_MINE = 0.75
"""GiB that the engine's own CUDA context and the driver's reserve may take of an empty card."""
_APART = 0.5
"""GiB by which two readings of the same figure must differ before that is worth a word."""
_RESERVE = 0.05
"""Share of a card that the driver may keep: nvidia-smi's total is that much above CUDA's."""


def gpu_of(readings: Readings, gpu: GpuReport | None) -> Gpu | None:
    """The GPU that the log speaks of: the one whose size is nearest to the total it states, else the first."""
    if gpu is None or not gpu.gpus:
        return None
    total = readings.values.get("total", readings.values.get("oom_total"))
    if total is None:
        return gpu.gpus[0]
    return min(gpu.gpus, key=lambda card: abs(card.total_mib / 1024 - total))


def holder_of(readings: Readings, gpu: GpuReport | None) -> Holder:
    """Who held memory at the start, as far as the counters read later can tell."""
    total, free = readings.values.get("total"), readings.values.get("free")
    if total is None or free is None or total - free <= _MINE:
        return "none"
    now = gpu_of(readings, gpu)
    if now is None:
        return "unknown"
    if now.free_mib is not None and now.free_mib / 1024 - free > _APART:
        return "race"
    if now.processes or (now.used_mib or 0) / 1024 > _MINE:
        return "tenant"
    return "unknown"


def conflicts_of(readings: Readings, gpu: GpuReport | None) -> tuple[str, ...]:
    """Where the log and the counters contradict each other; both figures are shown, none is averaged."""
    card = gpu_of(readings, gpu)
    if card is None:
        return ()
    found = []
    total, free = readings.values.get("total"), readings.values.get("free")
    if total is not None and abs(card.total_mib / 1024 - total) > max(_APART, _RESERVE * total):
        found.append(f"total: the log says {total:.2f} GiB, the GPU reading {card.total_mib / 1024:.2f} GiB")
    if free is not None and card.free_mib is not None and abs(card.free_mib / 1024 - free) > _APART:
        found.append(f"free: {free:.2f} GiB at the start (log), {card.free_mib / 1024:.2f} GiB in the GPU reading")
    return tuple(found)
