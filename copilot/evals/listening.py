"""The port `Model` with a notebook: what was asked, what came back, and how it failed."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from copilot.errors import ProviderError, ProviderGarbled, ProviderTooLong
from copilot.ports import Model, ModelReply, ModelRequest


@dataclass
class Listening:
    """Hands every question on to the real model and keeps the exchange."""

    model: Model
    name: str = field(init=False)
    requests: list[ModelRequest] = field(default_factory=list)
    replies: list[ModelReply] = field(default_factory=list)
    failures: list[ProviderError] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Take the provider's name."""
        self.name = self.model.name

    def ask(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """As the real one."""
        self.requests.append(request)
        try:
            for piece in self.model.ask(request):
                if isinstance(piece, ModelReply):
                    self.replies.append(piece)
                yield piece
        except ProviderError as error:
            self.failures.append(error)
            raise

    def context(self) -> int | None:
        """As the real one."""
        return self.model.context()

    def transport(self) -> ProviderError | None:
        """The last failure that says nothing about the model's skill: no connection, refusal, overload.

        A reply that is not the schema is the model's own; a prompt that was too long was cut and sent again.
        """
        if not self.failures or isinstance(self.failures[-1], ProviderGarbled | ProviderTooLong):
            return None
        return self.failures[-1]
