"""Answers and other results as text for a terminal. The only importer of rich; words of logs and models stay plain."""

from copilot.render.answer import change_sentence, render_answer
from copilot.render.console import console, visible

__all__ = ["change_sentence", "console", "render_answer", "visible"]
