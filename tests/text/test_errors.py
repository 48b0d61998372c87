"""The catalogue of errors: every error of the code is in it, both languages hold the same, and nothing else changes."""

import re
import tomllib
from itertools import count
from pathlib import Path

import pytest

from copilot.adapters.nvml import REASONS
from copilot.collect.gpu import PROBLEMS
from copilot.model.text import Text
from copilot.parameters import registry
from copilot.text import errors
from copilot.text.errors import catalogue, translated
from text import in_the_code

FIELD = re.compile(r"\{(\w*)\}")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
WORD = re.compile(r"[A-Za-z]+")
PLAIN = re.compile(r"(?<![\w./-])[A-Z]?[a-z]+(?![\w./-])")
"""An English word, not a part of a name."""
CODE = re.compile(r"`[^`]*`|--[a-z-]+")
TECHNICAL = {word for chinese in catalogue().values() for word in WORD.findall(chinese)}
"""What a Chinese sentence may hold of Latin words: names and commands."""
IN_THE_CODE = {
    **in_the_code.texts(),
    **dict.fromkeys(REASONS.values(), "adapters/nvml.py"),
    **{f"No GPU could be read: {reason}.": "collect/gpu.py" for reason, _ in PROBLEMS},
    **{
        f"{{}} must be {low} {{}}{high}, not {{}}.": "parameters/values.py"
        for low in ("more than", "at least")
        for high in ("", ", at most {}")
    },
}
"""Text -> where it is. The last ones come out of tables and conditions that a walk does not follow."""
ELSEWHERE = ("usage", "reasons")
"""Tables whose English is another's: Typer, the system, the parsers."""


def filled(text: str) -> tuple[str, list[str]]:
    """The text with a value in every field, and the values."""
    numbers = count(1)
    shown = FIELD.sub(lambda _: f"7{next(numbers)}7", text)
    return shown, re.findall(r"7\d+7", shown)


def tables() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(errors.__file__).with_name("errors.toml")).read_text(encoding="utf-8"))


def untranslated(text: str) -> bool:
    """Whether a text of the code with values in it stays English, in whole or in part, or loses a value."""
    shown, values = filled(text)
    chinese = translated(shown, "zh")
    foreign = set(PLAIN.findall(chinese)) - TECHNICAL
    return not CHINESE.search(chinese) or bool(foreign) or any(value not in chinese for value in values)


def test_every_error_of_the_code_has_its_chinese() -> None:
    worded = {text: place for text, place in IN_THE_CODE.items() if WORD.search(FIELD.sub("", text))}
    assert [f"{place}: {text}" for text, place in worded.items() if untranslated(text)] == []


def test_the_walk_follows_names_fields_and_tables() -> None:
    assert len(IN_THE_CODE) > 300
    assert {
        "There is no file {}.",
        "Start Docker. Or name the evidence: --log FILE, --compose FILE.",  # a sum with an imported constant
        "The output cannot be written to {}: {}.",  # a local name with a condition
        "the log on standard input is empty",  # a condition within a field
        "{name} has no model {model}.",  # a row of a table
        "Nothing could be collected: {}.",  # what another function gives
    } <= set(IN_THE_CODE)


def test_the_check_sees_what_is_missing() -> None:
    assert untranslated("A sentence that nobody wrote into the catalogue, with {}.")
    assert untranslated("Nobody knows this; There is no file {}.")


def test_an_entry_is_of_use() -> None:
    pieces = "\n".join(text for path in in_the_code.ROOT.rglob("*.py") for text in in_the_code.strings(path))
    known = [re.compile(re.sub(r"\\\{\w*\\\}", ".*", re.escape(text))) for text in IN_THE_CODE if WORD.search(text)]
    for name, table in tables().items():
        for english in table if name not in ELSEWHERE else ():
            literal = all(piece in pieces for piece in FIELD.split(english)[::2])
            assert literal or any(one.fullmatch(english) for one in known), f"nothing says: {english}"


def test_both_languages_have_the_same_fields_and_names() -> None:
    for english, chinese in catalogue().items():
        fields = FIELD.findall(english)
        assert len(fields) == len(set(fields)), english
        assert sorted(FIELD.findall(chinese)) == sorted(fields), english
        assert sorted(CODE.findall(chinese)) == sorted(CODE.findall(english)), english
        kept = WORD.findall(FIELD.sub("", chinese))
        assert all(word.lower() in english.lower() for word in kept), english


def test_no_text_stands_in_two_tables() -> None:
    assert sum(map(len, tables().values())) == len(catalogue())


def test_the_chinese_has_chinese_marks() -> None:
    for english, chinese in catalogue().items():
        if english.startswith("[Errno "):
            continue
        assert CHINESE.search(chinese), english
        assert not re.search(r"[\u4e00-\u9fff][,;:!?()]|[,;:!?()][\u4e00-\u9fff]", chinese), chinese
        assert not re.search(r"[\u4e00-\u9fff][A-Za-z0-9{`]|[A-Za-z0-9}`][\u4e00-\u9fff]", chinese), chinese
        if english.endswith(".") and english not in tables()["reasons"]:
            assert chinese.endswith(("。", "1", "json")), chinese


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("There is no file a/b: c.log.", "没有文件 a/b: c.log。"),
        ("There is no file of faults x.toml.", "没有故障文件 x.toml。"),  # the more specific of two that fit
        ("nofile cannot be read: Permission denied.", "无法读取 nofile：权限不足。"),
        ("No Docker engine runs here", "本机没有运行 Docker 引擎"),  # a note has lost its full stop
        ("docker info: The Docker engine does not answer.", "docker info：Docker 引擎没有应答。"),
        (
            "Nothing could be collected: No Docker engine runs here; something new.",
            "没有收集到任何内容：本机没有运行 Docker 引擎；something new。",
        ),
        (
            "box is overloaded (503). It says: wait (a minute).",  # another's words are not ours to translate
            "box 过载（503）。对方的原话：wait (a minute).",
        ),
        (
            "/c.toml is not valid TOML: Expected '=' after a key in a key/value pair (at line 1, column 5).",
            "/c.toml 不是有效的 TOML：第 1 行第 5 列：键后面缺少 '='。",
        ),
        ("Did you mean --port or --host?", "是不是要写 --port 或 --host？"),
    ],
)
def test_the_template_that_fits_best_is_filled(english: str, chinese: str) -> None:
    assert translated(english, "zh") == chinese


@pytest.mark.parametrize("text", ["", "; ", ": ", "Nothing of ours.", "a: b; c: d", "{path}", "\x00\n"])
def test_what_is_not_in_the_catalogue_stays(text: str) -> None:
    assert translated(text, "zh") == text


def test_english_is_returned_as_it_is() -> None:
    for english in (*catalogue(), "anything else"):
        assert translated(english, "en") is english


@pytest.mark.parametrize(
    ("parameter", "value", "engine"),
    [
        ("--max-model-len", "many", "vllm"),
        ("--gpu-memory-utilization", "1.5", "vllm"),
        ("--gpu-memory-utilization", "much", "vllm"),
        ("--dtype", "float8", "vllm"),
        ("--enforce-eager", "7", "vllm"),
        ("env:OLLAMA_NUM_PARALLEL", "two", "ollama"),
        ("env:OLLAMA_FLASH_ATTENTION", "perhaps", "ollama"),
        ("env:OLLAMA_KEEP_ALIVE", "long", "ollama"),
    ],
)
def test_a_value_that_is_refused_is_said_as_the_registry_says_it(parameter: str, value: str, engine: str) -> None:
    from copilot.parameters.values import problem

    said = problem(registry().find(parameter, engine, None), value, engine)
    assert isinstance(said, Text)
    assert translated(said.en, "zh") == said.zh
