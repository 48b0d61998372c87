"""A `docker run` or `vllm serve` line with one value changed, for people without a compose file."""

import re

from copilot.collect import docker_run
from copilot.collect.arguments import parse, program_end
from copilot.collect.shell import Token, join, quote, statements
from copilot.collect.vocabulary import Dialect, spell, turned_off
from copilot.compose.surgery import Edit, apply
from copilot.model.programs import engine_of_image
from copilot.model.text import RedactedText

_OPTIONS = {
    "docker:gpus": "--gpus",
    "docker:shm_size": "--shm-size",
    "docker:ipc": "--ipc",
    "docker:volumes": "-v",
    "docker:ports": "-p",
    "docker:runtime": "--runtime",
    "docker:name": "--name",
    "docker:network": "--network",
    "docker:restart": "--restart",
    "docker:user": "--user",
    "docker:mem_limit": "--memory",
    "docker:entrypoint": "--entrypoint",
    "docker:platform": "--platform",
    "docker:extra_hosts": "--add-host",
    "docker:ulimits": "--ulimit",
    "docker:env_file": "--env-file",
}
_SEVERAL = frozenset({"docker:volumes", "docker:ports", "docker:extra_hosts", "docker:ulimits", "docker:env_file"})
_PLACEHOLDER = re.compile(r"(?<![\w$])(?P<name>[A-Za-z_]\w*)=‹[a-z-]+-\d+›")


def command_change(command: RedactedText, parameter: str, to: str | None) -> str | None:
    """The command line after the change; its line breaks stay, a redacted variable becomes `NAME="$NAME"`.

    None where the text holds no command, or no place for the parameter (a `docker:` option without `docker run`).
    """
    text = command.replace("\r\n", "\n")
    for tokens in statements(text):
        start = docker_run.starts(tokens)
        end = program_end(tokens)
        if start is not None:
            edits = _docker(text, tokens, start, (parameter, to))
        elif end:
            edits = _program(text, tokens, end, (parameter, to))
        else:
            continue
        if edits is None:
            return None
        changed = apply(text[: tokens[-1].end], edits)[tokens[0].start :]
        return _PLACEHOLDER.sub(r'\g<name>="$\g<name>"', changed)
    return None


def _docker(text: str, tokens: tuple[Token, ...], start: int, wanted: tuple[str, str | None]) -> list[Edit] | None:
    parts = docker_run.take_apart(tokens, start)
    parameter, to = wanted
    if parts.image is None:
        return None
    image = tokens[parts.image]
    if parameter.startswith("-"):
        return _flags(text, tokens, parts.rest, (wanted, engine_of_image(image.text)))
    if parameter == "docker:image":
        return [Edit(image.start, image.end, quote(to))] if to else None
    if parameter == "docker:command":
        gone = [_cut(text, tokens[parts.rest].start, tokens[-1].end)] if parts.rest < len(tokens) else []
        return [*gone, Edit(tokens[-1].end, tokens[-1].end, f" {to}")] if to else gone
    name = "-e" if parameter.startswith("env:") else _OPTIONS.get(parameter)
    if name is None:
        return None
    value = None if to is None else f"{parameter.removeprefix('env:')}={to}" if name == "-e" else to
    return _option(text, tokens, parts, (parameter, name, value))


def _option(
    text: str, tokens: tuple[Token, ...], parts: docker_run.DockerRun, wanted: tuple[str, str, str | None]
) -> list[Edit]:
    """Change, remove or add one option of `docker run`."""
    parameter, name, value = wanted
    found = [o for o in parts.options if o.parameter == parameter]
    if parameter in _SEVERAL and value is not None:
        found = [o for o in found if _about(parameter, o.value or "") == _about(parameter, value)]
    if value is None:
        return [_cut(text, tokens[o.first].start, tokens[o.last].end) for o in found]
    if found:
        last = found[-1]
        if last.first != last.last:
            word = tokens[last.last]
            return [Edit(word.start, word.end, quote(value))]
        word = tokens[last.first]
        return [
            Edit(word.start, word.end, f"{last.spelled}{'=' if last.spelled.startswith('--') else ' '}{quote(value)}")
        ]
    image = tokens[parts.image or 0]
    return [Edit(image.start, image.start, f"{name} {quote(value)}{_gap(text, image.start)}")]


def _about(parameter: str, value: str) -> str:
    parts = value.removesuffix(":ro").removesuffix(":rw").split(":")
    if parameter == "docker:ports":
        return parts[-1].partition("/")[0]
    return parts[-1] if parameter == "docker:volumes" else re.split("[:=]", value)[0]


def _program(text: str, tokens: tuple[Token, ...], end: int, wanted: tuple[str, str | None]) -> list[Edit] | None:
    parameter, to = wanted
    if parameter.startswith("-"):
        return _flags(text, tokens, end, (wanted, "vllm"))
    if not parameter.startswith("env:"):
        return None
    name = parameter.removeprefix("env:")
    before = [t for t in tokens[:end] if t.text.startswith(f"{name}=")]
    if before and to is None:
        return [Edit(before[-1].start, _next_start(text, before[-1].end), "")]
    if before:
        return [Edit(before[-1].start, before[-1].end, quote(f"{name}={to}"))]
    return [] if to is None else [Edit(tokens[0].start, tokens[0].start, f"{quote(f'{name}={to}')} ")]


def _flags(
    text: str, tokens: tuple[Token, ...], first: int, wanted: tuple[tuple[str, str | None], str | None]
) -> list[Edit] | None:
    """Change, remove or add one flag of the engine among the words from `first` on."""
    (parameter, to), engine = wanted
    dialect = Dialect(engine)
    arguments = parse(tokens[first:], dialect)
    found = next((a for a in reversed(arguments) if a.parameter == parameter), None)
    switch = spell(parameter, dialect).switch
    negative = turned_off(parameter, dialect) if switch else None
    if to is None or (switch and to.lower() == "false" and negative is None):
        return [] if found is None else [_cut(text, tokens[first + found.first].start, tokens[first + found.last].end)]
    words = [parameter, to] if not switch else [negative if negative and to.lower() == "false" else parameter]
    if found is None:
        at = tokens[-1].end
        head = next(t for t in tokens if t.line == tokens[-1].line)
        return [Edit(at, at, f"{_gap(text, head.start, before=True)}{join(words)}")]
    span = (tokens[first + found.first].start, tokens[first + found.last].end)
    if found.positional:
        return [Edit(*span, quote(to))]
    if switch:
        return [Edit(*span, words[0])]
    sign = "=" if found.joined else " "
    return [Edit(*span, f"{found.spelled}{sign}{quote(to)}")]


def _gap(text: str, at: int, *, before: bool = False) -> str:
    """What stands between two words here: a continuation and the line's indentation, or a blank."""
    begin = text.rfind("\n", 0, at) + 1
    lead = text[begin:at]
    previous = text[:begin].rstrip("\n").rstrip()
    if lead.strip() or begin == 0 or previous[-1:] not in {"\\", "`", "^"}:
        return " "
    broken = f" {previous[-1]}\n{lead}"
    return broken if before or lead else " "


def _next_start(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _cut(text: str, start: int, end: int) -> Edit:
    """The words with the blanks before them; on a line of their own with that line's continuation."""
    begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    rest = text[end:stop].strip()
    if begin and not text[begin:start].strip() and rest in {"\\", "`", "^"}:
        return Edit(begin, min(stop + 1, len(text)), "")
    if begin and not text[begin:start].strip() and not rest:
        return Edit(len(text[:begin].rstrip().rstrip("\\`^").rstrip()), end, "")
    return Edit(len(text[:start].rstrip(" \t")), end, "")
