"""The diff of the person's own file for one changed value."""

import re
from collections.abc import Sequence

from copilot.compose import dotenv
from copilot.compose.change_command import Command, command_edits
from copilot.compose.change_container import container_edits
from copilot.compose.change_environment import environment_edits
from copilot.compose.diff import unified
from copilot.compose.document import Document, entries, is_mapping, items, load, scalar
from copilot.compose.interpolate import read_env, variables_in
from copilot.compose.pick import pick
from copilot.compose.reader import read
from copilot.compose.surgery import Edit, apply
from copilot.compose.target import ComposeChange, ComposeFile, NotEditableError, Target
from copilot.compose.values import SCALARS, path
from copilot.errors import UsageError
from copilot.model.evidence import Setting
from copilot.model.text import RedactedText, Text

_SECRET = re.compile(
    r"(?i)(?:token|secret|passw|api[_-]?key|credential|auth)[\w-]*[\"']?\s*[:=]|\bhf_\w{8}|\bsk-\w{8}|://[^/\s:]+:[^@\s]+@"
)
_VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?P<op>:?-)(?P<default>[^{}]*)\}")


def change(compose: ComposeFile, service: str | None, parameter: str, to: str | None) -> ComposeChange:
    """Set one parameter of a service to `to`, or remove it (None), and nothing else.

    Where the value comes from a variable that `.env` sets, the change is of that file. The result was read back: it
    differs from the file before in this one parameter. Where no such edit exists, `diff` is None and `reason` says why.
    UsageError where the file cannot be read or has no such service.
    """
    env = read_env(compose.env_raw) if compose.env_raw is not None else {}
    mark = "\ufeff" if compose.raw.startswith("\ufeff") else ""
    document = load(compose.raw, compose.name)
    target = Target(document, pick(document, service, env), env)
    try:
        if by_variable := _by_variable(compose, target, parameter, to):
            return by_variable
        after = mark + apply(document.text, _edits(target, parameter, to))
        _verify(compose, target, after, parameter)
    except NotEditableError as refused:
        return ComposeChange(compose.name, None, compose.raw, refused.reason)
    return _shown(compose.name, compose.raw, after, _hidden(compose.raw, compose.redacted))


def change_env(raw: str, file: str, name: str, to: str | None, redacted: str = "") -> ComposeChange:
    """The same for a variable of a `.env` or env_file."""
    return _shown(file, raw, dotenv.changed(raw, name, to), _hidden(raw, redacted))


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


def _hidden(raw: str, redacted: str) -> set[int]:
    """Lines that must not be shown: those that redaction changed, and those that look like a secret anyway."""
    lines, shown = raw.split("\n"), redacted.split("\n") if redacted else []
    hidden = {number for number, line in enumerate(lines, start=1) if _SECRET.search(line)}
    if shown and len(shown) == len(lines):
        hidden |= {n for n, (a, b) in enumerate(zip(lines, shown, strict=True), start=1) if a.rstrip() != b.rstrip()}
    elif shown:
        kept = set(shown)
        hidden |= {n for n, line in enumerate(lines, start=1) if line.strip() and line not in kept}
    return hidden


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
            return _shown(compose.name, compose.raw, after, _hidden(compose.raw, compose.redacted))
    return None


def _value_text(target: Target, parameter: str) -> str | None:
    """The value as written, before interpolation."""
    if parameter.startswith("-"):
        for place in ("command", "entrypoint"):
            command = Command(target, place)
            found = command.having(parameter)
            if found is not None:
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


def _verify(compose: ComposeFile, target: Target, after: str, parameter: str) -> None:
    """Read the result back: every other parameter of every service is as it was."""
    wrong = Text(
        en=f"{parameter} cannot be changed in this form of {compose.name} without touching something else.",
        zh=f"以 {compose.name} 的这种写法，无法只修改 {parameter} 而不影响其他内容。",
    )
    try:
        changed = load(after, compose.name)
    except UsageError as error:
        raise NotEditableError(wrong) from error
    for name in target.document.services:
        before_all = _others(target.document, name, target, parameter if name == target.name else None)
        if before_all != _others(changed, name, target, parameter if name == target.name else None):
            raise NotEditableError(wrong)


def _others(document: Document, name: str, target: Target, parameter: str | None) -> list[tuple[str, str | None]]:
    if name not in document.services:
        return []
    found = read(RedactedText(document.text), document.file, name, target.env)
    return [(s.parameter, s.value) for s in found.settings if not _touched(s, parameter)]


def _touched(setting: Setting, parameter: str | None) -> bool:
    if parameter is None:
        return False
    whole = {"docker:command", "docker:entrypoint"}
    if parameter in whole:
        return setting.parameter in whole or setting.parameter.startswith("-")
    return setting.parameter == parameter or (parameter.startswith("-") and setting.parameter in whole)
