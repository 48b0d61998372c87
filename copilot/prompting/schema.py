"""The JSON schema of a reply, built per request: what can be invented is enumerated.

Properties stand in the order of reasoning (evidence, cause, then category): servers that enforce a schema generate
them in that order, and a small model that had to name the category first was wrong where its cause was right.
Every object is closed and every property required, as strict modes demand; what may be absent is null.
"""

from collections.abc import Iterable, Sequence
from typing import Any, get_args

from copilot.model.words import Category, Confidence, Role, SourceName, Topic

MOST_LINES = 250
MOST_PARAMETERS = 200
"""Endpoints limit enumerations (1,000 values in all, 15,000 characters of a long one); beyond these no enumeration."""
FAULTS = ("f1", "f2", "f3", "f4", "f5", "f6")

Json = dict[str, Any]


def reply_schema(
    lines: Iterable[int], parameters: Iterable[str], sources: Sequence[tuple[str, str]] = ()
) -> dict[str, object]:
    """The schema for evidence in which these log lines, parameters and other sources (name, file) can be named."""
    named = list(dict.fromkeys(parameters))
    entry = _line_entries(sorted(set(lines)), sources)
    return {
        "type": "object",
        "properties": {
            "lines": {"type": "array", "maxItems": 24, "items": entry},
            "faults": {"type": "array", "maxItems": len(FAULTS), "items": _fault()},
            "experiment": {"anyOf": [_experiment(), {"type": "null"}]},
            "status": {"type": "string", "enum": ["diagnosed", "partial", "unknown", "healthy"]},
            "missing": {"type": "array", "maxItems": 4, "items": _text(200)},
        },
        "required": ["lines", "faults", "experiment", "status", "missing"],
        "additionalProperties": False,
        "$defs": {"parameter": _parameter(named)},
    }


def _line_entries(lines: list[int], sources: Sequence[tuple[str, str]]) -> Json:
    """A line of the log, or of another source."""
    number: Json = {"type": "integer"}
    of_log: Json = {**number, "enum": lines} if 0 < len(lines) <= MOST_LINES else number
    others = [name for name in get_args(SourceName) if name != "log"]
    present = list(dict.fromkeys(name for name, _ in sources if name != "log")) or others
    files = list(dict.fromkeys(file for name, file in sources if name != "log" and file))
    log = _line({"source": _choice(["log"]), "line": of_log})
    other: Json = {"source": _choice(present), "line": number}
    if files:
        other["file"] = _choice(files)
    return {"anyOf": [log, _line(other)]}


def _line(where: Json) -> Json:
    """One entry of the line map."""
    return _closed(
        {
            **where,
            "why": _text(240),
            "parameter": _or_null({"$ref": "#/$defs/parameter"}),
            "role": _choice(get_args(Role)),
            "fault": _or_null(_choice(FAULTS)),
            "topic": _choice(get_args(Topic)),
        }
    )


def _fault() -> Json:
    """One independent cause."""
    return _closed(
        {
            "id": _choice(FAULTS),
            "cause": _text(600),
            "title": _text(100),
            "parameters": {"type": "array", "maxItems": 4, "items": {"$ref": "#/$defs/parameter"}},
            "category": _choice(get_args(Category)),
            "blocking": {"type": "boolean"},
            "confidence": _choice(get_args(Confidence)),
        }
    )


def _experiment() -> Json:
    """One change of one parameter, or one observation."""
    return _closed(
        {
            "fault": _or_null(_choice(FAULTS)),
            "why": _text(400),
            "kind": _choice(["change", "observe"]),
            "parameter": _or_null({"$ref": "#/$defs/parameter"}),
            "to": _or_null(_text(200)),
            "observe": _or_null(_text(300)),
            "if_right": _text(240),
            "if_wrong": _text(240),
            "watch": {"type": "array", "maxItems": 3, "items": _text(120)},
        }
    )


def _parameter(named: list[str]) -> Json:
    """The names a reply may use."""
    return _choice(named) if 0 < len(named) <= MOST_PARAMETERS else _text(80)


def _closed(properties: Json) -> Json:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _choice(values: Sequence[str]) -> Json:
    """One of the values."""
    return {"type": "string", "enum": list(values)}


def _text(longest: int) -> Json:
    """A text with a limit: a small model may else write until its output limit."""
    return {"type": "string", "maxLength": longest}


def _or_null(schema: Json) -> Json:
    """The schema, or null."""
    return {"anyOf": [schema, {"type": "null"}]}
