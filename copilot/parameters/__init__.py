"""What a flag or variable is, per engine version: one lookup for findings, checks and `copilot explain`."""

from copilot.parameters.audit import audit
from copilot.parameters.explanation import Explanation
from copilot.parameters.images import ImageFacts
from copilot.parameters.lookup import Lookup, Successor
from copilot.parameters.pinning import pinning_notes
from copilot.parameters.registry import Registry, registry
from copilot.parameters.releases import Nearest

__all__ = [
    "Explanation",
    "ImageFacts",
    "Lookup",
    "Nearest",
    "Registry",
    "Successor",
    "audit",
    "pinning_notes",
    "registry",
]
