"""The diff of the person's own file for one changed value."""

import re
from collections.abc import Iterator, Sequence

from copilot.compose import dotenv
from copilot.compose.change_command import Command, command_edits
from copilot.compose.change_container import container_edits
from copilot.compose.change_environment import environment_edits
from copilot.compose.diff import hidden_lines, unified
from copilot.compose.document import entries, is_mapping, items, load, scalar
from copilot.compose.interpolate import read_env, variables_in
from copilot.compose.pick import pick
from copilot.compose.sharing import own_copy, quoted_command
from copilot.compose.surgery import Edit, apply
from copilot.compose.target import ComposeChange, ComposeFile, NotEditableError, Target
from copilot.compose.values import SCALARS, path
from copilot.compose.verify import verify
from copilot.model.text import Text

_FORMS = 6
"""Steps towards a value of one's own at most: a value lies a few keys deep."""
_VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?P<op>:?-)(?P<default>[^{}]*)\}")


def change(compose: ComposeFile, service: str | None, parameter: str, to: str | None) -> ComposeChange:
    """Set one parameter of a service to `to`, or remove it (None), and nothing else.

    Where the value comes from a variable that `.env` sets, the change is of that file. The result was read back: it
    differs from the file before in this one parameter. Where no such edit exists, `diff` is None and `reason` says why.
    UsageError where the file cannot be read or has no such service.
    """
    env = read_env(compose.env_raw) if compose.env_raw is not None else {}
    document = load(compose.raw, compose.name)
    target = Target(document, pick(document, service, env), env)
    return _by_variable(compose, target, parameter, to) or _in_place(compose, target, (parameter, to))


def _in_place(compose: ComposeFile, target: Target, wanted: tuple[str, str | None]) -> ComposeChange:
    """Edit where the value stands; where others would change with it, make it this service's own first."""
    mark = "\ufeff" if compose.raw.startswith("\ufeff") else ""
    hidden = hidden_lines(compose.raw, compose.redacted)
    reason: Text | None = None
    try:
        for here in _forms(target, wanted[0], hidden):
            try:
                after = apply(here.document.text, _edits(here, *wanted))
                verify(target, after, wanted)
            except NotEditableError as refused:
                reason = reason or refused.reason
            else:
                return _shown(compose.name, compose.raw, mark + after, hidden)
    except NotEditableError as refused:
        reason = refused.reason
    return ComposeChange(compose.name, None, compose.raw, reason)


def _forms(target: Target, parameter: str, hidden: set[int]) -> Iterator[Target]:
    """The file as it is, then in forms of the same meaning in which the one value may be easier to change.

    NotEditableError where the next form cannot be had.
    """
    text: str | None = target.document.text
    for _ in range(_FORMS):
        if text is None:
            return
        here = Target(load(text, target.document.file), target.name, target.env)
        yield here
        if (quoted := quoted_command(here, parameter)) is not None:
            yield Target(load(quoted, target.document.file), target.name, target.env)
        text = own_copy(here, parameter, hidden)


def change_env(raw: str, file: str, name: str, to: str | None, redacted: str = "") -> ComposeChange:
    """The same for a variable of a `.env` or env_file."""
    return _shown(file, raw, dotenv.changed(raw, name, to), hidden_lines(raw, redacted))


def _edits(target: Target, parameter: str, to: str | None) -> Sequence[Edit]:
    if parameter.startswith("-"):
        return command_edits(target, parameter, to)
    if parameter.startswith("env:"):
        return environment_edits(target, parameter.removeprefix("env:"), to)
    return container_edits(target, parameter, to)


def _shown(file: str, before: str, after: str, hidden: set[int]) -> ComposeChange:
    diff = unified(before, after, file, hidden)
    if diff is None:
        reason = Text(
            en=f"The line to change in {file} holds a secret, so its diff is not shown.",
            zh=f"{file} 中要修改的行含有密钥，因此不显示其差异。",
        )
        return ComposeChange(file, None, after, reason)
    return ComposeChange(file, diff, after)


def _by_variable(compose: ComposeFile, target: Target, parameter: str, to: str | None) -> ComposeChange | None:
    """The change of the variable that the value is made of, or None where the value stands in the file itself."""
    text = _value_text(target, parameter)
    names = variables_in(text) if text else ()
    if to is None or text is None or len(names) != 1:
        return None
    pattern = re.escape(text)
    for form in (f"${{{names[0]}}}", f"${names[0]}"):
        pattern = pattern.replace(re.escape(form), "(.+)")
    pattern = re.sub(r"\\\$\\\{" + names[0] + r":?\\?[-?].*?\\\}", "(.+)", pattern)
    match = re.fullmatch(pattern, to)
    if match is None or not match.groups():
        return None
    if names[0] in target.env and compose.env_raw is not None:
        return change_env(compose.env_raw, compose.env_name, names[0], match[1], compose.env_redacted)
    if _VARIABLE.search(text):
        new = _VARIABLE.sub(lambda m: f"${{{m['name']}{m['op']}{match[1]}}}", text)
        if compose.raw.count(text) == 1:
            after = compose.raw.replace(text, new)
            return _shown(compose.name, compose.raw, after, hidden_lines(compose.raw, compose.redacted))
    return None


def _value_text(target: Target, parameter: str) -> str | None:
    """The value as written, before interpolation."""
    if parameter.startswith("-"):
        for place in ("command", "entrypoint"):
            command = Command(target, place)
            found = command.having(parameter)
            if found is not None:
                if command.words[found.last].token.start < 0:
                    return None  # one variable of several words: not this value alone
                word = command.words[found.last].written
                return word.partition("=")[2] if found.joined else word
        return None
    if parameter.startswith("env:"):
        return _environment_text(target, parameter.removeprefix("env:"))
    key = next((k for k, p in SCALARS.items() if p == parameter), None)
    if parameter == "docker:gpus":
        key = "gpus"
    entry = target.entries.get(key) if key else None
    limit = path(target.entries, "deploy", "resources", "limits", "memory") if parameter == "docker:mem_limit" else None
    entry = limit or entry
    return scalar(entry.value) if entry else None


def _environment_text(target: Target, name: str) -> str | None:
    entry = target.entries.get("environment")
    if entry is None:
        return None
    if is_mapping(entry.value):
        found = entries(entry.value).get(name)
        return scalar(found.value) if found else None
    for item in items(entry.value):
        key, _, value = (scalar(item) or "").partition("=")
        if key == name:
            return value
    return None
