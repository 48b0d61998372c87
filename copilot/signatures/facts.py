"""What signatures may ask about one evidence: its texts, its settings, and single facts by name."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from copilot.model.evidence import ContainerFacts, Evidence, Gpu, Setting
from copilot.model.ledger import Ledger
from copilot.model.log import Log
from copilot.model.words import SourceName

if TYPE_CHECKING:
    from copilot.engines import EngineFacts


@dataclass(frozen=True)
class Facts:
    """One evidence after reading. All texts are redacted."""

    evidence: Evidence
    log: Log
    engine: "EngineFacts"
    ledger: Ledger | None = None

    def settings(self, parameter: str, source: SourceName | None = None) -> tuple[Setting, ...]:
        """Every place that sets the parameter, the one that the failed start had first; of one source if named."""
        order: tuple[SourceName, ...] = ("log", "inspect", "compose", "command")
        known = (*self.evidence.service.settings, *self.engine.settings)
        found = [s for s in known if s.parameter == parameter and s.source in order]
        found = [s for s in found if source is None or s.source == source]
        found.reverse()  # of one source the last one counts first
        return tuple(sorted(found, key=lambda s: order.index(s.source)))

    def setting(self, parameter: str, source: SourceName | None = None) -> Setting | None:
        """The setting that counted at the failed start, or None where nothing sets it."""
        found = self.settings(parameter, source)
        return found[0] if found else None

    def value(self, name: str) -> str | None:
        """A fact by its name in signature files, as text: numbers in decimal, `yes`/`no`; None if unknown."""
        found = READERS[name](self)
        if isinstance(found, bool):
            return "yes" if found else "no"
        return None if found is None or found == "" else str(found)

    @property
    def gpus(self) -> tuple[Gpu, ...]:
        """The cards that a reading showed."""
        return self.evidence.gpu.gpus if self.evidence.gpu else ()


Scalar = str | int | float | bool | None


def _of_container(field: str) -> Callable[[Facts], Scalar]:
    def read(facts: Facts) -> Scalar:
        container: ContainerFacts | None = facts.evidence.container
        return getattr(container, field) if container else None

    return read


def _of_gpus(field: str) -> Callable[[Facts], Scalar]:
    """The lowest value of all cards: the weakest one decides whether a start can work."""

    def read(facts: Facts) -> Scalar:
        known = [getattr(gpu, field) for gpu in facts.gpus if getattr(gpu, field) is not None]
        return min(known, key=_number) if known else None

    return read


def _number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return 0.0


def _wsl(facts: Facts) -> Scalar:
    if facts.engine.wsl is not None:
        return facts.engine.wsl
    system = facts.evidence.host.system
    return None if system is None else system == "wsl2"


def _requests_fine(facts: Facts) -> Scalar:
    """The server answers, and no request was shown that it refused: what it refused else is nobody's question."""
    shown = facts.evidence.text("request")
    return facts.engine.healthy and (shown is None or _REFUSED.search(shown.text) is None)


def _engine_exception(facts: Facts) -> Scalar:
    """Some process says in an exception of its own why it ended: then a wrapper is not the only evidence."""
    if not facts.log.boots:
        return False
    return any(_EXCEPTION.match(line.message) for line in facts.log.of_boot(facts.log.boots[-1].index))


def _boot_phase(facts: Facts) -> Scalar:
    return facts.log.boots[-1].phase if facts.log.boots else None


_REFUSED = re.compile(r"HTTP/1\.1 [45]\d\d|\"error\"|Error code: [45]\d\d")
_EXCEPTION = re.compile(
    r"\s*(?!RuntimeError: (?:Engine core init|Engine process|cancelled|Worker)|Exception: WorkerProc|KeyboardInterrupt)"
    r"(?!(?:[\w.]+\.)?(?:EngineDeadError|EngineGenerateError|CancelledError|SystemExit)\b)"
    r"(?:[A-Za-z_]\w*\.){0,8}[A-Z]\w*(?:Error|Exception)\b(?::|$)"
)

READERS: dict[str, Callable[[Facts], Scalar]] = {
    "exit_code": _of_container("exit_code"),
    "oom_killed": _of_container("oom_killed"),
    "status": _of_container("status"),
    "state_error": _of_container("error"),
    "restart_count": _of_container("restart_count"),
    "restart_policy": _of_container("restart_policy"),
    "shm_size": _of_container("shm_size"),
    "ipc_mode": _of_container("ipc_mode"),
    "memory_limit": _of_container("memory_limit"),
    "user": _of_container("user"),
    "runtime": _of_container("runtime"),
    "network_mode": _of_container("network_mode"),
    "health": _of_container("health"),
    "gpu_requested": _of_container("gpu_requested"),
    "compute_capability": lambda f: f.engine.capability or _of_gpus("compute_capability")(f),
    "free_mib": _of_gpus("free_mib"),
    "total_mib": _of_gpus("total_mib"),
    "gpu_name": lambda f: f.engine.gpu_name or (f.gpus[0].name if f.gpus else None),
    "gpu_count": lambda f: len(f.gpus) or None,
    "driver": lambda f: f.evidence.gpu.driver if f.evidence.gpu else None,
    "cuda": lambda f: f.evidence.gpu.cuda if f.evidence.gpu else None,
    "gpu_problem": lambda f: f.evidence.gpu.problem if f.evidence.gpu else None,
    "wsl": _wsl,
    "system": lambda f: f.evidence.host.system,
    "docker_os": lambda f: f.evidence.host.docker_os,
    "memory_gib": lambda f: f.evidence.host.memory_gib,
    "memory_free_gib": lambda f: f.evidence.host.memory_free_gib,
    "disk_free_gib": lambda f: f.evidence.host.disk_free_gib,
    "events": lambda f: "\n".join(f.evidence.host.events) or None,
    "engine": lambda f: f.engine.name,
    "version": lambda f: f.engine.version,
    "model": lambda f: f.engine.model,
    "image": lambda f: f.evidence.image or f.evidence.service.image,
    "requests_fine": _requests_fine,
    "engine_exception": _engine_exception,
    "healthy": lambda f: f.engine.healthy,
    "failed": lambda f: f.engine.failed,
    "phase": _boot_phase,
    "ready": lambda f: f.log.boots[-1].ready if f.log.boots else None,
    "boots": lambda f: len(f.log.boots),
    "log_lines": lambda f: len(f.log.lines),
    "inspected": lambda f: f.evidence.container is not None,
}
"""Fact name -> how it is read. Capabilities are numbers such as 7.5, sizes of Docker are bytes."""
