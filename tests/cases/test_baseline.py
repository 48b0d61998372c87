"""The playbook on every case is at least as good as the committed baseline; a drop names the case."""

from pathlib import Path

import pytest

from conftest import CASES
from copilot.evals.baseline import dropped, means, measure, read, write
from copilot.evals.dataset import Entry, find_cases

ENTRIES = find_cases(CASES)
BASELINE = read(CASES / "baseline.json")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.slug)
def test_no_case_drops(entry: Entry) -> None:
    assert entry.slug in BASELINE, "run python tools/case_baseline.py --write"
    assert not dropped({entry.slug: BASELINE[entry.slug]}, measure([entry]))


def test_no_case_of_the_baseline_is_gone() -> None:
    assert set(BASELINE) == {entry.slug for entry in ENTRIES}


def test_a_drop_names_case_and_score() -> None:
    before = {"a": {"status": 1.0, "experiment": 0.0}, "b": {"status": 1.0}, "c": {"verdict": 1.0}}
    now = {"a": {"status": 0.0, "experiment": 1.0}, "c": {}}
    assert dropped(before, now) == (
        "a: status 1.0 → 0.0",
        "b: not measured any more",
        "c: verdict 1.0 → None",
    )
    assert dropped(before, before) == ()


def test_a_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    entries = ENTRIES[:3]
    scores = {entry.slug: {"status": 1.0, "lines_cited": 0.5} for entry in entries}
    write(tmp_path / "baseline.json", entries, scores)
    assert read(tmp_path / "baseline.json") == scores
    found = means(entries, scores)
    assert all(found[group]["lines_cited"] == 0.5 for group in found)
