"""What a parameter is, for a person."""

from dataclasses import dataclass

from copilot.model.text import Text
from copilot.parameters import environment, successors
from copilot.parameters.catalogue import Span, catalogue
from copilot.parameters.data_files import document
from copilot.parameters.flags import written
from copilot.parameters.lookup import Lookup, Successor


@dataclass(frozen=True)
class DefaultChange:
    """A default that holds from a release on."""

    since: str
    default: str | None


@dataclass(frozen=True)
class Explanation:
    """Everything known about one parameter; `found` says whether the version has it."""

    found: Lookup
    engine: str
    meaning: Text
    defaults: tuple[DefaultChange, ...]
    successor: Successor | None
    same_path: tuple[str, ...]
    newest: str
    """The newest release that was read."""


def explain(found: Lookup, engine: str, version: str | None, same_path: tuple[str, ...]) -> Explanation:
    """Put together what the data says about a looked-up parameter."""
    parameter = found.parameter or ""
    held = catalogue("ollama" if engine == "ollama" else "vllm")
    table = held.variables if parameter.startswith("env:") else held.flags
    spans = table.spans(parameter.removeprefix("env:"))
    return Explanation(
        found=found,
        engine=engine,
        meaning=_meaning(found),
        defaults=_changes(spans),
        successor=successors.of(parameter, engine, version),
        same_path=same_path,
        newest=held.newest,
    )


def _changes(spans: tuple[Span, ...]) -> tuple[DefaultChange, ...]:
    changes: list[DefaultChange] = []
    for span in spans:
        default = written(span.facts.get("default"))
        if not changes or changes[-1].default != default:
            changes.append(DefaultChange(span.since, default))
    return tuple(changes)


def _meaning(found: Lookup) -> Text:
    """Our own words where they exist; else what follows from the name's kind and type, and nothing more."""
    parameter = found.parameter or ""
    row = document("meanings.json")["parameters"].get(parameter)
    if row:
        return Text(en=row[0], zh=row[1])
    shared = environment.entry(parameter.removeprefix("env:")) if parameter.startswith("env:") else None
    if shared:
        return shared.meaning
    return _from_type(found)


def _from_type(found: Lookup) -> Text:
    en, zh = _kind(found)
    parameter = found.parameter or ""
    flag, _, key = parameter.partition(".")
    if key and parameter.startswith("--"):
        return Text(en=f"The key {key} of {flag}; it takes {en}.", zh=f"{flag} 的键 {key}，取值为{zh}。")
    if parameter.startswith("env:"):
        return Text(en=f"An environment variable of the engine that takes {en}.", zh=f"引擎的环境变量，取值为{zh}。")
    return Text(en=f"A setting of the engine that takes {en}.", zh=f"引擎的设置项，取值为{zh}。")


def _kind(found: Lookup) -> tuple[str, str]:
    kinds = {
        "int": ("a whole number", "整数"),
        "float": ("a number", "数字"),
        "bool": ("a switch", "开关"),
        "json": ("a JSON value", "JSON 值"),
        "list": ("one or more values", "一个或多个值"),
    }
    named = ("one of the listed values", "列出的取值之一") if found.choices else ("a text", "文本")
    return kinds.get(found.type, named)
