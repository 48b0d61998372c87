"""Reading a change back: the one value is as wanted, and every other value of every service is as it was."""

from typing import TYPE_CHECKING

from copilot.collect.shell import split
from copilot.collect.vocabulary import spell, turned_off
from copilot.compose.document import Document, entries, is_mapping, items, load, scalar
from copilot.compose.pick import service_entries
from copilot.compose.reader import read
from copilot.compose.target import NotEditableError, Target
from copilot.compose.values import LISTS, SCALARS
from copilot.errors import UsageError
from copilot.model.evidence import Setting
from copilot.model.text import RedactedText, Text

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

_WORDS = frozenset({"docker:command", "docker:entrypoint"})
_READ = frozenset({"environment", "command", "entrypoint", "gpus", "deploy", *LISTS, *SCALARS})
"""Keys that are compared as settings; the others are compared as they stand."""
_DEPTH = 12


def verify(target: Target, after: str, wanted: tuple[str, str | None]) -> None:
    """NotEditableError where the file `after` the change differs in anything but the parameter, or not in that."""
    file = target.document.file
    wrong = NotEditableError(
        Text(
            en=f"{wanted[0]} cannot be changed in this form of {file} without touching something else.",
            zh=f"以 {file} 的这种写法，无法只修改 {wanted[0]} 而不影响其他内容。",
        )
    )
    try:
        changed = load(after, file)
        for name in target.document.services:
            parameter = wanted[0] if name == target.name else None
            before, now = _settings(target.document, name, target), _settings(changed, name, target)
            if _others(before, parameter) != _others(now, parameter) or _rest(target.document, name) != _rest(
                changed, name
            ):
                raise wrong if parameter is not None else _shared(wanted[0], name)
            if parameter is not None and not (_reached(now, *wanted) or _off(now, target, *wanted)):
                raise wrong
    except UsageError as error:
        raise wrong from error


def _shared(parameter: str, service: str) -> NotEditableError:
    return NotEditableError(
        Text(
            en=f"{parameter} stands where service {service} takes it from too; change it there by hand.",
            zh=f"{parameter} 所在的位置也被服务 {service} 使用；请在那里手动修改。",
        )
    )


def _settings(document: Document, name: str, target: Target) -> tuple[Setting, ...]:
    if name not in document.services:
        return ()
    return read(RedactedText(document.text), document.file, name, target.env).settings


def _others(settings: tuple[Setting, ...], parameter: str | None) -> list[tuple[str, str | None]]:
    return sorted((s.parameter, s.value or "") for s in settings if not _touched(s, parameter))


def _touched(setting: Setting, parameter: str | None) -> bool:
    if parameter is None:
        return False
    if parameter in _WORDS:
        return setting.parameter in _WORDS or setting.parameter.startswith("-")
    return setting.parameter == parameter or (parameter.startswith("-") and setting.parameter in _WORDS)


def _reached(settings: tuple[Setting, ...], parameter: str, to: str | None) -> bool:
    """Whether the parameter has the value now; a list has it among others."""
    values = [s.value for s in settings if s.parameter == parameter]
    if to is None:
        return not values
    if parameter in _WORDS:
        return any([t.text for t in split(v or "")] == [t.text for t in split(to)] for v in values)
    return any(v == to or v is None or {v, to} <= {"true", "false", "True", "False"} for v in values)


def _off(settings: tuple[Setting, ...], target: Target, parameter: str, to: str | None) -> bool:
    """Whether a switch that was to be off is not said any more, and is off by itself then."""
    switch = parameter.startswith("--") and to in {"false", "False", "0"} and spell(parameter, target.dialect).switch
    said = any(s.parameter == parameter for s in settings)
    return switch and not said and turned_off(parameter, target.dialect) is None


def _rest(document: Document, name: str) -> object:
    """The service's other keys as plain values."""
    return {k: _plain(e.value, 0) for k, e in service_entries(document, name).items() if k not in _READ}


def _plain(node: "Node", depth: int) -> object:
    if depth > _DEPTH:
        return None
    if is_mapping(node):
        return {key: _plain(entry.value, depth + 1) for key, entry in entries(node).items()}
    return scalar(node) or [_plain(item, depth + 1) for item in items(node)]
