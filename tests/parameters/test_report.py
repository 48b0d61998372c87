"""The shipped data against what the parser of vLLM 0.32.0 said (data/vllm-0.32.0-parser.json)."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECORDED = Path(__file__).parent / "data" / "vllm-0.32.0-parser.json"


@pytest.fixture(scope="module")
def report() -> str:
    program = ROOT / "tools" / "parameter_report.py"
    command = [sys.executable, str(program), "--recorded", str(RECORDED)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("what", "recall", "precision"),
    [
        ("names of flags (parser)", 1.0, 1.0),
        ("names of flags (help text)", 1.0, 1.0),
        ("names of variables", 1.0, 1.0),
        ("defaults of flags", 1.0, 1.0),
        ("choices of flags", 0.97, 0.97),
        ("defaults of variables", 0.98, 0.98),
    ],
)
def test_names_are_complete_and_none_is_invented(report, what, recall, precision):
    row = next(line for line in report.splitlines() if line.startswith(f"| {what} |"))
    shares = [float(number) for number in re.findall(r"\d\.\d{3}", row)]
    assert shares[0] >= recall
    assert shares[1] >= precision


def test_the_page_shows_the_table(report):
    table = "\n".join(line for line in report.splitlines() if line.startswith("|"))
    assert table in (ROOT / "docs" / "parameters.md").read_text(encoding="utf-8")
