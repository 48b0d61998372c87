"""Logs as people paste them: quoted, indented, numbered, broken at a terminal's edge, mixed with other services."""

from pathlib import Path

import pytest

from copilot.logs import clean, parse
from copilot.logs.wrapped import rejoined

CASES = Path(__file__).parent.parent.parent / "cases"
LOGS = sorted(CASES.glob("*/round-1/server.log"))
PASTED = ("wsl2-pinned-memory", "shared-card-a", "attempts-c", "prompt-is-cut")
MARGINS = {"quoted": "> {line}", "indented": "    {line}", "numbered": "{number:>5}  {line}"}


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")


def broken(lines: list[str], width: int) -> list[str]:
    return [line[at : at + width] for line in lines for at in range(0, max(len(line), 1), width)]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.parent.parent.name)
def test_a_log_that_nothing_broke_stays_as_it_is(path: Path) -> None:
    lines = lines_of(path)
    assert rejoined(lines) == lines


@pytest.mark.parametrize("width", [80, 120, 160])
@pytest.mark.parametrize("slug", ["wsl2-pinned-memory", "shared-card-a", "attempts-c"])
def test_lines_broken_by_a_terminal_are_whole_again(slug: str, width: int) -> None:
    lines = [line.rstrip() for line in lines_of(CASES / slug / "round-1" / "server.log")]
    whole = clean("\n".join(broken(lines, width))).split("\n")
    assert len(set(lines) - set(whole)) <= 0.02 * len(lines)


def test_a_table_of_one_width_is_no_broken_line() -> None:
    table = ["+" + "-" * 78 + "+", *["|  0  NVIDIA GeForce RTX 3060" + " " * 50 + "|"] * 4, "+" + "-" * 78 + "+"]
    assert rejoined(table) == table


@pytest.mark.parametrize("form", MARGINS.values(), ids=MARGINS)
@pytest.mark.parametrize("slug", PASTED)
def test_a_margin_is_not_what_the_program_said(slug: str, form: str) -> None:
    lines = lines_of(CASES / slug / "round-1" / "server.log")
    lines = lines if len(lines) > 2 else [*lines, *lines, *lines]
    plain = [line.message for line in parse("\n".join(lines)).lines]
    pasted = parse("\n".join(form.format(number=number, line=line) for number, line in enumerate(lines, 1)))
    assert [line.message for line in pasted.lines] == plain
    assert pasted.lines[0].text == form.format(number=1, line=lines[0])


def test_a_traceback_that_lacks_its_beginning_keeps_its_indentation() -> None:
    frames = ['  File "/app/a.py", line 1, in run', "    await serve()", '  File "/app/b.py", line 2, in serve']
    assert [line.message for line in parse("\n".join(frames)).lines] == frames


def test_of_several_services_the_one_that_is_called_like_an_engine_counts() -> None:
    log = parse('vllm-1  | Reasons: {FLASH_ATTN: [sink setting not supported]\nnginx-1 | "GET / HTTP/1.1" 200 612')
    assert log.service == "vllm-1"
