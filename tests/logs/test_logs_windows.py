"""What is sent of a log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.logs import parse, render_windows, windows

LOG = parse("\n".join(f"line {number} " + "x" * (number % 50) for number in range(1, 1001)))


def test_thirty_lines_around_with_the_gaps_marked():
    text = render_windows(LOG, windows(LOG, [500]))
    assert " 470 | line 470 " in text
    assert " 530 | line 530 " in text
    assert " 531 | " not in text
    assert text.endswith("[470 lines left out]")
    assert text.startswith("   1 | line 1 ")
    assert "[457 lines left out]" in text


def test_windows_that_touch_are_one():
    cut = windows(LOG, [500, 540])
    assert [(window.first, window.last) for window in cut] == [(1, 12), (470, 570)]


def test_the_first_centre_gets_its_surroundings_before_the_second():
    cut = windows(LOG, [900, 100], radius=30, budget_chars=2500)
    numbers = [line.number for window in cut for line in window.lines]
    assert 100 in numbers
    near = [number for number in numbers if abs(number - 900) <= 30]
    assert len(near) > len([number for number in numbers if abs(number - 100) <= 30])


def test_without_centres_the_beginning_and_nothing_of_the_rest():
    assert [(window.first, window.last) for window in windows(LOG, [])] == [(1, 12)]


@given(
    st.lists(st.integers(min_value=-5, max_value=1100), max_size=12),
    st.integers(min_value=0, max_value=60),
    st.integers(min_value=100, max_value=6000),
)
def test_the_budget_is_never_exceeded_and_numbers_never_shift(centres, radius, budget):
    cut = windows(LOG, centres, radius, budget)
    assert len(render_windows(LOG, cut)) <= budget
    for window in cut:
        assert [line.number for line in window.lines] == list(range(window.first, window.last + 1))
        assert all(LOG.line(line.number) is line for line in window.lines)


@pytest.mark.parametrize("text", ["", "one"])
def test_tiny_logs(text):
    log = parse(text)
    assert render_windows(log, windows(log, [1, 2])) == ("1 | one" if text else "")
