"""What took the place of a flag that this version does not know."""

from collections.abc import Mapping

from copilot.model.text import Text
from copilot.signatures.facts import Facts
from copilot.signatures.proposers.computed import Computed
from copilot.signatures.signature import Scalar


def removed_flag(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Removing the flag, with a word on its successor or its right spelling from the registry."""
    from copilot.parameters import registry

    spelled = captures.get("flag", "").split("=")[0]
    if not spelled:
        return ()
    found = registry().find(spelled, "vllm", facts.engine.version)
    name = found.parameter or spelled
    follow = registry().successor(name, "vllm", facts.engine.version)
    note = found.note or (follow.note if follow else None)
    if found.suggestions and note is None:
        note = Text(en=f"Did you mean {found.suggestions[0]}?", zh=f"是否想写 {found.suggestions[0]}?")
    return (Computed(to=None, parameter=name, words={"flag": name}, note=note),)
