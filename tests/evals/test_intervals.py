"""The statistics against published values."""

import pytest

pytest.importorskip("scipy", reason="the extra `eval` is not installed")

from copilot.evals.intervals import mcnemar, share, share_of


def test_wilsons_interval() -> None:
    # Newcombe, Statistics in Medicine 17 (1998) 857, table I: 81 of 263 gives 0.2553 to 0.3662
    found = share_of({str(n): [1.0 if n < 81 else 0.0] for n in range(263)})
    assert found is not None
    assert (found.value, found.low, found.high, found.n) == (0.308, 0.2553, 0.3662, 263)
    assert share(found) == "31% (26-37)"


def test_epochs_of_a_case_are_one_case() -> None:
    once = share_of({"a": [1.0], "b": [0.0]})
    thrice = share_of({"a": [1.0, 1.0, 1.0], "b": [0.0, 0.0, 0.0]})
    assert once == thrice


def test_shares_between_0_and_1_are_resampled_and_repeatable() -> None:
    values = {str(n): [n / 10] for n in range(11)}
    found = share_of(values)
    assert found == share_of(values)
    assert found is not None
    assert 0.2 < found.low < 0.5 < found.high < 0.8


def test_nothing_scored_has_no_share() -> None:
    assert share_of({}) is None


def test_exact_mcnemar() -> None:
    # 9 against 1 discordant pairs: two-sided exact p = 2 * 11 / 1024
    a = {str(n): 1.0 if n < 14 else 0.0 for n in range(20)}
    b = {**a, **{str(n): 0.0 for n in range(9)}, "19": 1.0}
    found = mcnemar(("a", "b"), "right", a, b)
    assert (found.both, found.only_a, found.only_b, found.neither) == (5, 9, 1, 5)
    assert found.p == pytest.approx(22 / 1024, abs=1e-6)
    assert "+0" in found.differ
    assert "-19" in found.differ
