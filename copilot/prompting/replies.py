"""The JSON document in a model's text, and the reply in the document. A reply is as hostile as a log."""

import json
import re

from pydantic import ValidationError

from copilot.errors import ProviderGarbled
from copilot.model.reply import Reply, ReplyExperiment, ReplyFault, ReplyLine

_FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL | re.IGNORECASE)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_UNSEEN = re.compile(
    r"\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""What a terminal or a viewer of the JSON would act on: links, colours, controls, text that runs backwards."""
_THOUGHT = "</think>"
LONGEST = 400_000
"""Characters of a reply that are looked at."""
_WORDS = ("source", "role", "topic", "category", "confidence", "kind", "status")
"""Fields of a closed vocabulary: models without an enforced schema write them in any case."""


def document(text: str) -> dict[str, object] | None:
    """The JSON object in a text: bare, fenced, or with prose around it; a trailing comma is mended. None: no object."""
    shown = text[:LONGEST].rpartition(_THOUGHT)[2].strip().removeprefix("\ufeff")
    tries = [shown, *(match.group(1) for match in _FENCE.finditer(shown))]
    start = shown.find("{")
    if start >= 0:
        tries.append(shown[start:])
    for candidate in tries:
        found = _object(candidate.strip())
        if found is not None:
            return found
    return None


def _object(candidate: str) -> dict[str, object] | None:
    """The object at the start of a text; what follows it is ignored."""
    if not candidate.startswith("{"):
        return None
    decoder = json.JSONDecoder()
    for text in (candidate, _TRAILING_COMMA.sub(r"\1", candidate)):
        try:
            value, _ = decoder.raw_decode(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None


def parse_reply(text: str) -> Reply:
    """The reply in a model's text; ProviderGarbled says what is wrong with it, and quotes nothing of it."""
    found = document(text)
    if found is None:
        raise ProviderGarbled("The model's reply holds no JSON object.", "Ask again, or use another model.")
    if not {"lines", "faults", "status"} & set(found):
        raise ProviderGarbled(
            "The model's reply is a JSON object of another kind: it has neither lines, faults nor status.",
            "Ask again, or use another model.",
        )
    try:
        return Reply.model_validate(_known(found))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ProviderGarbled(
            f"The model's reply does not have the shape asked for: {where}: {first['msg']}.",
            "Ask again, or use another model.",
        ) from None


def _known(found: dict[str, object]) -> dict[str, object]:
    """What a reply has, at every level; what a model adds is dropped, and so is a line entry that is none."""
    kept = _only(found, Reply)
    lines = kept.get("lines")
    if isinstance(lines, list):
        kept["lines"] = [entry for entry in (_only(line, ReplyLine) for line in lines) if _is_line(entry)]
    faults = kept.get("faults")
    if isinstance(faults, list):
        kept["faults"] = [_only(fault, ReplyFault) for fault in faults]
    if "experiment" in kept:
        kept["experiment"] = _removal(_only(kept["experiment"], ReplyExperiment))
    return kept


def _removal(experiment: dict[str, object]) -> dict[str, object]:
    """A setting changed to Python's or JSON's word for nothing is taken out: small models write the word."""
    setting = str(experiment.get("parameter", "")).startswith(("--", "env:"))
    if setting and experiment.get("to") in ("None", "null"):
        return {key: value for key, value in experiment.items() if key != "to"}
    return experiment


def _is_line(entry: object) -> bool:
    """Whether an entry of the line map can be used: one bad entry among good ones is no reason to ask again."""
    try:
        ReplyLine.model_validate(entry)
    except ValidationError:
        return False
    return True


def _only(entry: object, kind: type[Reply | ReplyLine | ReplyFault | ReplyExperiment]) -> dict[str, object]:
    """A mapping without unknown keys and nulls (the defaults stand in), words of a vocabulary in lower case."""
    if not isinstance(entry, dict):
        return {} if entry is None else {"": entry}
    kept = {key: _shown(value) for key, value in entry.items() if key in kind.model_fields and value is not None}
    for key in _WORDS:
        word = kept.get(key)
        if isinstance(word, str):
            kept[key] = word.strip().lower()
    return kept


def _shown(value: object) -> object:
    """A text, or the texts of a list, as nothing but text."""
    if isinstance(value, str):
        return _UNSEEN.sub("", value)
    return (
        [_UNSEEN.sub("", item) if isinstance(item, str) else item for item in value]
        if isinstance(value, list)
        else value
    )
