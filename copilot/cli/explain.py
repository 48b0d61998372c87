"""`copilot explain PARAMETER`: what a flag or variable is, where it exists, its default, its successor."""

import json as json_
from typing import TYPE_CHECKING, Annotated

import typer

from copilot.cli.options import EngineName, Json, Lang, LangCode, language

if TYPE_CHECKING:
    from copilot.errors import UsageError
    from copilot.parameters import Explanation
    from copilot.parameters.lookup import Successor

CONTEXT = {"ignore_unknown_options": True}
"""The name to explain looks like an option (`copilot explain --max-model-len`)."""
ParameterName = Annotated[
    str, typer.Argument(metavar="PARAMETER", help="--flag, env:NAME, NAME, or a name such as docker:shm_size.")
]
Version = Annotated[str | None, typer.Option("--version", metavar="V", help="The engine's version, as in 0.25.0.")]


def explain(
    parameter: ParameterName,
    *,
    engine: EngineName = None,
    version: Version = None,
    lang: Lang = None,
    json: Json = False,
) -> int:
    """Say what a flag or variable is, in which versions it exists, its default, and what replaced it."""
    found = _look_up(parameter, engine, version)
    if json:
        print(json_.dumps(_document(found, version), ensure_ascii=False, indent=2))
    else:
        print("\n".join(_lines(found, language(lang))))
    return 0


def _look_up(parameter: str, engine: str | None, version: str | None) -> "Explanation":
    """The explanation for the engine asked for, else for the one that knows the name. Raises UsageError."""
    from copilot.errors import UsageError
    from copilot.parameters import registry

    if engine not in (None, "vllm", "ollama"):
        raise UsageError(f"{engine!r} is no engine that copilot knows.", "Use --engine vllm or --engine ollama.")
    if version is not None and registry().nearest_version(engine or "vllm", version) is None:
        raise UsageError(f"{version!r} is no version number.", "Write it as 0.25.0, or leave it out.")
    ollama_first = parameter.upper().removeprefix("ENV:").startswith(("OLLAMA_", "LLAMA_ARG_"))
    engines = (engine,) if engine else ("ollama", "vllm") if ollama_first else ("vllm", "ollama")
    found = [registry().explain(parameter, name, version) for name in engines]
    known = [one for one in found if one.found.parameter is not None]
    if known:
        return known[0]
    raise _unknown(parameter, tuple(name for one in found for name in one.found.suggestions))


def _unknown(parameter: str, suggestions: tuple[str, ...]) -> "UsageError":
    """No version knows the name; the names that may be meant, of flags, variables and the contract's own."""
    from difflib import get_close_matches

    from copilot.errors import UsageError
    from copilot.model.names import MEANINGS

    listed = get_close_matches(parameter.lower(), list(MEANINGS), n=3, cutoff=0.7)
    near = tuple(dict.fromkeys((*suggestions, *listed)))
    hint = f"Did you mean {' or '.join(near)}?" if near else "Names are exact: --flag, env:NAME, docker:shm_size."
    return UsageError(f"No version has a parameter {parameter}.", hint)


def _document(said: "Explanation", asked: str | None) -> dict[str, object]:
    """`copilot.parameter/1`; keys are only added."""
    found, follow = said.found, said.successor
    return {
        "schema": "copilot.parameter/1",
        "parameter": found.parameter,
        "spelled": found.spelled,
        "engine": said.engine,
        "version": asked,
        "facts_of": found.version,
        "newest_known": said.newest,
        "status": found.status,
        "meaning": said.meaning.model_dump(),
        "type": found.type,
        "default": found.default,
        "defaults": [{"since": change.since, "default": change.default} for change in said.defaults],
        "choices": list(found.choices),
        "since": found.since,
        "until": found.until,
        "deprecated": found.deprecated,
        "successor": _successor(follow) if follow else None,
        "note": found.note.model_dump() if found.note else None,
        "same_path": list(said.same_path),
    }


def _successor(follow: "Successor") -> dict[str, object]:
    return {
        "parameter": follow.parameter,
        "value": follow.value,
        "deprecated_in": follow.deprecated_in,
        "removed_in": follow.removed_in,
        "note": follow.note.model_dump(),
    }


def _lines(said: "Explanation", lang: LangCode) -> list[str]:
    """The same for a person."""
    from copilot.text.parameters import LABELS, STATUS

    found, follow = said.found, said.successor

    def row(label: str, text: str | None) -> list[str]:
        return [f"{LABELS[label].in_(lang)}{text}"] if text else []

    state = STATUS[found.status].fill(version=found.version or "?", since=found.since or "?", until=found.until or "?")
    changes = ", ".join(f"{c.since}: {c.default if c.default is not None else '-'}" for c in said.defaults)
    return [
        found.parameter or found.spelled,
        *row("meaning", said.meaning.in_(lang)),
        *row("status", state.in_(lang) if found.version else None),
        *row("versions", _span(said) if found.since else None),
        *row("type", found.type),
        *row("default", found.default),
        *row("defaults", changes if len(said.defaults) > 1 else None),
        *row("choices", ", ".join(found.choices)),
        *row("successor", follow.note.in_(lang) if follow else None),
        *row("note", found.note.in_(lang) if found.note and found.note != (follow.note if follow else None) else None),
        *row("same_path", ", ".join(said.same_path)),
    ]


def _span(said: "Explanation") -> str:
    return f"{said.found.since} - {said.found.until or said.newest + ' +'}"
