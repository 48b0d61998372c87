"""The JSON document in a model's text, and the thinking that is not part of the reply."""

import json
import re

from pydantic import ValidationError

from copilot.errors import ProviderGarbled
from copilot.model.reply import Reply

_FENCE = re.compile(r"```(?:json|JSON)?\s*\n(.*?)(?:\n\s*```|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_OPEN, _CLOSE = "<think>", "</think>"
LONGEST = 400_000
"""Characters of a reply that are looked at."""


def without_thinking(text: str) -> str:
    """The reply after its `<think>` block, closed, unclosed, or opened by the chat template."""
    if _CLOSE in text:
        return text.rsplit(_CLOSE, 1)[1].lstrip()
    head = text.lstrip()
    return "" if head.startswith(_OPEN) else text


def document(text: str) -> dict[str, object] | None:
    """The JSON object in the text: bare, fenced, or with prose around it; trailing commas mended. None: no object."""
    shown = without_thinking(text[:LONGEST]).strip().removeprefix("\ufeff")
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
    """The fields that a reply has; what a model adds beyond them is dropped, at every level."""
    from copilot.model.reply import ReplyExperiment, ReplyFault, ReplyLine

    kept = {key: value for key, value in found.items() if key in Reply.model_fields}
    for key, kind in (("lines", ReplyLine), ("faults", ReplyFault)):
        entries = kept.get(key)
        if isinstance(entries, list):
            kept[key] = [_only(entry, kind.model_fields) for entry in entries]
    kept["experiment"] = _only(kept.get("experiment"), ReplyExperiment.model_fields)
    return {key: value for key, value in kept.items() if value is not None or key == "experiment"}


def _only(entry: object, fields: object) -> object:
    """A mapping without unknown keys and without nulls, so that defaults stand in; anything else as it is."""
    if not isinstance(entry, dict) or not isinstance(fields, dict):
        return entry
    return {key: value for key, value in entry.items() if key in fields and value is not None}
