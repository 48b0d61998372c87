"""Prompts of a chosen length, each different from the first word on: a prefix cache must not answer for the server."""

import random

WORDS = [
    "river",
    "stone",
    "garden",
    "window",
    "market",
    "bridge",
    "winter",
    "summer",
    "morning",
    "evening",
    "letter",
    "number",
    "island",
    "forest",
    "mountain",
    "engine",
    "paper",
    "silver",
    "copper",
    "yellow",
    "orange",
    "purple",
    "simple",
    "narrow",
    "little",
    "heavy",
    "distant",
    "quiet",
    "famous",
    "common",
    "early",
    "later",
    "often",
    "never",
    "always",
    "maybe",
    "inside",
    "outside",
    "under",
    "above",
    "across",
    "between",
    "during",
    "before",
    "after",
    "because",
    "while",
    "until",
]
"""Common words: about one token each in every current vocabulary."""
FRAME = 24
"""Tokens that a chat template and the instruction add, roughly; the server's own count stands in the record."""


def prompt(tokens: int, seed: int, run: int) -> str:
    """A text of about this many tokens: a seed's words are the same in every run, and the first word is the run's own.

    Words alone would not do: the second run on a server would find its prompts in the prefix cache of the first.
    """
    chosen = random.Random(seed)  # noqa: S311 - reproducible, not secret
    count = max(1, tokens - FRAME)
    words = " ".join(chosen.choice(WORDS) for _ in range(count))
    return f"{(run + chosen.randrange(10**6)) % 10**6} {words}\nContinue this list of words, without stopping."
