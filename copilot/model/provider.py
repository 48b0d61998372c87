"""An endpoint that can be asked, as the configuration describes it. It never holds a key."""

from typing import Literal

from pydantic import Field

from copilot.model.text import Frozen

WireApi = Literal["chat", "responses"]


class Timeouts(Frozen):
    """Limits in seconds."""

    connect: float = Field(default=10.0, gt=0)
    read: float = Field(default=120.0, gt=0)
    """Longest silence: a local model reads a long prompt for a minute before the first token."""
    total: float = Field(default=600.0, gt=0)
    """The whole question, its retries and waits included."""


class Price(Frozen):
    """What a gateway charges, per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    currency: str = "USD"


class Provider(Frozen):
    """One endpoint. `origins` says where each value comes from, for `copilot check` and `provider list`."""

    name: str
    base_url: str
    model: str | None = None
    """None: the endpoint's only model."""
    wire_api: WireApi = "chat"
    env_key: str | None = None
    """Name of the environment variable that holds the key."""
    http_headers: dict[str, str] = Field(default_factory=dict)
    env_http_headers: dict[str, str] = Field(default_factory=dict)
    """Header -> name of the environment variable that holds its value."""
    query_params: dict[str, str] = Field(default_factory=dict)
    timeouts: Timeouts = Timeouts()
    retries: int = Field(default=3, ge=0, le=20)
    context_length: int | None = Field(default=None, gt=0)
    """Tokens; left out, it is learnt from the endpoint."""
    price: Price | None = None
    allow_insecure: bool = False
    """Plain http to a public host."""
    origins: dict[str, str] = Field(default_factory=dict)
