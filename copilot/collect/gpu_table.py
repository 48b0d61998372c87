"""The table that `nvidia-smi` prints without options (drivers 384 to 58x, Linux, Windows and WSL)."""

import re
from dataclasses import dataclass, field

from copilot.model.evidence import Gpu, GpuReport

HEAD = re.compile(
    r"NVIDIA-SMI\s+(?P<smi>[\d.]+)\s+(?:Driver|KMD) Version:\s*(?P<driver>[\d.]+)"
    r"(?:.*?CUDA (?:UMD )?Version:\s*(?P<cuda>[\d.]+|N/A|ERR!))?"
)
_GPU = re.compile(r"\|\s+(?P<index>\d+)\s+(?P<name>\S.*?)\s+(?P<mode>On|Off|N/A|WDDM|TCC|MCDM)\s*\|.*[0-9A-F]{2}\.\d")
_MEMORY = re.compile(r"(?P<used>\d+)\s*MiB\s*/\s*(?P<total>\d+)\s*MiB")
_MIG = re.compile(r"\|\s+(?P<parent>\d+)\s+(?P<gi>\d+)\s+(?P<ci>\d+)\s+(?P<dev>\d+)\s*\|\s*" + _MEMORY.pattern)
_PROCESS = re.compile(
    r"\|\s+(?P<gpu>\d+)\s+(?:(?:N/A|\d+)\s+(?:N/A|\d+)\s+)?(?P<pid>\d+)\s+(?P<type>[CGM+]+)\s+(?P<name>\S.*?)\s+"
    r"(?P<memory>\d+\s*MiB|N/A|Insufficient.*?)\s*\|"
)


@dataclass
class _Row:
    """A GPU while its lines are read."""

    index: int
    name: str
    line: int
    used: int | None = None
    total: int | None = None
    processes: list[str] = field(default_factory=list)


def read(text: str) -> GpuReport:
    """The GPUs of a table. MIG slices stand for their card, because a program sees only them."""
    head = HEAD.search(text)
    rows: list[_Row] = []
    slices: list[Gpu] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _GPU.search(line):
            rows.append(_Row(int(match["index"]), match["name"], number))
        elif match := _MIG.search(line):
            slices.append(_slice(match, rows, len(slices), number))
        elif match := _PROCESS.search(line):
            _process(match, rows)
        elif rows and rows[-1].total is None and (match := _MEMORY.search(line)):
            rows[-1].used, rows[-1].total = int(match["used"]), int(match["total"])
    cuda = head["cuda"] if head else None
    return GpuReport(
        gpus=tuple(slices) or tuple(_gpu(row) for row in rows if row.total is not None),
        driver=head["driver"] if head else None,
        cuda=cuda if cuda and cuda[0].isdigit() else None,
    )


def _gpu(row: _Row) -> Gpu:
    # the table prints no free memory, and total - used is not it: the driver's reserve (0.2 to 0.6 GiB) is in neither
    return Gpu(
        index=row.index,
        name=row.name,
        total_mib=row.total or 0,
        used_mib=row.used,
        processes=tuple(row.processes),
        line=row.line,
    )


def _slice(match: re.Match[str], rows: list[_Row], index: int, line: int) -> Gpu:
    parent = next((row.name for row in rows if row.index == int(match["parent"])), "GPU")
    name = f"{parent} MIG {match['gi']}/{match['ci']}"
    return Gpu(index=index, name=name, total_mib=int(match["total"]), used_mib=int(match["used"]), line=line)


def _process(match: re.Match[str], rows: list[_Row]) -> None:
    for row in rows:
        if row.index == int(match["gpu"]):
            memory = match["memory"].replace(" ", "").replace("MiB", " MiB")
            row.processes.append(f"{match['pid']} {match['name']} {memory}")
