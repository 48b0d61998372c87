"""`python -m copilot.cli`: the command without its script, for a tree that is not installed."""

from copilot.cli import run

run()
