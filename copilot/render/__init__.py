"""Answers and other results as text for a terminal. The only importer of rich; words of logs and models stay plain."""

from copilot.render.answer import render_answer
from copilot.render.console import console, visible

__all__ = ["console", "render_answer", "visible"]
