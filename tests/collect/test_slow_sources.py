"""Sources are asked at the same time; one that does not answer is left out and named."""

import threading
import time
from dataclasses import dataclass, field, replace

from collect.test_collect_folder import container, log_of, machine
from copilot.model.request import Sources
from copilot.ports import MemoryGpus
from copilot.workflow import raw
from copilot.workflow.state import Ports


@dataclass
class Slow(MemoryGpus):
    """Answers when it is let go."""

    text: str = "index, name, memory.total [MiB]\n0, NVIDIA T4, 15360 MiB\n"
    gate: threading.Event = field(default_factory=threading.Event)

    def read(self) -> str:
        self.gate.wait(30)
        return self.text


def test_a_source_that_does_not_answer_is_named(ports: Ports) -> None:
    slow = Slow()
    here = replace(machine(ports, container(log_of("wsl2-pinned-memory")), {}), gpus=slow)
    start = time.monotonic()
    bundle = raw.collect(here, Sources())
    took = time.monotonic() - start
    slow.gate.set()
    assert raw.DEADLINE - 1 < took < raw.DEADLINE + 6
    assert [text.source for text in bundle.texts] == ["log", "inspect"]
    assert any(reason.startswith("the gpu did not answer") for reason in bundle.left_out)


def test_all_are_asked_at_once(ports: Ports) -> None:
    """Each waits for the other: asked one after the other, none would ever answer."""
    both = threading.Barrier(2, timeout=5)

    class Meets(MemoryGpus):
        def read(self) -> str:
            both.wait()
            return "index, name, memory.total [MiB]\n0, NVIDIA T4, 15360 MiB\n"

    class HostMeets:
        def read(self) -> str:
            both.wait()
            return "{}"

    here = replace(machine(ports, container("x\n"), {}), gpus=Meets(), host=HostMeets())
    assert "gpu" in [text.source for text in raw.collect(here, Sources()).texts]
