"""The nearest of the values that the message itself lists."""

import re
from collections.abc import Mapping
from difflib import get_close_matches

from copilot.model.text import Text
from copilot.signatures.facts import Facts
from copilot.signatures.proposers.computed import Computed
from copilot.signatures.signature import Scalar

_ITEM = re.compile(r"[\w.+-]+")
SHOWN = 12
"""Choices listed in a sentence."""


def listed(text: str) -> tuple[str, ...]:
    """The words of a printed list, tuple, set or dict_keys, in order."""
    inner = re.sub(r"^\s*(?:dict_keys|frozenset|set)\b", "", text)
    return tuple(dict.fromkeys(_ITEM.findall(inner)))


def nearest_choice(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Of `choices` the one nearest to `value`; numbers go to the nearest not above, else the smallest."""
    choices, value = listed(captures.get("choices", "")), captures.get("value", "").strip("'\"")
    if not choices:
        return ()
    words = {"listed": ", ".join(choices[:SHOWN]) + (" …" if len(choices) > SHOWN else "")}
    if all(choice.isdigit() for choice in choices) and value.isdigit():
        below = [int(choice) for choice in choices if int(choice) <= int(value)]
        return (Computed(to=str(max(below) if below else min(map(int, choices))), words=words),)
    lowered = {choice.lower(): choice for choice in choices}
    near = get_close_matches(value.lower(), lowered, n=2, cutoff=float(str(args.get("cutoff", 0.5))))
    return tuple(Computed(to=lowered[name], words=words) for name in near if lowered[name] != value)


def without_prefix(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The value of `parameter` without what `prefix` (a pattern) matches at its start."""
    setting = facts.setting(str(args.get("parameter", "")))
    if setting is None or not setting.value:
        return ()
    rest = re.sub(f"^(?:{args['prefix']})", "", setting.value)
    note = Text(en="", zh="") if rest == setting.value else None
    return () if note is not None else (Computed(to=rest),)


def placeholder(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """What only the person can fill in, in angle brackets: a token, a path, an id."""
    value = str(args["value"])
    for name, captured in captures.items():
        value = value.replace(f"{{{name}}}", captured)
    return (Computed(to=f"<{value}>"),)
