"""Answers and other results as text for a terminal. The only importer of rich; words of logs and models stay plain."""

from copilot.render.answer import change_sentence, render_answer
from copilot.render.console import Screen, console, visible
from copilot.render.measurement import (
    render_measured_difference,
    render_measurement,
    render_measurements,
    save_svg,
)

__all__ = [
    "Screen",
    "change_sentence",
    "console",
    "render_answer",
    "render_measured_difference",
    "render_measurement",
    "render_measurements",
    "save_svg",
    "visible",
]
