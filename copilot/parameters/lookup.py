"""What the registry answers about one name."""

from dataclasses import dataclass
from typing import Literal

from copilot.model.text import Text

Status = Literal["ok", "unknown", "removed", "not_yet", "ambiguous", "ignored"]
"""ok: the version has it · removed, not_yet: another version has it · ignored: accepted or set, and without effect ·
ambiguous: the prefix of several options · unknown: no version has it."""


@dataclass(frozen=True)
class Successor:
    """What took the place of a parameter that is gone or deprecated."""

    parameter: str | None
    """The contract's name; None: nothing did, remove it."""
    value: str | None
    """The value to set there; `same`: the old one; None: to be chosen."""
    removed_in: str | None
    deprecated_in: str | None
    note: Text


@dataclass(frozen=True)
class Lookup:
    """One spelled name in one version."""

    spelled: str
    parameter: str | None
    """The contract's name; None where no version knows it."""
    status: Status
    version: str | None = None
    """The release whose facts these are; None: the version is unknown."""
    since: str | None = None
    """First release that has it; None: not known (older than the data, or another program's variable)."""
    until: str | None = None
    """Last release that has it; None: the newest still does."""
    default: str | None = None
    type: str = ""
    """int float str bool choice json list, or what the source says."""
    choices: tuple[str, ...] = ()
    reads_number: bool = False
    """A variable whose text goes through int() whatever it means: `true` stops the start."""
    successor: str | None = None
    suggestions: tuple[str, ...] = ()
    """Names that may be meant, the likeliest first; for `ambiguous` the options that match."""
    note: Text | None = None
    value: str | None = None
    """The value glued to the spelling (`--x=y`, `-O3`), `false` for `--no-x`."""
    deprecated: bool = False
    certain: bool = True
    """False: the version lies between or beyond the releases that were read, and they do not settle it."""
