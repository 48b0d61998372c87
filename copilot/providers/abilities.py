"""What an endpoint can do, learnt from its answers: the reply-format ladder and the fields it takes."""

from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

from copilot.model.text import Frozen
from copilot.providers.failures import Refusal

Rung = Literal["strict", "schema", "json", "plain"]
"""Reply formats, the most exact first: strict JSON schema, JSON schema, any JSON object, no format."""
RUNGS: tuple[Rung, ...] = get_args(Rung)


class Abilities(Frozen):
    """What one model of one endpoint takes."""

    rung: Rung = "strict"
    max_field: str = "max_tokens"
    """The name of the output limit; empty: none is taken."""
    dropped: tuple[str, ...] = ()
    """Fields and schema keywords that it refuses: temperature, stream_options, store, maxLength."""
    stream: bool = True
    context: int | None = None
    """Context length in tokens, as the endpoint said."""
    base: str | None = None
    """With an address as typed: the one that the API was found at."""
    only: str | None = None
    """With an address: its only model, when it was last asked."""


class Memory(Protocol):
    """Keeps what was learnt from one run to the next."""

    def get(self, endpoint: str) -> Abilities:
        """What is known; the defaults for an endpoint never asked."""
        ...

    def put(self, endpoint: str, abilities: Abilities) -> None:
        """Remember; a memory that cannot be written is no failure."""
        ...


@dataclass
class ForgetfulMemory:
    """Keeps it as long as the process lives: the twin of the file."""

    known: dict[str, Abilities] = field(default_factory=dict)

    def get(self, endpoint: str) -> Abilities:
        """What is known."""
        return self.known.get(endpoint, Abilities())

    def put(self, endpoint: str, abilities: Abilities) -> None:
        """Remember."""
        self.known[endpoint] = abilities


def adapt(abilities: Abilities, refusal: Refusal) -> Abilities | None:
    """The request to try next after a refusal of the request's form; None when nothing is left to change."""
    if refusal.kind == "max_tokens":
        return _other_limit(abilities, refusal.field)
    if refusal.kind == "parameter":
        if refusal.field == "stream":
            return abilities.model_copy(update={"stream": False}) if abilities.stream else None
        if refusal.field not in abilities.dropped:
            return abilities.model_copy(update={"dropped": (*abilities.dropped, refusal.field)})
        return None
    if refusal.kind in ("format", "request") and abilities.rung != "plain":
        return abilities.model_copy(update={"rung": RUNGS[RUNGS.index(abilities.rung) + 1]})
    return None


def _other_limit(abilities: Abilities, refused: str) -> Abilities | None:
    """`max_completion_tokens` for `max_tokens` and the other way round; then no limit at all."""
    if refused not in ("", abilities.max_field):
        return None
    order = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "", "max_output_tokens": ""}
    following = order.get(abilities.max_field)
    return None if following is None else abilities.model_copy(update={"max_field": following})
