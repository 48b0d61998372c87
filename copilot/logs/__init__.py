"""Logs of any origin: bytes to text, text to numbered lines and boots, what matters in them, two boots side by side."""

from copilot.logs.clean import clean
from copilot.logs.compare import compare
from copilot.logs.decisive import decisive
from copilot.logs.decode import decode, is_binary
from copilot.logs.late import begins_late
from copilot.logs.parse import parse
from copilot.logs.topics import topic_of
from copilot.logs.windows import Window, render_windows, windows

__all__ = [
    "Window",
    "begins_late",
    "clean",
    "compare",
    "decisive",
    "decode",
    "is_binary",
    "parse",
    "render_windows",
    "topic_of",
    "windows",
]
