"""The words after `vllm serve`, `python -m vllm...` or an image, as parameters of the contract.

Shared by compose files, typed commands and `docker inspect`, so that one spelling has one name everywhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from copilot.collect.shell import Token, split
from copilot.collect.vocabulary import Dialect, Spelling, spell
from copilot.model.evidence import Setting
from copilot.model.words import SourceName

_NUMBER = re.compile(r"-\.?\d[\d.]*[a-zA-Z%]*\Z")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)\Z", re.DOTALL)
_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh"})
_PYTHON = re.compile(r"(?:.*/)?python(?:\d+(?:\.\d+)*)?(?:\.exe)?\Z")
_OTHERS = _SHELLS | {"sleep", "tail", "nvidia-smi", "env", "ls", "cat", "true", "pip", "tini", "entrypoint.sh"}
"""Programs that are not the server: their words are no flags of the engine."""
_LISTS = frozenset({"--served-model-name", "--lora-modules", "--api-key", "--middleware", "--cudagraph-capture-sizes"})
"""Flags that take several words (argparse `nargs`); the others take one."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One parameter with the words that give it."""

    parameter: str
    value: str | None
    first: int
    """Index of its first word."""
    last: int
    """Index of its last word."""
    joined: bool = False
    """Written `--x=y`."""
    spelled: str = ""

    @property
    def positional(self) -> bool:
        """The model given without `--model`."""
        return self.parameter == "--model" and not self.spelled.startswith("-")


def script_index(tokens: Sequence[Token]) -> int | None:
    """Index of the script of `bash -c "..."`, or None."""
    for index, token in enumerate(tokens[:-1]):
        if token.text.rsplit("/", 1)[-1] in _SHELLS:
            for at in range(index + 1, min(index + 4, len(tokens) - 1)):
                if re.fullmatch(r"-[a-z]*c", tokens[at].text):
                    return at + 1
    return None


def unwrap(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The words inside `bash -c "..."`, each on its own line of the string; other words unchanged."""
    at = script_index(tokens)
    if at is None:
        return tuple(tokens)
    script = tokens[at]
    inner = split(script.text, script.line or 1)
    # offsets of the inner words count in the script, not in the file: they are not kept
    return (*tokens[:at], *(Token(t.text, t.line if script.line else 0) for t in inner), *tokens[at + 1 :])


def program_end(tokens: Sequence[Token]) -> int:
    """Index of the first word after the server's program name; 0 where the words begin with its arguments."""
    texts = [t.text for t in tokens]
    for index, text in enumerate(texts):
        name = text.rsplit("/", 1)[-1]
        following = texts[index + 1] if index + 1 < len(texts) else ""
        if name in {"vllm", "ollama"} and following == "serve":
            return index + 2
        if name == "vllm" and following.startswith("-") and index == 0:
            return index + 1
        if _PYTHON.match(text) and (end := _module_end(texts, index)):
            return end
        if name in {"api_server", "api_server.py", "launch.sh"} and following:
            return index + 1
    return 0


def _module_end(texts: Sequence[str], index: int) -> int:
    """Index after `python -u -m vllm.x`, or 0."""
    for at in range(index + 1, min(index + 5, len(texts) - 1)):
        if texts[at] == "-m" and texts[at + 1].startswith("vllm"):
            return at + (3 if texts[at + 2 : at + 3] == ["serve"] else 2)
    return 0


def parse(tokens: Sequence[Token], dialect: Dialect) -> tuple[Argument, ...]:
    """The parameters among the words, in their order. Leading `VAR=x` words are variables of the program."""
    found: list[Argument] = []
    start = program_end(tokens)
    for index, token in enumerate(tokens[:start]):
        if assigned := _ASSIGNMENT.match(token.text):
            found.append(Argument(f"env:{assigned[1]}", assigned[2], index, index, joined=True, spelled=token.text))
    index = start
    while index < len(tokens):
        argument = _argument(tokens, index, dialect, model_known=any(a.parameter == "--model" for a in found))
        if argument:
            found.append(argument)
        index = argument.last + 1 if argument else index + 1
    return tuple(found)


def _argument(tokens: Sequence[Token], index: int, dialect: Dialect, *, model_known: bool) -> Argument | None:
    text = tokens[index].text
    if not _is_flag(text):
        positional = dialect.engine != "ollama" and not model_known and _is_model(text)
        return Argument("--model", text, index, index, spelled=text) if positional else None
    if "=" in text:
        spelled, _, value = text.partition("=")
        known = spell(spelled, dialect)
        return Argument(known.parameter, value, index, index, joined=True, spelled=spelled)
    known = spell(text, dialect)
    last = _last_value(tokens, index, known)
    if last == index:
        return Argument(known.parameter, known.implied, index, index, spelled=text)
    value = " ".join(t.text for t in tokens[index + 1 : last + 1])
    return Argument(known.parameter, value, index, last, spelled=text)


def _last_value(tokens: Sequence[Token], index: int, known: Spelling) -> int:
    """Index of the last word that belongs to the flag at `index`."""
    if known.switch or index + 1 >= len(tokens) or _is_flag(tokens[index + 1].text):
        return index
    last = index + 1
    while known.parameter in _LISTS and last + 1 < len(tokens) and not _is_flag(tokens[last + 1].text):
        last += 1
    return last


def _is_flag(text: str) -> bool:
    """Whether the word is an option: `-1` and `-0.5` are values."""
    return len(text) > 1 and text[0] == "-" and not _NUMBER.match(text) and not text[1:2].isspace()


def _is_model(text: str) -> bool:
    return bool(re.match(r"[A-Za-z0-9./~$<‹_]", text)) and not _ASSIGNMENT.match(text) and text != "..."


@dataclass(frozen=True, slots=True)
class Where:
    """Which source and file the words come from."""

    source: SourceName
    file: str = ""


def settings_of(arguments: Sequence[Argument], tokens: Sequence[Token], where: Where) -> tuple[Setting, ...]:
    """The parameters as settings with the line of their first word."""
    return tuple(
        Setting(
            parameter=a.parameter,
            value=a.value,
            source=where.source,
            file=where.file,
            line=tokens[a.first].line,
            spelled=a.spelled if a.spelled != a.parameter and not a.parameter.startswith("env:") else "",
        )
        for a in arguments
    )


def parse_args(tokens: Sequence[Token], dialect: Dialect, where: Where) -> tuple[Setting, ...]:
    """Settings of a container's or a shell's command words; `bash -c "..."` is looked into."""
    inner = unwrap(tokens)
    if program_end(inner) == 0 and inner and inner[0].text.rsplit("/", 1)[-1] in _OTHERS:
        return ()
    return settings_of(parse(inner, dialect), inner, where)
