"""A short slice of the fuzzing that `make fuzz` runs for ten minutes a target."""

import pytest

from fuzz.fuzzing import TARGETS, attempt, fuzz


@pytest.mark.parametrize("name", list(TARGETS))
def test_no_mutated_input_crashes_a_reader(name: str) -> None:
    tried, failures = fuzz(name, 1, range(60))
    assert tried == 60
    assert not failures, failures[0]


def test_the_fuzzer_sees_a_crash() -> None:
    assert "ZeroDivisionError" in (attempt(lambda data: divmod(1, len(data)), b"") or "")
