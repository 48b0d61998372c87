"""Flags, variables and an image named in a sentence about the start (`--port 8000, VLLM_USE_V1=0 did not help`).

A sentence may speak of what was not done. So only what is clearly set counts: a variable with its value, a flag that
the engine has with a value that the flag can take, and nothing after a word of denial.
"""

import json
import re
from collections.abc import Sequence

from copilot.collect.shell import Token
from copilot.collect.vocabulary import Dialect, Spelling, spell
from copilot.model.evidence import Setting
from copilot.model.programs import engine_of_image

_VARIABLE = re.compile(r"\(?(?:\$env:)?([A-Z][A-Z0-9]*_[A-Z0-9_]*)=(.*)\Z", re.DOTALL)
_PAIR = re.compile(r"([a-z][a-z0-9]*(?:[_-][a-z0-9]+)+)=(.+)\Z", re.DOTALL)
_BARE = re.compile(r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+\Z")
_SHORT = {"TP": "--tensor-parallel-size", "PP": "--pipeline-parallel-size", "DP": "--data-parallel-size"}
_DENIED = frozenset(
    (
        *("no", "not", "nor", "neither", "without", "lacks", "lacking", "missing", "unset", "never", "instead"),
        *("need", "needs", "needed", "require", "requires", "required", "asks", "suggests", "suggested", "recommends"),
        *("should", "must", "could", "would", "maybe", "add", "way"),
        *("works", "worked", "helps", "fixed", "changing", "tried", "try", "until", "default"),
        *("drop", "dropped", "removed", "removing", "omit", "omitted"),
        *("没有", "无", "不带", "未", "去掉", "不加", "缺少"),
    )
)
_NOT_DONE = frozenset(
    (*("not", "isn't", "wasn't", "missing", "unset", "required", "needed", "necessary", "helps", "helped"), "later")
)
"""Words behind a switch that say it was not there: `--trust-remote-code was not given`."""
_CONTAINER = {
    "--gpus": "docker:gpus",
    "--runtime": "docker:runtime",
    "--ipc": "docker:ipc",
    "--shm-size": "docker:shm_size",
    "--device": "docker:gpus",
    "--network": "docker:network",
    "--user": "docker:user",
}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?[kKmMgG]?\Z")
_VALUE = re.compile(r"[\w./:{\[‹<~$-].*\Z", re.DOTALL)
_ORDINARY = re.compile(r"(?:[a-z]+|above|below)\Z")


def settings(tokens: Sequence[Token], dialect: Dialect) -> tuple[Setting, ...]:
    """What the sentence says is set."""
    words = _words(tokens)
    found: list[Setting] = []
    for index in range(len(words)):
        if not _denied(words, index):
            setting = _setting(words, index, dialect)
            if setting is not None:
                found.append(setting)
    return tuple(found)


def image(tokens: Sequence[Token]) -> str | None:
    """An engine's image named in the sentence, or what follows the word `image`."""
    words = [t.text.strip("(),.;`\"'") for t in tokens]
    for index, word in enumerate(words):
        named = index > 0 and words[index - 1].rstrip(":") == "image"
        if ("/" in word or named) and re.fullmatch(r"[a-z0-9][\w.-]*(?:/[\w.-]+)*(?:[:@][\w.:-]+)?", word):
            tagged = ":" in word.rsplit("/", 1)[-1] or "@" in word
            if engine_of_image(word) and (tagged or named):
                return word
    return None


def _words(tokens: Sequence[Token]) -> list[Token]:
    """The words without the sentence's punctuation; JSON lists and call arguments taken apart."""
    words: list[Token] = []
    for token in tokens:
        parts = _listed(token.text) or (token.text,)
        for part in parts:
            text = part if token.quoted or len(parts) > 1 else _bare(part)
            if text:
                words.append(Token(text, token.line, quoted=token.quoted))
    return words


def _bare(text: str) -> str:
    text = re.sub(r"\A[A-Za-z_.]*\((?=[a-z_]+=)", "", text)  # LLM(max_model_len=...
    text = text.rstrip(",;`\"'").removesuffix(".") if not text.endswith("...") else text
    if text.count(")") > text.count("("):
        text = text.rstrip(")")
    return text.lstrip("(`\"'").removesuffix(":")


def _listed(text: str) -> tuple[str, ...]:
    """The words of a JSON list (`["--model", "x"]`), empty where the text is none."""
    if not text.startswith("["):
        return ()
    try:
        value = json.loads(text)
    except ValueError:
        return ()
    return tuple(value) if isinstance(value, list) and all(isinstance(v, str) for v in value) else ()


def _denied(words: Sequence[Token], index: int) -> bool:
    """Whether one of the three words before says that it was not so."""
    before = [w.text.lower() for w in words[max(0, index - 3) : index]]
    return any(word in _DENIED for word in before if not word.startswith("-"))


def _setting(words: Sequence[Token], index: int, dialect: Dialect) -> Setting | None:
    text, line = words[index].text, words[index].line
    if variable := _VARIABLE.match(text):
        return Setting(parameter=f"env:{variable[1]}", value=variable[2], source="command", line=line)
    head, _, joined = text.partition("=")
    if head in _CONTAINER:
        return _container(words, index)
    if head in _SHORT and joined.isdigit():
        return Setting(parameter=_SHORT[head], value=joined, source="command", line=line, spelled=text)
    flag = _flag(text)
    known = spell(flag, dialect) if flag else None
    return _known_flag(words, index, known) if known is not None and known.known else None


def _known_flag(words: Sequence[Token], index: int, known: Spelling) -> Setting | None:
    """A flag that the engine has, if the sentence gives it a value that it can take."""
    head, joined, value = words[index].text.partition("=")
    said = value if joined else _following(words, index, known)
    if known.switch:
        if (said in {"False", "false"} and known.implied is None) or _undone(words, index):
            return None
        said = known.implied
    elif said is None or not _fits(said, known):
        return None
    return Setting(parameter=known.parameter, value=said, source="command", line=words[index].line, spelled=head)


def _undone(words: Sequence[Token], index: int) -> bool:
    """Whether the words behind a switch say that it was not set."""
    for word in words[index + 1 : index + 4]:
        if word.text.startswith("-"):
            return False
        if word.text.lower() in _NOT_DONE:
            return True
    return False


def _flag(text: str) -> str | None:
    """The word as a flag: `--x`, `-tp`, `max_model_len=...`, `max-model-len`."""
    head = text.partition("=")[0]
    if text.startswith("-"):
        return head
    return f"--{head}" if _PAIR.match(text) or _BARE.match(text) else None


def _following(words: Sequence[Token], index: int, known: Spelling) -> str | None:
    if index + 1 >= len(words) or words[index + 1].text.startswith("--"):
        return known.implied
    following = words[index + 1].text
    if known.switch:
        return following if following in {"True", "true", "False", "false"} else known.implied
    return following


def _fits(value: str, known: Spelling) -> bool:
    """Whether the word after a flag in a sentence can be its value."""
    if known.kind in {"int", "float"}:
        return bool(_NUMBER.match(value)) or value == "auto"
    return bool(_VALUE.match(value)) and (known.kind == "choice" or not _ORDINARY.match(value))


def _container(words: Sequence[Token], index: int) -> Setting | None:
    head, equals, value = words[index].text.partition("=")
    if not equals:
        value = words[index + 1].text if index + 1 < len(words) else ""
    if not value or value.startswith("-") or value == "/" or (head == "--device" and "/gpu" not in value):
        return None
    return Setting(parameter=_CONTAINER[head], value=value, source="command", line=words[index].line, spelled=head)
