"""What the workflow needs from outside, one purpose each.

Adapters implement these with one SDK each; tests and evaluations use the twins. A port that cannot deliver raises
an error of `copilot.errors`; it decides nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, Self

from copilot.model.measurement import Timed
from copilot.model.request import Sources

RawText = str
"""Text that may hold secrets. It leaves the node that collected it only through `copilot.redaction`."""


@dataclass(frozen=True)
class RawContainer:
    """One container as the engine's API gives it, unredacted."""

    id: str
    name: str
    image: str
    inspect: str
    """The JSON of `docker inspect` (one object)."""
    log: bytes
    """The tail of the log, stdout and stderr merged by time, without the engine's timestamps."""
    state: str = ""
    ill: bool = True
    host: str = "{}"
    """JSON of `HostFacts` as far as `docker info` and recent events tell."""
    stderr: tuple[int, ...] = ()
    """Lines of `log`, from 1, that came from stderr, where the engine tells the two apart."""
    left_out: tuple[str, ...] = ()
    """What the engine was asked and did not answer in time, with the reason."""


@dataclass(frozen=True)
class ContainerSummary:
    """A line of the list the person chooses from."""

    id: str
    name: str
    image: str
    state: str
    finished_at: str
    engine: str | None


class Containers(Protocol):
    """A container engine: list the ill containers of known engines, read one."""

    def ill(self) -> Sequence[ContainerSummary]:
        """Ill containers of a known engine, newest first. NothingCollected when no engine can be asked."""
        ...

    def read(self, name: str, tail: int) -> RawContainer:
        """One container by name or id with the last `tail` log lines. UsageError when there is none."""
        ...


class Gpus(Protocol):
    """The GPU counters of this machine."""

    def read(self) -> RawText:
        """CSV text as `nvidia-smi --query-gpu` prints it; raises NothingCollected with the reason."""
        ...


class Files(Protocol):
    """The person's files, read when needed. The one place that knows real paths: evidence holds shown names only."""

    def show(self, path: str) -> str:
        """The name to show for a real path (relative, or with `~`), remembered so that `read` takes it too."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of a file by real path or shown name; UsageError when it is missing or unreadable.

        At most 64 MiB, from the end.
        """
        ...

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        ...

    def within(self, folder: str) -> "Files":
        """The same files, but no link and no `..` leads out of that folder."""
        ...


class Resolver(Protocol):
    """The compose specification's own resolver (`docker compose config`), where it is installed."""

    def resolve(self, files: Sequence[str], directory: str | None) -> RawText | None:
        """The resolved project as JSON; None where the resolver is not there or fails."""
        ...


class Host(Protocol):
    """The machine around the container."""

    def read(self) -> RawText:
        """JSON of `HostFacts` as far as this machine tells."""
        ...


@dataclass(frozen=True)
class Message:
    """One message of a prompt, redacted."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class ModelRequest:
    """What a provider is asked: messages, the JSON schema of the reply, and the limits."""

    messages: tuple[Message, ...]
    schema: Mapping[str, object]
    max_tokens: int = 4096


@dataclass(frozen=True)
class ModelReply:
    """What came back: the text (JSON, perhaps wrapped), and what it cost."""

    text: str
    model: str = ""
    request_id: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    format: str = ""
    """The rung of the reply-format ladder that worked: strict schema json plain."""
    finish: str = "stop"


class Model(Protocol):
    """A language model behind an endpoint."""

    name: str
    """The provider's name in the configuration."""

    def ask(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """Yield text pieces as they stream, and last the whole ModelReply. Raises ProviderError and its kinds."""
        ...

    def context(self) -> int | None:
        """The context length in tokens, if the endpoint told it; never assumed."""
        ...


class Vault(Protocol):
    """Where keys live."""

    def get(self, name: str) -> str | None:
        """The key stored for a provider, or None."""
        ...

    def set(self, name: str, key: str) -> None:
        """Store a key; UsageError with the environment way when there is no backend."""
        ...

    def delete(self, name: str) -> None:
        """Forget a key; no error when there is none."""
        ...


@dataclass(frozen=True)
class TokenCount:
    """A number of tokens, and whether it is an estimate."""

    value: int
    estimated: bool


class Tokens(Protocol):
    """Counts tokens."""

    def count(self, text: str) -> TokenCount:
        """Tokens of a text; an estimate where the tokenizer's data is not at hand (never a download)."""
        ...


@dataclass(frozen=True)
class Next:
    """What the person reports after an experiment."""

    kind: Literal["retested", "stop", "else"]
    """`else`: not this experiment, the next-best one from the same evidence."""
    sources: Sources | None = None
    """With `retested`: where the new logs are; None: the same sources again."""
    applied: bool = True
    """False: the change was not made (the start was repeated for another reason)."""


class Retest(Protocol):
    """What comes after an experiment."""

    def next(self, round_: int) -> Next:
        """Wait for the retest of round `round_`."""
        ...


class Sender(Protocol):
    """Asks a server once, streaming, and times the pieces."""

    def __call__(self, text: str, max_tokens: int) -> Timed:
        """The timed answer; failures are told in `problem`, not raised."""


@dataclass(frozen=True)
class GpuSample:
    """One look at one GPU."""

    name: str
    total_mib: int
    used_mib: int
    utilization: float | None = None
    """Per cent; None where the driver does not tell."""


class Sampler(Protocol):
    """Looks at the GPUs again and again while something runs."""

    def __enter__(self) -> Self:
        """Begin."""

    def __exit__(self, *raised: object) -> None:
        """End."""

    def samples(self) -> Sequence[Sequence[GpuSample]]:
        """Every look so far, the first from before the load; empty where there is no GPU to see."""
