"""One file per rule that a reply must obey, found by walking this folder.

Every module defines `check(reply, context) -> tuple[Objection, ...]`. A model's reply gets its objections back once or
twice; what still fails is dropped, and said so. The playbook's reply passes the same rules.
"""

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache

from copilot.checks.context import Context
from copilot.model.reply import Objection, Reply

Check = Callable[[Reply, Context], tuple[Objection, ...]]

__all__ = ["Check", "Context", "load", "run"]


@cache
def load() -> dict[str, Check]:
    """Name -> rule, for every module of this folder that defines one."""
    found: dict[str, Check] = {}
    for module in pkgutil.iter_modules(__path__):
        rule = getattr(importlib.import_module(f"{__name__}.{module.name}"), "check", None)
        if rule is not None:
            found[module.name] = rule
    return found


def run(reply: Reply, context: Context) -> dict[str, tuple[Objection, ...]]:
    """Rule -> what it objects to (nothing: passed)."""
    return {name: rule(reply, context) for name, rule in load().items()}
