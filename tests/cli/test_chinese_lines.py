"""Chinese in a narrow terminal: full lines, no mark at the start of one, no bullet alone on its line."""

import io

import pytest
from rich.cells import cell_len

from copilot.render.console import console, indented, plain
from copilot.render.wrapping import breaks

SENTENCE = "· 这和上一轮是同一份日志，逐行相同：此后没有重新启动过（docker compose up -d）。请先完成改动，再继续。"


def shown(text: str, width: int) -> list[str]:
    stream = io.StringIO()
    console(stream, width=width).print(indented(plain(text), 2))
    return [line.strip() for line in stream.getvalue().splitlines()]


@pytest.mark.parametrize("width", [24, 31, 40, 80])
def test_lines_are_full_and_begin_with_a_word(width: int) -> None:
    lines = shown(SENTENCE, width)
    assert "".join(lines).replace(" ", "") == SENTENCE.replace(" ", "")
    assert not [line for line in lines if line[0] in "，。：）"]
    assert all(cell_len(line) <= width - 2 for line in lines)
    assert cell_len(lines[0]) >= width - 8


def test_a_word_of_another_script_is_not_cut_unless_it_is_too_long() -> None:
    assert breaks("请看 --gpu-memory-utilization 的值", 26) == [3, 28]
    assert breaks("x" * 10 + "中", 4) == [4, 8]


def test_english_is_wrapped_as_ever() -> None:
    assert shown("one two three four", 11) == ["one two", "three", "four"]
