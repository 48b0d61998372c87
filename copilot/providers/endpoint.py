"""A provider made ready to be asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from copilot.model.provider import Provider


@dataclass(frozen=True)
class Endpoint:
    """A provider together with its key and headers. The key shows in no `repr`."""

    provider: Provider
    model: str
    key: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
