"""The document of `copilot check`: the links of the chain in order, and the first that is broken."""

from typing import Literal

from pydantic import ConfigDict, Field

from copilot.model.answer import Experiment, Fault
from copilot.model.text import Frozen

LinkName = Literal[
    "client-config",
    "configuration",
    "key",
    "proxy",
    "name",
    "tcp",
    "tls",
    "path",
    "auth",
    "model",
    "completion",
    "stream",
    "container",
    "port",
    "health",
]
LinkStatus = Literal["ok", "broken", "warning", "skipped"]


class CheckedLink(Frozen):
    """One link: what was looked at, and what was seen."""

    link: LinkName
    status: LinkStatus
    detail: str
    seconds: float = 0.0


class CheckedProvider(Frozen):
    """Which endpoint the chain leads to. It never holds a key."""

    name: str
    base_url: str
    """As configured."""
    used: str
    """The address that answered."""
    model: str | None
    wire_api: str
    key_from: str | None
    """The variable, or `keyring`; null: none is sent."""
    origins: dict[str, str] = Field(default_factory=dict)


class CheckDocument(Frozen):
    """`copilot.check/1`. Keys are only added."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Literal["copilot.check/1"] = Field(default="copilot.check/1", alias="schema")
    status: Literal["healthy", "diagnosed", "unknown"]
    provider: CheckedProvider | None
    links: tuple[CheckedLink, ...]
    broken: LinkName | None
    """The first broken link; null: none is."""
    faults: tuple[Fault, ...]
    """The broken link first; warnings after it, which do not block."""
    experiment: Experiment | None
    models: tuple[str, ...] = ()
    """The names that the endpoint lists."""
