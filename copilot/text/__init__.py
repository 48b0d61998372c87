"""The interface's own sentences, English and Chinese. Findings bring theirs with them."""

from typing import TYPE_CHECKING

from copilot.text.strings import STRINGS

if TYPE_CHECKING:
    from copilot.model.text import Lang

__all__ = ["STRINGS", "say"]


def say(key: str, lang: "Lang", **values: object) -> str:
    """The sentence of a key with its `{names}` filled; KeyError for a key that does not exist."""
    english, chinese = STRINGS[key]
    sentence = chinese if lang == "zh" else english
    for name, value in values.items():
        sentence = sentence.replace(f"{{{name}}}", str(value))
    return sentence
