"""The text filter may let too much through, never too little."""

import re

import pytest

from copilot.signatures import load
from copilot.signatures.literal import literals


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"UVA is not available", ("uva is not available",)),
        (r"Error (?P<n>\d+): no memory", (": no memory",)),
        (r"alpha beta|gamma", ("alpha beta", "gamma")),
        (r"alpha|\d+", ()),
        (r"(?:alpha|gamma delta) x", ("alpha", "gamma delta")),
        (r"(?:alpha)? omega", (" omega",)),
        (r"harbou?rless", ("harbo",)),
        (r"ab+", ()),
        (r"[abc|]longer\x27s", ("longer's",)),
        (r"(?!never)always", ("always",)),
        (r"(?i)Warning", ("warning",)),
        (r"times{0,3}over", ("time",)),
    ],
)
def test_longest_promised_text(pattern: str, expected: tuple[str, ...]) -> None:
    assert literals(pattern) == expected


def test_every_hit_passes_the_filter_of_its_pattern() -> None:
    looks = [(look, v) for s in load() for look in s.see for v in s.hits]
    checked = 0
    for look, vector in looks:
        for line in vector.text.split("\n"):
            if re.search(look.pattern, line):
                checked += 1
                needles = literals(look.pattern)
                assert not needles or any(needle in line.lower() for needle in needles), look.pattern
    assert checked > len(load()) / 2
