"""The command that started the server: a `docker run` or `vllm serve` line, or any text that holds one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from copilot.collect import docker_run, prose
from copilot.collect.arguments import Where, parse_args, program_end, unwrap
from copilot.collect.shell import Token, join, statements
from copilot.collect.vocabulary import Dialect
from copilot.model.evidence import Setting
from copilot.model.programs import engine_of_image, engine_of_log, engine_of_program, is_other_program

_LIMIT = 200_000
"""Characters read; a command is a page at most."""
_PLAIN = re.compile(r"(?!(?:bash|sh|python|serve|exec|env)\b)[a-z]+[.:]?\Z")
"""`vllm serve without --api-key`: a word of letters only is prose, not a model."""
_ASSIGNED = re.compile(r"[A-Z_][A-Z0-9_]*=")
_PYTHON = re.compile(r"(?:.*/)?python[\d.]*\Z")
_STOPS = frozenset(("-", "--", "—", "–", "/", "and", "with", "without", "from", "on", "works", "plus", "then"))


@dataclass(frozen=True, slots=True)
class CommandReading:
    """What the text says about the start."""

    settings: tuple[Setting, ...] = ()
    image: str | None = None
    engine: str | None = None
    name: str | None = None
    """The container's name (`--name`)."""
    docker: bool = False
    """A `docker run` was found: a change is shown as a new command line."""


@dataclass(frozen=True, slots=True)
class _Found:
    settings: tuple[Setting, ...] = ()
    image: str | None = None
    docker: bool = False
    rest: tuple[Token, ...] = ()
    """Words that are not part of the command."""


def read_command(text: str, engine: str | None = None, version: str | None = None) -> CommandReading:
    """The settings, the image and the engine that a command line or a text around it states.

    Inside a command every flag counts; in the prose around it only flags that the engine has, not denied ones
    (`without --api-key`).
    """
    text = text[:_LIMIT]
    dialect = Dialect(engine or _engine(text), version)
    found = [_statement(tokens, dialect) for tokens in statements(text)]
    settings = tuple(s for one in found for s in one.settings)
    image = next((one.image for one in found if one.image), None)
    engine_known = dialect.engine or (engine_of_image(image) if image else None)
    return CommandReading(
        settings=_first_of_prose(settings),
        image=image,
        engine=engine_known,
        name=next((s.value for s in settings if s.parameter == "docker:name"), None),
        docker=any(one.docker for one in found),
    )


def _engine(text: str) -> str | None:
    words = text.split()
    images = (engine_of_image(w.strip(",;()\"'`")) for w in words if "/" in w or ":" in w)
    return engine_of_program([text]) or next((e for e in images if e), None) or engine_of_log(text)


def _first_of_prose(settings: tuple[Setting, ...]) -> tuple[Setting, ...]:
    """The same parameter with the same value, told twice, counts once."""
    seen: set[tuple[str, str | None]] = set()
    kept = []
    for setting in settings:
        if (setting.parameter, setting.value) not in seen:
            kept.append(setting)
        seen.add((setting.parameter, setting.value))
    return tuple(kept)


def _statement(tokens: tuple[Token, ...], dialect: Dialect) -> _Found:
    """One statement: `docker run`, a server program, or prose."""
    tokens = _exported(tokens)
    start = docker_run.starts(tokens)
    if start is not None:
        return _with_prose(_docker(tokens, start, dialect), dialect)
    inner = unwrap(tokens)
    if _of_other(inner):
        return _Found()
    end = program_end(inner)
    if end:
        return _with_prose(_program(inner, end, dialect), dialect)
    if tokens and tokens[0].text.startswith("--") and not _until_prose(inner, 0)[1]:
        return _program(inner, 0, dialect)
    if (
        len(tokens) > 1
        and tokens[1].text.startswith("--")
        and engine_of_image(tokens[0].text)
        and "/" in tokens[0].text
    ):
        return _with_prose(_docker(tokens, 0, dialect), dialect)
    image = prose.image(tokens)
    return _Found(prose.settings(tokens, dialect), image)


def _of_other(tokens: Sequence[Token]) -> bool:
    """Whether the statement starts another server: its flags look like the engine's and are not."""
    words = [t.text for t in tokens if not _ASSIGNED.match(t.text)][:4]
    if words and _PYTHON.match(words[0]) and "-m" in words[:-1]:
        return is_other_program(words[words.index("-m") + 1])
    return bool(words) and words[0] != "vllm" and len(words) > 1 and is_other_program(words[0].rsplit("/", 1)[-1])


def _with_prose(found: _Found, dialect: Dialect) -> _Found:
    """The command, and what the words after it say."""
    said = prose.settings(found.rest, dialect)
    given = {s.parameter for s in found.settings}
    more = tuple(s for s in said if s.parameter not in given)
    return replace(found, settings=found.settings + more, image=found.image or prose.image(found.rest))


def _exported(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Without the words that only set a variable (`export`, `set`, PowerShell's `$env:`)."""
    if tokens and tokens[0].text in {"export", "set", "setx", "sudo", "$", ">", "PS>", "+", "time", "nohup"}:
        return tokens[1:]
    return tokens


def _docker(tokens: tuple[Token, ...], start: int, dialect: Dialect) -> _Found:
    parts = docker_run.take_apart(tokens, start)
    settings = [
        Setting(parameter=o.parameter, value=o.value, source="command", line=tokens[o.first].line, spelled=o.spelled)
        for o in parts.options
        if o.parameter
    ]
    if parts.image is None:
        return _Found(tuple(settings), None, docker=True, rest=tokens[parts.rest :])
    word = tokens[parts.image]
    image = word.text.rstrip(",.")
    settings.append(Setting(parameter="docker:image", value=image, source="command", line=word.line))
    if image != word.text:
        return _Found(tuple(settings), image, docker=True, rest=tokens[parts.rest :])
    dialect = Dialect(dialect.engine or engine_of_image(image), dialect.version)
    command, rest = _until_prose(tokens[parts.rest :], program_end(tokens[parts.rest :]))
    if command:
        value = join([t.text for t in command])
        settings.append(Setting(parameter="docker:command", value=value, source="command", line=command[0].line))
    settings.extend(parse_args(command, dialect, Where("command")))
    return _Found(tuple(settings), image, docker=start > 0, rest=rest)


def _program(tokens: tuple[Token, ...], end: int, dialect: Dialect) -> _Found:
    command, rest = _until_prose(tokens, end)
    return _Found(parse_args(command, dialect, Where("command")), None, rest=rest)


def _until_prose(tokens: tuple[Token, ...], end: int) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """The command's own words and the sentence that goes on after it."""
    for index in range(end, len(tokens)):
        word = tokens[index]
        if word.quoted:
            continue
        if word.text.startswith("(") or _reads_on(tokens, index, end):
            return tokens[:index], tokens[index:]
        if word.text.endswith((",", ";")) and not word.text.startswith(("{", "[")):
            trimmed = replace(word, text=word.text.rstrip(",;"))
            return (*tokens[:index], trimmed), tokens[index + 1 :]
    return tokens, ()


def _reads_on(tokens: Sequence[Token], index: int, end: int) -> bool:
    """Whether a sentence begins here: a word of prose, two plain words in a row, or one in the model's place."""
    text = tokens[index].text
    if text in _STOPS:
        return True
    before = tokens[index - 1].text if index > end else ""
    if not _PLAIN.match(text) or (before.startswith("-") and "=" not in before):
        return False
    following = tokens[index + 1].text if index + 1 < len(tokens) else ""
    return bool(_PLAIN.match(following)) or (index == end and end > 0)
