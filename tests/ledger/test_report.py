"""The table of docs/ledger.md is what the program says, and the targets hold."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def report() -> str:
    program = ROOT / "tools" / "ledger_report.py"
    return subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True).stdout


def off(report: str, name: str) -> list[float]:
    """KV median, worst, weights median, worst (GiB), tokens median, worst (percent)."""
    row = next(line for line in report.splitlines() if line.startswith(f"| {name} |") and "GiB" in line)
    return [float(number) for number in re.findall(r"(\d+\.\d+)(?: GiB|%)", row)]


def test_the_page_shows_what_the_program_says(report):
    assert report.strip() in (ROOT / "docs" / "ledger.md").read_text(encoding="utf-8")


def test_the_cache_is_closer_than_the_targets(report):
    median, worst, *_ = off(report, "copilot fit")
    assert median <= 0.15
    assert worst <= 0.5


@pytest.mark.parametrize("planner", ["hf-vram-calc", "kvfit", "modelinfo-cli", "ridgepoint"])
def test_every_planner_answered_and_none_is_closer(report, planner):
    ours, theirs = off(report, "copilot fit"), off(report, planner)
    assert ours[0] < theirs[0]
    assert ours[1] < theirs[1]


def test_starts_or_not_is_right_in_all(report):
    assert "17 of 17 recorded starts right" in report
    made_up = re.search(r"of (\d+) made-up budgets .* (\d+) right", report)
    assert made_up
    assert made_up[1] == made_up[2]
    assert int(made_up[1]) > 500
