"""Measuring a running server, keeping the record, and holding two records against each other."""

from copilot.measure.against import compare
from copilot.measure.environment import environment
from copilot.measure.load import Progress, Results, run
from copilot.measure.prompts import prompt
from copilot.measure.spread import spread
from copilot.measure.store import Store

__all__ = ["Progress", "Results", "Store", "compare", "environment", "prompt", "run", "spread"]
