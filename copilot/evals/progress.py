"""Progress on standard error: done, errors, time left, cost so far."""

import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TextIO

from copilot.evals.trial import Trial

EVERY = 5.0
"""Seconds between two lines where standard error is no terminal."""


@dataclass
class Progress:
    """Counts finished samples of every row; may be told from several threads."""

    planned: int
    out: TextIO = field(default_factory=lambda: sys.stderr)
    done: int = 0
    errors: int = 0
    cost: float = 0.0
    currency: str = ""
    began: float = field(default_factory=time.monotonic)
    said: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def finished(self, row: str, trial: Trial | None) -> None:
        """One sample more; None: the endpoint failed."""
        with self.lock:
            self.done += 1
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
        spent = now - self.began
        left = spent / self.done * max(self.planned - self.done, 0)
        cost = f", {self.cost:.4f} {self.currency}" if self.currency else ""
        return f"{self.done}/{self.planned} {row}, {self.errors} errors, {spent:.0f} s, {left:.0f} s left{cost}"
