"""The GPU counters of this machine, through NVIDIA's own binding, in the words of `nvidia-smi --query-gpu`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from copilot.errors import NothingCollected
from copilot.ports import RawText

_HINT = "Name what nvidia-smi printed on the other machine with --gpu FILE, or leave it out."
REASONS: dict[str, str] = {
    "NVMLError_LibraryNotFound": "NVIDIA's driver library is not here: no NVIDIA driver, or a machine without a GPU.",
    "NVMLError_DriverNotLoaded": "The NVIDIA driver is not loaded.",
    "NVMLError_LibRmVersionMismatch": "The NVIDIA driver and its library have different versions: a reboot is due.",
    "NVMLError_OperatingSystem": "The operating system blocks access to the GPU.",
    "NVMLError_NoPermission": "The GPU may not be read by this user.",
    "NVMLError_GpuIsLost": "The GPU has fallen off the bus: a reboot is due.",
    "NVMLError_ResetRequired": "The GPU must be reset before it can be used.",
    "NVMLError_InUse": "The GPU is in use in a way that hides its counters.",
    "NVMLError_NotFound": "No NVIDIA GPU was found.",
    "NVMLError_GpuNotFound": "No NVIDIA GPU was found.",
    "NVMLError_NotReady": "The GPU is not ready yet.",
    "NVMLError_Timeout": "The NVIDIA driver did not answer in time.",
    "NVMLError_IrqIssue": "The GPU has an interrupt problem.",
    "NVMLError_CorruptedInforom": "The GPU's information memory is damaged.",
    "NVMLError_FunctionNotFound": "The NVIDIA driver is too old for this reading.",
    "NVMLError_ArgumentVersionMismatch": "The NVIDIA driver is too old for this reading.",
    "NVMLError_Deprecated": "The NVIDIA driver does not have this reading any more.",
    "NVMLError_NotSupported": "This GPU does not offer its counters.",
    "NVMLError_NoData": "The GPU gave no data.",
    "NVMLError_Memory": "The NVIDIA driver ran out of memory.",
    "NVMLError_InsufficientPower": "The GPU has too little power: check its cables.",
    "NVMLError_InsufficientResources": "The NVIDIA driver ran out of resources.",
    "NVMLError": "The GPU counters cannot be read.",
}
"""What each of NVML's errors means; the nearest base class in the table counts."""


def reason(error: BaseException) -> str:
    """The sentence for one of NVML's errors."""
    names = [base.__name__ for base in type(error).__mro__]
    return next((REASONS[name] for name in names if name in REASONS), REASONS["NVMLError"])


class Nvml:
    """All GPUs of this machine."""

    def read(self) -> RawText:
        """CSV with a header: the GPUs, then (where they can be seen) the processes on them.

        Under WSL2 the driver gives no processes; NothingCollected with the reason where there is nothing to read.
        """
        import pynvml as nvml

        with _started(nvml):
            try:
                count = nvml.nvmlDeviceGetCount()
                handles = [nvml.nvmlDeviceGetHandleByIndex(index) for index in range(count)]
                if not handles:
                    raise NothingCollected("No NVIDIA GPU was found.", _HINT)
                lines = [*_gpu_lines(nvml, handles), *_process_lines(nvml, handles)]
            except nvml.NVMLError as error:
                raise NothingCollected(reason(error), _HINT) from error
        return "\n".join(lines) + "\n"


@contextmanager
def _started(nvml: Any) -> Iterator[None]:
    try:
        nvml.nvmlInit()
    except nvml.NVMLError as error:
        raise NothingCollected(reason(error), _HINT) from error
    try:
        yield
    finally:
        nvml.nvmlShutdown()


def _gpu_lines(nvml: Any, handles: list[Any]) -> Iterator[str]:
    yield (
        "index, name, memory.total [MiB], memory.used [MiB], memory.free [MiB], compute_cap, driver_version, "
        "cuda_version, mig.mode.current"
    )
    driver = _or_missing(nvml, nvml.nvmlSystemGetDriverVersion)
    cuda = _or_missing(nvml, lambda: _cuda(nvml.nvmlSystemGetCudaDriverVersion_v2()))
    for index, handle in enumerate(handles):
        memory = memory_of(nvml, handle)
        major, minor = nvml.nvmlDeviceGetCudaComputeCapability(handle)
        cells = (
            str(index),
            text_of(nvml.nvmlDeviceGetName(handle)),
            *(f"{value >> 20} MiB" for value in (memory.total, memory.used, memory.free)),
            f"{major}.{minor}",
            driver,
            cuda,
            _or_missing(nvml, partial(_mig, nvml, handle)),
        )
        yield ", ".join(cells)


def _mig(nvml: Any, handle: Any) -> str:
    return "Enabled" if nvml.nvmlDeviceGetMigMode(handle)[0] else "Disabled"


def memory_of(nvml: Any, handle: Any) -> Any:
    """The second version of the counters leaves the driver's own reserve out of `used`, as nvidia-smi does."""
    try:
        return nvml.nvmlDeviceGetMemoryInfo(handle, version=nvml.nvmlMemory_v2)
    except nvml.NVMLError:
        return nvml.nvmlDeviceGetMemoryInfo(handle)


def _process_lines(nvml: Any, handles: list[Any]) -> Iterator[str]:
    yield "gpu_index, pid, process_name, used_gpu_memory [MiB]"
    for index, handle in enumerate(handles):
        try:
            running = nvml.nvmlDeviceGetComputeRunningProcesses(handle)
        except nvml.NVMLError:
            continue  # not under WSL2, not with MIG, not without rights
        for process in running:
            name = _or_missing(nvml, partial(nvml.nvmlSystemGetProcessName, process.pid))
            used = "[N/A]" if process.usedGpuMemory is None else f"{process.usedGpuMemory >> 20} MiB"
            yield f"{index}, {process.pid}, {name.replace(',', ' ')}, {used}"


def _or_missing(nvml: Any, ask: Callable[[], Any]) -> str:
    try:
        return text_of(ask())
    except nvml.NVMLError:
        return "[N/A]"


def text_of(value: str | bytes) -> str:
    """Old bindings give bytes."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _cuda(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"
