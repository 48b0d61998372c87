"""What was collected about one start, after redaction. Nothing else is stored, shown or sent."""

from pydantic import Field

from copilot.model.architecture import Architecture
from copilot.model.text import Frozen, RedactedText
from copilot.model.words import SourceName


class SourceText(Frozen):
    """One text as the person has it, redacted. Line numbers of answers count in this text."""

    source: SourceName
    file: str
    """A name to show: `docker-compose.yml`, `.env`, `inspect.json`, `server.log`. User names masked."""
    text: RedactedText

    def line(self, number: int) -> str:
        """The text of a line counted from 1 (only a line feed ends one); IndexError where there is none."""
        lines = self.text.split("\n")
        if not 1 <= number <= len(lines):
            raise IndexError(number)
        return lines[number - 1]


class Setting(Frozen):
    """One parameter as some source sets it."""

    parameter: str
    """A name of the contract: `--flag`, `env:NAME`, `docker:...`."""
    value: str | None
    """The redacted value; None for a switch without one or a variable that is passed through unset."""
    source: SourceName
    """`compose` and `command`: what is written; `inspect`: what the container has; `log`: what the engine read."""
    file: str = ""
    line: int = 0
    """Line in the source's text, from 1; 0 where there is none."""
    spelled: str = ""
    """As it stands there (`-tp`, `--gpu-memory-util`), where that differs from `parameter`."""


class Gpu(Frozen):
    """One GPU as NVML or nvidia-smi reports it."""

    index: int
    name: str
    total_mib: int
    free_mib: int | None = None
    used_mib: int | None = None
    compute_capability: str | None = None
    """`7.5`"""
    processes: tuple[str, ...] = ()
    """`PID NAME MiB`, where they can be seen (not under WSL2)."""
    line: int = 0
    """Line in the gpu source's text."""


class GpuReport(Frozen):
    """All GPUs, or the reason why none could be read."""

    gpus: tuple[Gpu, ...] = ()
    driver: str | None = None
    cuda: str | None = None
    """Highest CUDA version the driver supports."""
    problem: str | None = None
    """`no driver`, `driver mismatch` ..., where the reading failed."""


class ContainerFacts(Frozen):
    """What `docker inspect` says, as far as failures need it."""

    name: str = ""
    id: str = ""
    image: str = ""
    image_digest: str | None = None
    status: str = ""
    """created running restarting exited dead paused"""
    exit_code: int | None = None
    oom_killed: bool = False
    error: str = ""
    """State.Error: why it never started."""
    restart_count: int = 0
    health: str | None = None
    created: str = ""
    started_at: str = ""
    finished_at: str = ""
    shm_size: int | None = None
    ipc_mode: str | None = None
    runtime: str | None = None
    network_mode: str | None = None
    memory_limit: int | None = None
    user: str | None = None
    gpu_requested: bool | None = None
    """A GPU device request, `--gpus`, CDI device or the nvidia runtime was asked for."""
    restart_policy: str | None = None
    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()
    """`host_ip:host_port->container_port/proto`, published ones only."""
    mounts: tuple[str, ...] = ()
    """`source:destination:mode`, user names masked."""
    compose_project: str | None = None
    compose_service: str | None = None
    compose_files: tuple[str, ...] = ()


class HostFacts(Frozen):
    """The machine around the container, as far as it is known."""

    system: str | None = None
    """linux, wsl2, windows, macos"""
    kernel: str | None = None
    memory_gib: float | None = None
    memory_free_gib: float | None = None
    disk_free_gib: float | None = None
    docker_version: str | None = None
    docker_os: str | None = None
    """`Docker Desktop` or the distribution."""
    runtimes: tuple[str, ...] = ()
    cgroup_driver: str | None = None
    events: tuple[str, ...] = ()
    """Recent events of the container, oldest first: `oom`, `die 137` ..."""


class Service(Frozen):
    """The service that runs the engine, and every setting that any source gives it."""

    name: str | None = None
    """The compose service's name."""
    image: str | None = None
    settings: tuple[Setting, ...] = ()
    compose_file: str | None = None
    """Name (as shown) of the compose file whose text a diff would change; None for `docker run` users."""
    notes: tuple[str, ...] = ()
    """What could not be followed (`extends`, `include` without a resolver, an unset variable)."""

    def written(self, parameter: str) -> Setting | None:
        """The setting as the user wrote it (compose before command), the last one winning."""
        for source in ("compose", "command"):
            found = [s for s in self.settings if s.parameter == parameter and s.source == source]
            if found:
                return found[-1]
        return None

    def effective(self, parameter: str) -> Setting | None:
        """The setting that the failed start really had: what the engine printed, then the container, then files."""
        for source in ("log", "inspect", "compose", "command"):
            found = [s for s in self.settings if s.parameter == parameter and s.source == source]
            if found:
                return found[-1]
        return None


class Evidence(Frozen):
    """Everything known about one start. Redacted where it was collected."""

    texts: tuple[SourceText, ...] = ()
    engine: str | None = None
    """`vllm` or `ollama` when an option or an image name decides it; else None and the log decides."""
    image: str | None = None
    version_option: str | None = None
    service: Service = Service()
    resolved: RedactedText | None = None
    """The service alone, as JSON of `docker compose config`; None where the resolver was not asked or is not there."""
    container: ContainerFacts | None = None
    gpu: GpuReport | None = None
    host: HostFacts = HostFacts()
    architecture: Architecture | None = None
    redactions: dict[str, int] = Field(default_factory=dict)
    """Rule -> how many secrets it replaced."""
    left_out: tuple[str, ...] = ()
    """Sources that were asked and did not answer, with the reason."""

    def text(self, source: SourceName, file: str | None = None) -> SourceText | None:
        """The first text of a source (of that file, if named)."""
        for candidate in self.texts:
            if candidate.source == source and (file is None or candidate.file == file):
                return candidate
        return None

    @property
    def log(self) -> RedactedText:
        """The stored log; empty where there is none."""
        found = self.text("log")
        return found.text if found else RedactedText("")
