"""Variables of what the engines are built on: hub client, CUDA, PyTorch, NCCL, container toolkit, proxies.

Defaults and meanings are those of the programs' own documentation; `since` counts releases of that program.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from copilot.model.text import Text
from copilot.parameters.data_files import document
from copilot.parameters.lookup import Lookup


@dataclass(frozen=True)
class Variable:
    """One variable that another program than the engine reads."""

    name: str
    program: str
    """Whose it is: `huggingface_hub`, `PyTorch`, `NCCL` ..."""
    kind: str
    default: str | None
    meaning: Text
    engine: str | None = None
    """The only engine that brings the program; None: both."""
    since: str | None = None
    """First release of `program` that reads it, where known."""
    successor: str | None = None
    choices: tuple[str, ...] = ()
    same_as: str | None = None
    """The contract's name where this is another spelling (lower-case proxies)."""

    @property
    def parameter(self) -> str:
        """The contract's name."""
        return self.same_as or f"env:{self.name}"

    def serves(self, engine: str) -> bool:
        """Whether the variable means something beside this engine."""
        return self.engine in (None, engine)


def entry(name: str) -> Variable | None:
    """A variable by its exact name."""
    row = document("environment.json")["variables"].get(name)
    return _variable(name, row) if row else None


@cache
def names(engine: str) -> tuple[str, ...]:
    """The contract's names of all variables that mean something beside an engine."""
    rows = document("environment.json")["variables"]
    return tuple(
        f"env:{name}" for name, row in rows.items() if row.get("engine") in (None, engine) and "same_as" not in row
    )


def meant(name: str) -> str | None:
    """The variable that is meant by a name that looks like it and that nothing reads (`HUGGINGFACE_TOKEN`)."""
    found: str | None = document("environment.json")["unread"].get(name)
    return found


def lookup(known: Variable, spelled: str, value: str | None) -> Lookup:
    """The registry's answer for such a variable: it does not depend on the engine's version."""
    whose = known.program
    note = None
    if known.since:
        note = Text(en=f"Read by {whose} {known.since} and later.", zh=f"{whose} {known.since} 起读取。")
    return Lookup(
        spelled=spelled,
        parameter=known.parameter,
        status="ok",
        default=known.default,
        type=known.kind,
        choices=known.choices,
        successor=known.successor,
        note=note,
        value=value,
        deprecated=known.successor is not None,
    )


def _variable(name: str, row: dict[str, Any]) -> Variable:
    return Variable(
        name=name,
        program=row["of"],
        kind=row["kind"],
        default=row["default"],
        meaning=Text(en=row["en"], zh=row["zh"]),
        engine=row.get("engine"),
        since=row.get("since"),
        successor=row.get("successor"),
        choices=tuple(row.get("choices", ())),
        same_as=row.get("same_as"),
    )
