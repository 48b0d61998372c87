"""The CSV of `nvidia-smi --query-gpu=... --format=csv`, with or without header and units; our NVML adapter's too.

After the GPUs a second header with `pid` may follow (`--query-compute-apps`): the processes.
"""

import re
from collections.abc import Mapping, Sequence

from copilot.model.evidence import Gpu, GpuReport

_NAMES = {
    "gpu_name": "name",
    "memory.total": "total",
    "memory.used": "used",
    "memory.free": "free",
    "compute_cap": "capability",
    "driver_version": "driver",
    "cuda_version": "cuda",
    "compute_apps": "apps",
    "process_name": "process",
    "name": "name",
    "used_gpu_memory": "process_memory",
    "used_memory": "process_memory",
}
_FIELDS = frozenset(_NAMES) | {"index", "gpu_index", "pid", "uuid", "gpu_uuid", "timestamp", "count", "gpu_bus_id"}
_SMALLEST_CARD = 1000
"""MiB. A smaller first number is no card's memory."""
_TOTAL_USED_FREE = 3
_NUMBER = re.compile(r"(\d+)(?:\.\d+)?\s*(MiB|GiB|MB|GB)?\Z")


def read(text: str) -> GpuReport:
    """The GPUs of the text; of several rows of one GPU (a recording over time) the first."""
    header: list[str] = []
    gpus: dict[int, Gpu] = {}
    driver = cuda = None
    for number, line in enumerate(text.split("\n"), start=1):
        cells = [c.strip().strip('"') for c in line.split(",")]
        if names := _header(cells):
            header = names
        elif "pid" in header and len(cells) >= len(header):
            _add_process(gpus, dict(zip(header, cells, strict=False)))
        elif (row := _row(header, cells)) is not None:
            gpu = _gpu(row, len(gpus), number)
            if gpu is not None:
                gpus.setdefault(gpu.index, gpu)
                driver = driver or _known(row.get("driver"))
                cuda = cuda or _known(row.get("cuda"))
    return GpuReport(gpus=tuple(gpus.values()), driver=driver, cuda=cuda)


def _header(cells: Sequence[str]) -> list[str]:
    """The column names, or nothing where the line is no header."""
    names = [re.sub(r"\s*\[.*?\]", "", c).strip().lower() for c in cells]
    if not any(n in _FIELDS for n in names) or any(_NUMBER.match(n) for n in names):
        return []
    return ["index" if n == "gpu_index" else _NAMES.get(n, n) for n in names]


def _row(header: Sequence[str], cells: Sequence[str]) -> Mapping[str, str] | None:
    if header:
        if len(cells) < len(header):
            return None
        # the last column may hold commas of its own
        return dict(zip(header, [*cells[: len(header) - 1], ", ".join(cells[len(header) - 1 :])], strict=True))
    return _guessed(cells)


def _guessed(cells: Sequence[str]) -> Mapping[str, str] | None:
    """Columns without a header, told apart by their form; memories in nvidia-smi's usual order."""
    row: dict[str, str] = {}
    memories: list[str] = []
    for cell in cells:
        if re.fullmatch(r"\d{3}\.\d+(?:\.\d+)?", cell):
            row.setdefault("driver", cell)
        elif re.fullmatch(r"\d{1,2}\.\d", cell):
            row.setdefault("capability", cell)
        elif _NUMBER.match(cell) and "name" in row:
            memories.append(cell)
        elif re.search(r"[A-Za-z]{2}", cell) and "name" not in row:
            row["name"] = cell
        elif re.fullmatch(r"\d{1,2}", cell):
            row.setdefault("index", cell)
    sizes = [_mib(c) or 0 for c in memories]
    if not memories or sizes[0] < _SMALLEST_CARD:
        return None
    row["total"] = memories[0]
    if len(memories) >= _TOTAL_USED_FREE and sizes[1] + sizes[2] <= sizes[0]:
        row["used"], row["free"] = memories[1:_TOTAL_USED_FREE]
    return row


def _gpu(row: Mapping[str, str], position: int, line: int) -> Gpu | None:
    total = _mib(row.get("total"))
    if total is None:
        return None
    index = row.get("index", "")
    capability = row.get("capability", "")
    return Gpu(
        index=int(index) if index.isdigit() else position,
        name=row.get("name", "GPU"),
        total_mib=total,
        free_mib=_mib(row.get("free")),
        used_mib=_mib(row.get("used")),
        compute_capability=capability if re.fullmatch(r"\d+\.\d+", capability) else None,
        processes=tuple(_app(a) for a in row.get("apps", "").split("|") if a.strip()),
        line=line,
    )


def _mib(cell: str | None) -> int | None:
    match = _NUMBER.match(cell or "")
    if match is None:
        return None
    return int(match[1]) * (1024 if match[2] in {"GiB", "GB"} else 1)


def _known(cell: str | None) -> str | None:
    return cell if cell and cell[0].isdigit() else None


def _app(cell: str) -> str:
    return " ".join(part.strip() for part in cell.split(","))


def _add_process(gpus: dict[int, Gpu], row: Mapping[str, str]) -> None:
    """Add a process to its GPU; without an index it can only be told where there is one GPU."""
    index = row.get("index", "")
    if not index.isdigit() and len(gpus) != 1:
        return
    gpu = gpus.get(int(index) if index.isdigit() else next(iter(gpus)))
    name = row.get("process", row.get("name", ""))
    if gpu is not None and row["pid"].isdigit():
        memory = _mib(row.get("process_memory"))
        told = f"{row['pid']} {name} {'N/A' if memory is None else f'{memory} MiB'}"
        gpus[gpu.index] = gpu.model_copy(update={"processes": (*gpu.processes, told)})
