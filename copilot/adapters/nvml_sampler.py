"""The GPUs' memory and utilisation, looked at twice a second beside the main thread, through NVIDIA's binding."""

import threading
from collections.abc import Sequence
from typing import Any, Self

from copilot.adapters.nvml import memory_of, text_of
from copilot.ports import GpuSample

INTERVAL = 0.5
"""Seconds between two looks."""


class NvmlSampler:
    """A `Sampler`; on a machine without NVML it has seen nothing."""

    def __init__(self) -> None:
        """Nothing is opened yet."""
        self._looks: list[tuple[GpuSample, ...]] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        """Take the first look, then go on in a thread."""
        import pynvml as nvml

        try:
            nvml.nvmlInit()
            handles = [nvml.nvmlDeviceGetHandleByIndex(index) for index in range(nvml.nvmlDeviceGetCount())]
            self._looks.append(_look(nvml, handles))
        except nvml.NVMLError:
            return self
        self._thread = threading.Thread(target=self._run, args=(nvml, handles), daemon=True)
        self._thread.start()
        return self

    def _run(self, nvml: Any, handles: list[Any]) -> None:
        while not self._stop.wait(INTERVAL):
            try:
                self._looks.append(_look(nvml, handles))
            except nvml.NVMLError:
                return

    def __exit__(self, *raised: object) -> None:
        """Stop looking."""
        if self._thread is not None:
            import pynvml as nvml

            self._stop.set()
            self._thread.join()
            nvml.nvmlShutdown()

    def samples(self) -> Sequence[Sequence[GpuSample]]:
        """Every look so far."""
        return tuple(self._looks)


def _look(nvml: Any, handles: list[Any]) -> tuple[GpuSample, ...]:
    return tuple(_sample(nvml, handle) for handle in handles)


def _sample(nvml: Any, handle: Any) -> GpuSample:
    memory = memory_of(nvml, handle)
    try:
        busy = float(nvml.nvmlDeviceGetUtilizationRates(handle).gpu)
    except nvml.NVMLError:
        busy = None
    return GpuSample(text_of(nvml.nvmlDeviceGetName(handle)), memory.total >> 20, memory.used >> 20, busy)
