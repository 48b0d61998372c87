"""`nvidia-smi -q -x`. Read with expat itself: it gives line numbers, and entity declarations are refused."""

import contextlib
import re
from dataclasses import dataclass, field
from xml.parsers import expat

from copilot.model.evidence import Gpu, GpuReport


@dataclass
class _Element:
    """One element; enough of a tree for this document."""

    name: str
    line: int
    text: str = ""
    children: list["_Element"] = field(default_factory=list)

    def find(self, *path: str) -> str | None:
        """The text at a path, None where it is missing or `N/A`."""
        node = self
        for name in path:
            found = next((c for c in node.children if c.name == name), None)
            if found is None:
                return None
            node = found
        text = node.text.strip()
        return None if not text or text.startswith(("N/A", "[")) else text

    def all(self, *path: str) -> list["_Element"]:
        """The elements at a path."""
        nodes = [self]
        for name in path:
            nodes = [c for node in nodes for c in node.children if c.name == name]
        return nodes


def read(text: str) -> GpuReport:
    """The GPUs of the document; none where it is cut off before the first or is not well-formed."""
    start = text.index("<nvidia_smi_log")
    root = _Element("", 0)
    stack = [root]
    parser = expat.ParserCreate()
    before = text.count("\n", 0, start)

    def opened(name: str, _attributes: dict[str, str]) -> None:
        element = _Element(name, parser.CurrentLineNumber + before)
        stack[-1].children.append(element)
        stack.append(element)

    def closed(_name: str) -> None:
        stack.pop()

    def characters(data: str) -> None:
        stack[-1].text += data

    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    parser.CharacterDataHandler = characters
    # cut off or followed by other text: what was read so far counts
    with contextlib.suppress(expat.ExpatError):
        # the document type before the root is left out, and with it every entity declaration
        parser.Parse(text[start:], True)  # noqa: FBT003 - expat takes it by position only
    log = next((c for c in root.children if c.name == "nvidia_smi_log"), root)
    return GpuReport(gpus=_gpus(log), driver=log.find("driver_version"), cuda=log.find("cuda_version"))


def _gpus(log: _Element) -> tuple[Gpu, ...]:
    found: list[Gpu] = []
    for position, element in enumerate(log.all("gpu")):
        slices = element.all("mig_devices", "mig_device")
        for one in slices or [element]:
            gpu = _gpu(one, element, len(found) if slices else position)
            if gpu is not None:
                found.append(gpu)
    return tuple(found)


def _gpu(element: _Element, card: _Element, index: int) -> Gpu | None:
    total = _mib(element.find("fb_memory_usage", "total"))
    if total is None:
        return None
    name = card.find("product_name") or "GPU"
    if element is not card:
        name += f" MIG {element.find('gpu_instance_id')}/{element.find('compute_instance_id')}"
    return Gpu(
        index=index,
        name=name,
        total_mib=total,
        free_mib=_mib(element.find("fb_memory_usage", "free")),
        used_mib=_mib(element.find("fb_memory_usage", "used")),
        compute_capability=card.find("compute_cap"),
        processes=tuple(_process(p) for p in card.all("processes", "process_info")),
        line=element.line,
    )


def _process(element: _Element) -> str:
    memory = _mib(element.find("used_memory"))
    told = "N/A" if memory is None else f"{memory} MiB"
    return f"{element.find('pid')} {element.find('process_name') or '?'} {told}"


def _mib(text: str | None) -> int | None:
    match = re.match(r"(\d+)\s*MiB", text or "")
    return int(match[1]) if match else None
