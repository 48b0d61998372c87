"""Read a prompt file, check its inputs, fill it, fingerprint it."""

import hashlib
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_HEADER = re.compile(r"\A\+\+\+\n(.*?)\n\+\+\+\n(.*)\Z", re.DOTALL)
_INPUT = re.compile(r"\{\{(\w+)\}\}")
FENCE = "fence"
"""The input that every prompt may use without declaring it: the marker around data."""
_FINGERPRINT = 12


@dataclass(frozen=True)
class Prompt:
    """A prompt file: a TOML header between `+++` lines declares its inputs and the reply's type, the rest is text."""

    name: str
    inputs: tuple[str, ...]
    reply: str
    text: str
    fingerprint: str
    """The first 12 digits of the file's SHA-256: part of every answer and every row of an evaluation."""

    def fill(self, **values: str) -> str:
        """The text with its inputs. ValueError names an input that is missing or not used.

        Values are put in once: what looks like an input inside a log stays as it is. `{{fence}}` becomes a marker
        made from the values themselves, so that no text among them can hold it.
        """
        missing, unused = set(self.inputs) - set(values), set(values) - set(self.inputs)
        if missing or unused:
            raise ValueError(f"prompt {self.name}: missing {sorted(missing)}, not used {sorted(unused)}")
        marked = {**values, FENCE: fence(values.values())}
        return _INPUT.sub(lambda found: marked[found.group(1)], self.text)


def fence(values: object) -> str:
    """A marker that depends on everything between its two ends."""
    return f"data-{hashlib.sha256(repr(list(values)).encode()).hexdigest()[:16]}"  # type: ignore[call-overload]


@cache
def load_prompt(name: str) -> Prompt:
    """A prompt of the package by its file's name without `.md`; ValueError when its header and its text disagree."""
    return read_prompt(name, (files("copilot.prompts") / f"{name}.md").read_text(encoding="utf-8"))


def read_prompt(name: str, content: str) -> Prompt:
    """A prompt from its file's content."""
    parts = _HEADER.match(content)
    if parts is None:
        raise ValueError(f"prompt {name}: no header between +++ lines")
    header = tomllib.loads(parts.group(1))
    unknown = set(header) - {"inputs", "reply"}
    if unknown:
        raise ValueError(f"prompt {name}: unknown keys {sorted(unknown)} in the header")
    inputs, text = tuple(header["inputs"]), parts.group(2).strip()
    used = set(_INPUT.findall(text)) - {FENCE}
    if used != set(inputs):
        raise ValueError(f"prompt {name}: declared {sorted(inputs)}, used {sorted(used)}")
    digest = hashlib.sha256(content.encode()).hexdigest()[:_FINGERPRINT]
    return Prompt(name, inputs, str(header["reply"]), text, digest)
