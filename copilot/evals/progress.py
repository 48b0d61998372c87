"""Progress on standard error: done, errors, time left, cost so far."""

import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TextIO

from copilot.evals.trial import Trial

EVERY = 5.0
"""Seconds between two lines where standard error is no terminal."""


@dataclass
class Progress:
    """Counts finished samples of every row; may be told from several threads."""

    planned: int
    models: Mapping[str, int] = field(default_factory=dict)
    """Rows that ask an endpoint -> how many samples each has; they take a hundred times as long as rows of code."""
    out: TextIO = field(default_factory=lambda: sys.stderr)
    done: int = 0
    asked: int = 0
    """Samples of models that are done."""
    errors: int = 0
    cost: float = 0.0
    currency: str = ""
    began: float = field(default_factory=time.monotonic)
    code_until: float = 0.0
    """When the last sample of a row of code was done."""
    said: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def finished(self, row: str, trial: Trial | None) -> None:
        """One sample more; None: the endpoint failed."""
        with self.lock:
            self.done += 1
            if row in self.models:
                self.asked += 1
            else:
                self.code_until = time.monotonic()
            self.errors += trial is None
            if trial is not None and trial.cost is not None:
                self.cost += trial.cost
                self.currency = trial.currency or ""
            self._say(row)

    def _say(self, row: str) -> None:
        """Say it: always at the end, else not too often."""
        now = time.monotonic()
        live = self.out.isatty()
        if self.done < self.planned and now - self.said < (0.1 if live else EVERY):
            return
        self.said = now
        end = "\n" if self.done >= self.planned or not live else ""
        self.out.write(("\r\033[K" if live else "") + self.line(row, now) + end)
        self.out.flush()

    def line(self, row: str, now: float) -> str:
        """`37/120 playbook, 0 errors, 12 s, 27 s left, 0.0123 USD`."""
        left = self.left(now)
        shown = "" if left is None else f", {left:.0f} s left"
        cost = f", {self.cost:.4f} {self.currency}" if self.currency else ""
        return f"{self.done}/{self.planned} {row}, {self.errors} errors, {now - self.began:.0f} s{shown}{cost}"

    def left(self, now: float) -> float | None:
        """Seconds that are left; None while no model has answered yet, for its speed is not known."""
        asked = sum(self.models.values())
        code, code_left = self.done - self.asked, self.planned - asked - (self.done - self.asked)
        found = (now - self.began) / code * code_left if code and code_left > 0 else 0.0
        if asked == 0:
            return found
        if self.asked == 0:
            return None
        return found + (now - max(self.code_until, self.began)) / self.asked * max(asked - self.asked, 0)
