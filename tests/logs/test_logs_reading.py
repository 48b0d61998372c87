"""Bytes of any origin to text, and text to lines that are safe to count and show."""

import codecs
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from copilot.errors import UsageError
from copilot.logs import clean, decode, is_binary

TEXT = 'INFO 12-01 16:56:53 [core.py:114] Initialising\nERROR [core.py:1] "模型" naïve\n'


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        b"\0" * 4096 + TEXT.encode(),
    ],
    ids=["utf-8", "utf-8 bom", "utf-16le bom", "utf-16be bom", "utf-16le", "utf-16be", "truncated while written"],
)
def test_the_same_text_from_every_encoding(data):
    assert decode(data) == TEXT


def test_invalid_bytes_cost_only_themselves():
    assert decode(b"ok \xff\xfe ok\nnext\xc3") == "ok \ufffd\ufffd ok\nnext\ufffd"


@pytest.mark.parametrize(
    "data", [b"\x7fELF\x02\x01", b"GGUF\x03", b"\x1f\x8b\x08", bytes(range(256)) * 40, b"\0\1\2\3" * 999]
)
def test_a_binary_is_refused_with_one_sentence(data):
    assert is_binary(data)
    with pytest.raises(UsageError) as refused:
        decode(data)
    assert "binary" in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize("data", [b"", b"Killed\n", "日志：显存不足\n".encode() * 900, b"\x1b[31mred\x1b[0m\n" * 50])
def test_text_is_not_taken_for_a_binary(data):
    assert not is_binary(data)


@pytest.mark.parametrize(
    ("dirty", "shown"),
    [
        ("\x1b[1;36m(EngineCore pid=7)\x1b[0;0m ERROR", "(EngineCore pid=7) ERROR"),
        ("\x1b[2K\x1b[1Gready", "ready"),
        ("\x1b]0;a title\x07ready", "ready"),
        ("\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\ end", "link end"),
        ("[0;36m(APIServer pid=1)[0;0m INFO", "(APIServer pid=1) INFO"),
        ("^[[31mred^[[0m", "red"),
        ("#033[33mfrom syslog#033[0m", "from syslog"),
        ("Loading:   0%\rLoading:  50%\rLoading: 100%", "Loading: 100%"),
        ("Loading: 100%\r", "Loading: 100%"),
        ("a\u202eb\u2066c\u200bd\ufeffe", "abcde"),
        ("a\x00b\x07c\x85d\x9be", "abcd"),
        ("tab\tstays", "tab\tstays"),
        ("took [5m] of [12;30]", "took [5m] of [12;30]"),
    ],
)
def test_what_a_terminal_would_act_on_is_gone(dirty, shown):
    assert clean(dirty) == shown


def test_only_newline_ends_a_line():
    text = "one\r\ntwo\x0btwo\u2028two\x85two\nthree"
    assert clean(text).split("\n") == ["one", "twotwo twotwo", "three"]


def test_docker_json_lines_are_unwrapped_one_in_one_out():
    lines = [json.dumps({"log": f"line {n}\n", "stream": "stderr", "time": "2026-12-01T16:56:53Z"}) for n in range(3)]
    assert clean("\n".join(lines)) == "line 0\nline 1\nline 2"


def test_a_line_that_docker_split_is_joined_again():
    parts = [json.dumps({"log": part, "stream": "stdout"}) for part in ("first half, ", "second half\n", "next\n")]
    assert clean("\n".join(parts)) == "first half, second half\nnext"


def test_a_json_line_of_another_program_stays():
    line = '{"log":{"level":"info"},"msg":"x"}'
    assert clean(line) == line


def test_a_very_long_line_keeps_both_ends():
    line = "START " + "x" * 100_000 + " END"
    short = clean(f"before\n{line}\nafter").split("\n")
    assert len(short) == 3
    assert short[1].startswith("START ")
    assert short[1].endswith(" END")
    assert "characters left out" in short[1]
    assert len(short[1]) <= 8192


def test_a_long_line_is_cut_between_words():
    line = " ".join(f"word{n:05d}" for n in range(3000))
    head, _, rest = clean(line).partition("[... ")
    tail = rest.partition("...]")[2]
    assert all(len(word) == 9 for word in [*head.split(), *tail.split()])


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_cleaning_twice_changes_nothing_and_keeps_the_lines(text):
    once = clean(text)
    assert once.count("\n") == text.replace("\r\n", "\n").count("\n")
    assert clean(once) == once
    assert not any(char in once for char in "\x1b\x9b\r\x00\u202e\u2066")
