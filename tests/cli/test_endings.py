"""How a command ends when its output, its data folder or its reader is gone: one sentence, and never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from copilot.cli.retests import Terminal

ROOT = Path(__file__).parent.parent.parent
LOG = ROOT / "cases" / "three-attempts" / "round-1" / "server.log"


def run(*arguments: str, home: Path, stdout: int = subprocess.PIPE) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "XDG_DATA_HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "copilot.cli", *arguments]
    return subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, text=True, env=environment, check=False, timeout=60
    )


@pytest.mark.parametrize("command", [["ask", "--offline", "--json", "--log"], ["redact"], ["explain", "--port"]])
def test_a_full_disk_behind_standard_output_is_one_sentence(command: list[str], tmp_path: Path) -> None:
    arguments = command if command[0] == "explain" else [*command, str(LOG)]
    with Path("/dev/full").open("w") as full:
        done = run(*arguments, home=tmp_path, stdout=full.fileno())
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "No space left on device" in done.stderr


def test_a_reader_that_has_enough_is_no_fault(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run("redact", str(LOG), home=tmp_path, stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_data_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "log2fix").write_text("a file where the folder would be")
    done = run("ask", "--offline", "--json", "--log", str(LOG), home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("copilot: The session cannot be written to")


@pytest.mark.parametrize("slip", ["missing.log", ".", "program", "~nobody-of-this-name/x.log", "x" * 5000])
def test_a_slip_in_the_name_of_a_file_does_not_end_the_loop(
    slip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "program").write_bytes(b"\x7fELF\x02\x01\x01\x00" + bytes(200))
    (tmp_path / "new.log").write_text("INFO started\n")
    monkeypatch.chdir(tmp_path)
    answers = tmp_path / "typed"
    answers.write_text(f"f {slip}\nf new.log\n")
    with answers.open() as typed:
        monkeypatch.setattr(sys, "stdin", typed)
        step = Terminal("en").next(1)
    assert step.sources is not None
    assert step.sources.log == str(tmp_path / "new.log")


@pytest.mark.parametrize("name", ["~nobody-of-this-name/x.log", "x" * 5000])
def test_an_impossible_name_is_an_unreadable_input(name: str, tmp_path: Path) -> None:
    done = run("ask", "--offline", "--log", name, home=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
