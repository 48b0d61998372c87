"""What the workflow needs from outside, one purpose each, and the in-memory twin of each.

Adapters implement these with one SDK each; tests and evaluations use the twins. A port that cannot deliver raises
an error of `copilot.errors`; it decides nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

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


class Reachable(Protocol):
    """Asks a server that should be up: models, one small chat."""

    def verify(self, base_url: str) -> tuple[bool, str]:
        """(all answered, what was seen in one sentence)."""
        ...


# --- twins -----------------------------------------------------------------------------------------------------------


@dataclass
class MemoryContainers:
    """Containers held in memory."""

    containers: tuple[RawContainer, ...] = ()
    problem: Exception | None = None

    def ill(self) -> Sequence[ContainerSummary]:
        """The ill ones, in the order given."""
        if self.problem:
            raise self.problem
        return [ContainerSummary(c.id, c.name, c.image, c.state, "", None) for c in self.containers if c.ill]

    def read(self, name: str, tail: int) -> RawContainer:
        """The one with this name."""
        from copilot.errors import UsageError

        del tail  # memory holds what it holds
        if self.problem:
            raise self.problem
        for container in self.containers:
            if name in (container.name, container.id):
                return container
        raise UsageError(f"There is no container named {name}.", "Run `docker ps -a` to see the names.")


@dataclass
class MemoryGpus:
    """A fixed GPU report."""

    text: RawText = ""

    def read(self) -> RawText:
        """The text given; NothingCollected when empty."""
        from copilot.errors import NothingCollected

        if not self.text:
            raise NothingCollected("No GPU could be read.", "")
        return self.text


@dataclass
class MemoryFiles:
    """Files held in memory."""

    files: dict[str, bytes] = field(default_factory=dict)

    def show(self, path: str) -> str:
        """Memory has no folders to hide."""
        return path

    def exists(self, path: str) -> bool:
        """Whether it is held."""
        return path in self.files

    def read(self, path: str) -> bytes:
        """The bytes of a path."""
        from copilot.errors import UsageError

        if path not in self.files:
            raise UsageError(f"There is no file {path}.", "Check the path.")
        return self.files[path]


@dataclass(frozen=True)
class FixedResolver:
    """Gives back one resolved project, or none."""

    resolved: RawText | None = None

    def resolve(self, files: Sequence[str], directory: str | None) -> RawText | None:
        """The project given, whatever the files."""
        del files, directory
        return self.resolved


@dataclass(frozen=True)
class FixedHost:
    """A fixed host."""

    text: RawText = "{}"

    def read(self) -> RawText:
        """The JSON given."""
        return self.text


@dataclass
class ScriptedModel:
    """Replies from a list, in order; an exception in the list is raised."""

    replies: list[str | Exception]
    name: str = "scripted"
    seen: list[ModelRequest] = field(default_factory=list)
    window: int | None = None

    def ask(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """The next reply of the script."""
        self.seen.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        yield reply
        yield ModelReply(text=reply, model="scripted", tokens_in=1, tokens_out=1)

    def context(self) -> int | None:
        """The window given."""
        return self.window


@dataclass
class MemoryVault:
    """Keys held in memory."""

    keys: dict[str, str] = field(default_factory=dict)

    def get(self, name: str) -> str | None:
        """The key, or None."""
        return self.keys.get(name)

    def set(self, name: str, key: str) -> None:
        """Keep it."""
        self.keys[name] = key

    def delete(self, name: str) -> None:
        """Forget it."""
        self.keys.pop(name, None)


@dataclass(frozen=True)
class EstimatedTokens:
    """A conservative estimate: engine logs hold about 2.6 characters a token (measured), Chinese about 1."""

    def count(self, text: str) -> TokenCount:
        """Characters over 2.5, wide characters one each."""
        wide = sum(1 for c in text if c > "\u2e80") if not text.isascii() else 0
        return TokenCount(int((len(text) - wide) / 2.5) + wide + 1, estimated=True)


@dataclass
class ScriptedRetest:
    """Hands out what comes next from a list; then stops."""

    steps: list[Next] = field(default_factory=list)

    def next(self, round_: int) -> Next:
        """The next step."""
        del round_
        return self.steps.pop(0) if self.steps else Next("stop")
