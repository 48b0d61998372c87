"""Compose's variables: `$A`, `${A}`, `${A:-b}`, `${A-b}`, `${A:?e}`, `${A:+b}`, `$$`; and the `.env` file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from copilot.model.evidence import Setting

_VARIABLE = re.compile(
    r"\$(?:(?P<escaped>\$)|(?P<plain>[A-Za-z_]\w*)|\{(?P<name>[A-Za-z_]\w*)(?:(?P<op>:?[-?+])(?P<rest>.*?))?\})",
    re.DOTALL,
)
_LINE = re.compile(r"\s*(?:export\s+)?(?P<name>[A-Za-z_][\w.-]*)\s*(?P<sign>[=:])\s*(?P<value>.*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Filled:
    """A value after interpolation."""

    value: str
    """A variable that is not known here stays as it is written."""
    unset: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    """Variables without which compose refuses the file (`${A:?reason}`), with their reason."""


def fill(text: str, env: Mapping[str, str]) -> Filled:
    """The text with its variables replaced as far as `env` and defaults tell."""
    if "$" not in text:
        return Filled(text)
    unset: list[str] = []
    required: list[str] = []

    def one(match: re.Match[str]) -> str:
        if match["escaped"]:
            return "$"
        name, op, rest = match["plain"] or match["name"], match["op"] or "", match["rest"] or ""
        value = env.get(name)
        missing = value is None or (value == "" and op.startswith(":"))
        if op.endswith("+"):
            return "" if missing else fill(rest, env).value
        if not missing:
            return value or ""
        if op.endswith("-"):
            return fill(rest, env).value
        (required if op.endswith("?") else unset).append(f"{name}: {rest}" if rest and op.endswith("?") else name)
        return match[0]

    return Filled(_VARIABLE.sub(one, _nested(text, env)), tuple(unset), tuple(required))


def _nested(text: str, env: Mapping[str, str]) -> str:
    """Inner variables of a default first: `${A:-${B:-c}}`."""
    inner = re.compile(r"(?<=[-+?])\$\{[^${}]*\}")
    for _ in range(4):
        if not inner.search(text):
            break
        text = inner.sub(lambda m: fill(m[0], env).value, text)
    return text


def variables_in(text: str) -> tuple[str, ...]:
    """The names of the variables that a value is made of."""
    return tuple(m["plain"] or m["name"] for m in _VARIABLE.finditer(text) if not m["escaped"])


def read_env(text: str) -> dict[str, str]:
    """The variables of a `.env` or an env_file."""
    return {s.parameter.removeprefix("env:"): s.value or "" for s in env_settings(text, "")}


def env_settings(text: str, file: str) -> tuple[Setting, ...]:
    """The variables of a `.env` or an env_file, each with its line."""
    found = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        match = _LINE.match(line.rstrip("\r"))
        if match and not line.lstrip().startswith("#"):
            parameter = f"env:{match['name']}"
            found.append(
                Setting(parameter=parameter, value=_unquoted(match["value"]), source="compose", file=file, line=number)
            )
    return tuple(found)


def _unquoted(value: str) -> str:
    """The value without quotes and without a comment after it."""
    value = value.strip()
    if value[:1] in {"'", '"'} and (end := value.find(value[0], 1)) > 0:
        return value[1:end]
    return re.split(r"\s#", value, maxsplit=1)[0].strip()
