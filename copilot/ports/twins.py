"""The in-memory twin of each port: for tests, evaluations and the demo."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

from copilot.errors import NothingCollected, UsageError
from copilot.model.measurement import Timed
from copilot.ports.protocols import (
    ContainerSummary,
    GpuSample,
    ModelReply,
    ModelRequest,
    Next,
    RawContainer,
    RawText,
    TokenCount,
)


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

    def within(self, folder: str) -> "MemoryFiles":
        """Memory has no links."""
        del folder
        return self

    def read(self, path: str) -> bytes:
        """The bytes of a path."""
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


@dataclass
class SteadySender:
    """A server of fixed speed: `delay` to the first token, `gap` between tokens, in seconds; nobody waits."""

    delays: list[float]
    """Of each request in turn; the last one stays."""
    gap: float = 0.01
    counts: bool = True
    """Whether it reports usage."""
    clock: float = 0.0
    asked: list[str] = field(default_factory=list)

    def __call__(self, text: str, max_tokens: int) -> Timed:
        """An answer of exactly `max_tokens`."""
        delay = self.delays.pop(0) if len(self.delays) > 1 else self.delays[0]
        self.asked.append(text)
        start, self.clock = self.clock, self.clock + delay + self.gap * (max_tokens - 1)
        usage = max_tokens if self.counts else None
        first = start + delay
        return Timed(start, self.clock, first, self.clock, max_tokens, usage, len(text.split()) if usage else None)


@dataclass
class FixedSampler:
    """Looks given beforehand."""

    looks: Sequence[Sequence[GpuSample]] = ()

    def __enter__(self) -> Self:
        """Nothing begins."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Nothing ends."""

    def samples(self) -> Sequence[Sequence[GpuSample]]:
        """The looks."""
        return self.looks
