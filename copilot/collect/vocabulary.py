"""What an engine's spelling of a flag means: asks the registry, and knows the rules of the spelling without it."""

from dataclasses import dataclass

_SHORT = {
    "-tp": "--tensor-parallel-size",
    "-pp": "--pipeline-parallel-size",
    "-dp": "--data-parallel-size",
    "-q": "--quantization",
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """Whose flags they are. None where it is not known."""

    engine: str | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Spelling:
    """A flag as written, understood."""

    parameter: str
    switch: bool = False
    """It takes no value."""
    implied: str | None = None
    """The value that the bare flag stands for (`--no-x` is `--x` with `false`)."""
    known: bool = False
    """The registry has it (in some version)."""
    kind: str = ""
    """The registry's type of the value."""


def spell(spelled: str, dialect: Dialect) -> Spelling:
    """What the flag `spelled` (without `=value`) is for this engine and version.

    Where the engine is not known the flags are taken for vLLM's: Ollama has hardly any.
    """
    from copilot.parameters import registry

    found = registry().find(spelled, dialect.engine or "vllm", dialect.version)
    if found.parameter is None or found.status in {"unknown", "ambiguous"}:
        return Spelling(_SHORT.get(spelled) or _long(spelled))
    return Spelling(
        parameter=found.parameter,
        switch=found.type == "bool",
        implied=found.value,
        known=True,
        kind=found.type,
    )


def turned_off(parameter: str, dialect: Dialect) -> str | None:
    """The word that turns a switch off in this version; None: it is off where it is not said.

    A switch that is on by itself has a `--no-x` (vLLM since 0.8); leaving `--x` out would change nothing.
    """
    from copilot.parameters import registry

    engine = dialect.engine or "vllm"
    known = registry().find(parameter, engine, dialect.version)
    negative = f"--no-{parameter.removeprefix('--')}"
    if known.default == "false" or registry().find(negative, engine, dialect.version).parameter != parameter:
        return None
    return negative


def _long(spelled: str) -> str:
    head, dot, tail = spelled.partition(".")  # `--compilation-config.cudagraph_mode`: the part after the dot is a key
    return head.replace("_", "-") + dot + tail if spelled.startswith("--") else spelled
