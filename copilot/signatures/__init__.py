"""Known failures as data: one TOML file each, a matcher, and named functions that compute what to try."""

from copilot.signatures.facts import Facts
from copilot.signatures.load import load
from copilot.signatures.match import mark_noise, match

__all__ = ["Facts", "load", "mark_noise", "match"]
