"""The terminal, and what may reach it."""

import re
import sys
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text as RichText

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Control and bidirectional characters: never sent to a terminal."""


class Screen(Protocol):
    """What prints: a console."""

    def print(self, *shown: object) -> None:
        """Print a text or a view."""

    def rule(self, title: str) -> None:
        """A line across, with a title."""


def visible(text: str) -> str:
    """The text with every control character made visible as an escape."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match.group()):02x}", text).replace("\t", "    ")


def plain(text: str, style: str = "") -> "RichText":
    """Text of a log or a model: no markup, no escapes."""
    from copilot.render.wrapping import Prose

    return Prose(visible(text), style=style)


def indented(text: "RichText", columns: int) -> "Padding":
    """The text as a paragraph whose every line starts at this column."""
    from rich.padding import Padding

    return Padding(text, (0, 0, 0, columns), expand=False)


def console(stream: TextIO | None = None, *, width: int | None = None) -> "Console":
    """A console on a stream (standard output if none); no markup, no emoji, no guessing of links."""
    from rich.console import Console

    return Console(file=stream or sys.stdout, markup=False, emoji=False, highlight=False, width=width)
