"""The type of a signature file: how a known failure is seen, what it means, what to try."""

import re
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from copilot.model.text import Frozen, Text
from copilot.model.words import Category, Confidence, Phase, Role, SourceName, Topic


def _several(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Sources = Annotated[tuple[SourceName, ...], BeforeValidator(_several)]
Scalar = str | int | float | bool


class Named(Frozen):
    """Base of the parts whose TOML keys (`in`, `is`) are reserved words in Python."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Look(Named):
    """A pattern, and where it is searched: line by line, in what the program said."""

    sources: Sources = Field(default=("log",), alias="in")
    pattern: str
    """Python `re`, searched in a line without its prefixes. Named groups become captures."""
    level: tuple[str, ...] = ()
    """Only lines of these levels."""
    parameter: str | None = None
    """The line's parameter in the map; the signature's first if left out."""
    why: Text | None = None
    """What the line tells; the title if left out."""
    names_setting: bool = False
    """Only lines that name a vLLM setting by its own name; it becomes the capture `setting`."""

    @model_validator(mode="after")
    def _compiles(self) -> Self:
        re.compile(self.pattern)
        return self


class Also(Look):
    """A supporting line of the same boot. Its absence changes nothing."""

    role: Role = "context"


class Condition(Named):
    """One thing that holds or not: a pattern somewhere, a setting, a fact, or a captured value."""

    sources: Sources = Field(default=("log",), alias="in")
    pattern: str | None = None
    level: tuple[str, ...] = ()
    setting: str | None = None
    source: SourceName | None = None
    """With `setting`: only what this source says."""
    fact: str | None = None
    capture: str | None = None
    is_: str = Field(default="set", alias="is")
    """`set`, `unset`, `unset|` and one of the following, a comparison (`< 8.0`, `>= 2`, with `capture` also
    `< other_capture`), or a regular expression that fits the whole value. Sizes such as `1.19 GiB` and `260 MiB`
    compare by what they mean."""

    @model_validator(mode="after")
    def _asks_one_thing(self) -> Self:
        asked = [x for x in (self.pattern, self.setting, self.fact, self.capture) if x is not None]
        if len(asked) != 1:
            raise ValueError("a condition asks for exactly one of pattern, setting, fact, capture")
        return self


class Doubt(Condition):
    """A condition that lowers the confidence where it holds."""

    confidence: Confidence = "medium"


class SettingRef(Frozen):
    """A setting on the fault's path."""

    parameter: str
    why: Text | None = None


class Propose(Named):
    """One thing to try, with the conditions under which it makes sense."""

    since: str | None = None
    until: str | None = None
    need: tuple[Condition, ...] = ()
    unless: tuple[Condition, ...] = ()
    kind: Literal["change", "observe"] = "change"
    parameter: str | None = None
    to: str | None = None
    compute: str | None = None
    """Name of a function in `copilot.signatures.proposers` that gives `to`."""
    args: dict[str, Scalar] = Field(default_factory=dict)
    remove: bool = False
    observe: Text | None = None
    watch: tuple[str, ...] = ()
    why: Text
    if_right: Text
    if_wrong: Text

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if self.kind == "observe":
            if self.observe is None:
                raise ValueError("kind observe says what to observe")
        elif self.parameter is None or (self.to is None and self.compute is None and not self.remove):
            raise ValueError("kind change names a parameter and one of to, compute, remove")
        return self


class Vector(Frozen):
    """Evidence for the test: real lines, and whatever else the signature looks at."""

    version: str | None = None
    text: str = ""
    compose: str = ""
    command: str = ""
    inspect: str = ""
    gpu: str = ""
    request: str = ""
    settings: dict[str, str] = Field(default_factory=dict)
    """Parameter -> value as compose sets it."""
    inspected: dict[str, str] = Field(default_factory=dict)
    """Parameter -> value as the container has it."""
    facts: dict[str, Scalar] = Field(default_factory=dict)
    first: str | None = None
    """`parameter=value` of the first proposal (`parameter=` where it removes, `observe` for an observation)."""


class Signature(Frozen):
    """One known failure. `id` is the file's name."""

    id: str
    folder: str
    since: str | None = None
    """First engine version that can do this; unknown versions always pass."""
    until: str | None = None
    """Last one, inclusive."""
    engine: tuple[str, ...] = ()
    category: Category = "environment"
    topic: Topic = "other"
    parameters: tuple[str, ...] = ()
    confidence: Confidence = "high"
    blocking: bool = True
    phase: Phase = "none"
    weight: int = 50
    noise: bool = False
    """Its lines are wrappers, shutdown noise or harmless warnings: never a fault."""
    fallback: bool = False
    """Only a finding if nothing else that blocks was found in the boot."""
    supersedes: tuple[str, ...] = ()
    title: Text
    cause: Text | None = None
    see: tuple[Look, ...] = Field(min_length=1)
    also: tuple[Also, ...] = ()
    need: tuple[Condition, ...] = ()
    unless: tuple[Condition, ...] = ()
    doubt: tuple[Doubt, ...] = ()
    settings: tuple[SettingRef, ...] = ()
    propose: tuple[Propose, ...] = ()
    hits: tuple[Vector, ...] = ()
    misses: tuple[Vector, ...] = ()

    @model_validator(mode="after")
    def _a_fault_is_complete(self) -> Self:
        if not self.noise and (self.cause is None or not self.parameters or not self.propose):
            raise ValueError("a fault has a cause, parameters, and something to try")
        return self
