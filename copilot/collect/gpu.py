"""What nvidia-smi printed, in any of its three forms, or the reason why it could not.

The problems are values, not errors: that a driver is missing is a finding about the machine.
"""

import re

from copilot.collect import gpu_csv, gpu_table, gpu_xml
from copilot.model.evidence import GpuReport

PROBLEMS: tuple[tuple[str, str], ...] = (
    ("driver mismatch", r"Driver/library version mismatch|RmVersionMismatch"),
    ("blocked by the operating system", r"GPU access blocked by the operating system"),
    ("no devices", r"No devices were found"),
    ("gpu lost", r"GPU is lost|Unable to determine the device handle|has fallen off the bus"),
    ("no driver library", r"couldn't find libnvidia-ml|NVML Shared Library Not Found|libnvidia-ml\.so.*No such file"),
    ("no driver", r"couldn't communicate with the NVIDIA driver|Driver Not Loaded|Failed to initialize NVML: N/A"),
    ("no permission", r"Insufficient Permissions"),
    ("unknown nvml error", r"Failed to initialize NVML: Unknown Error|Unknown Error"),
    ("no nvidia-smi", r"nvidia-smi.*(?:not found|not recognized|No such file)|executable file not found"),
    ("no devices", r"no adapters were found|WSL environment detected but no adapters"),
)
"""Reason, and the messages of nvidia-smi, NVML and the container toolkit that mean it; the first match counts."""
_LIMIT = 1_000_000


def read_gpus(text: str) -> GpuReport:
    """The GPUs of the text; `problem` is a word of `PROBLEMS`, `empty` or `not understood` where there are none."""
    text = text[:_LIMIT].replace("\r\n", "\n")
    if not text.strip():
        return GpuReport(problem="empty")
    if "<nvidia_smi_log" in text:
        report = gpu_xml.read(text)
    elif gpu_table.HEAD.search(text):
        report = gpu_table.read(text)
    else:
        report = gpu_csv.read(text)
    if report.gpus:
        return report
    return report.model_copy(update={"problem": _problem(text)})


def _problem(text: str) -> str:
    for reason, pattern in PROBLEMS:
        if re.search(pattern, text, re.IGNORECASE):
            return reason
    return "not understood"
