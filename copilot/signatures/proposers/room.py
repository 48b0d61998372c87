"""How much of a model's context a request leaves for the answer."""

from collections.abc import Mapping

from copilot.signatures.facts import Facts
from copilot.signatures.proposers.computed import Computed
from copilot.signatures.proposers.known import number
from copilot.signatures.signature import Scalar

LEAST = 16
"""Tokens below which an answer is no use: then the messages are too long, not the answer."""


def room_left(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """The context (`context`) minus the prompt (`prompt`), in tokens."""
    context, prompt = number(captures.get("context")), number(captures.get("prompt"))
    if context is None or prompt is None or context - prompt < LEAST:
        return ()
    return (Computed(to=f"{context - prompt:.0f}"),)
