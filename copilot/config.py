"""Settings: option > environment > the project's file > the person's file > default, and where each came from."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from pydantic import ValidationError

from copilot.errors import UsageError
from copilot.model.provider import Provider
from copilot.model.text import Lang
from copilot.providers.address import normalise

PROJECT_FILE = ".copilot.toml"
_KEYS = frozenset({"default", "lang", "providers"})
SECRET_HEADERS = frozenset({"authorization", "api-key", "x-api-key", "cookie", "proxy-authorization"})
"""Headers whose value is a key, in lower case."""


@dataclass(frozen=True)
class Config:
    """What the files and the environment say. Keys are not part of it."""

    providers: Mapping[str, Provider] = field(default_factory=lambda: MappingProxyType({}))
    default: str | None = None
    lang: Lang | None = None
    origins: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Setting -> the file or variable it comes from."""
    project: frozenset[str] = frozenset()
    """Providers that only the project's file describes: never used unless named by the person."""
    files: tuple[str, ...] = ()
    """The files that were read."""


def load(environ: Mapping[str, str], directory: Path, user_file: Path) -> Config:
    """Read the person's file, the project's file and `COPILOT_*`; UsageError names the file and the key."""
    user = _read(user_file)
    place = project_file(directory)
    project = _read(place) if place else {}
    mine = _providers(user, user_file)
    theirs = _providers(project, place or directory)
    origins: dict[str, str] = {}
    values: dict[str, str | None] = {}
    for key in ("default", "lang"):
        values[key] = _setting(key, environ, ((project, place), (user, user_file)), origins)
    lang = values["lang"]
    return Config(
        providers=MappingProxyType({**theirs, **mine}),
        default=values["default"],
        lang="zh" if lang == "zh" else "en" if lang == "en" else None,
        origins=MappingProxyType(origins),
        project=frozenset(theirs) - frozenset(mine),
        files=tuple(str(p) for p, content in ((user_file, user), (place, project)) if p and content),
    )


def project_file(directory: Path) -> Path | None:
    """The nearest `.copilot.toml` upwards, not beyond the repository that the folder belongs to."""
    for folder in (directory, *directory.parents):
        if (folder / PROJECT_FILE).is_file():
            return folder / PROJECT_FILE
        if (folder / ".git").exists():
            return None
    return None


def _setting(
    key: str,
    environ: Mapping[str, str],
    layers: tuple[tuple[Mapping[str, object], Path | None], ...],
    origins: dict[str, str],
) -> str | None:
    """One plain setting: its variable, then the files in order."""
    variable = "COPILOT_LANG" if key == "lang" else None
    if variable and environ.get(variable):
        origins[key] = variable
        return environ[variable]
    for content, place in layers:
        value = content.get(key)
        if isinstance(value, str) and value:
            origins[key] = str(place)
            return value
    return None


def _read(path: Path) -> dict[str, object]:
    """The content of a configuration file; empty when there is none."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The configuration {path} cannot be read: {type(error).__name__}.", "") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"The configuration {path} is not valid TOML: {error}.", "Mend the line it names.") from error
    unknown = sorted(set(content) - _KEYS)
    if unknown:
        raise UsageError(f"{path} has a key that is not known: {unknown[0]}.", f"Known: {', '.join(sorted(_KEYS))}.")
    return content


def _providers(content: Mapping[str, object], path: Path) -> dict[str, Provider]:
    """The `[providers.NAME]` tables of one file."""
    tables = content.get("providers", {})
    if not isinstance(tables, dict):
        raise UsageError(f"`providers` in {path} is no table.", "Write [providers.NAME].")
    return {name: provider(name, table, str(path)) for name, table in tables.items()}


def provider(name: str, table: object, place: str) -> Provider:
    """One `[providers.NAME]` table; UsageError names the key that is wrong, and never shows a value."""
    if not isinstance(table, dict):
        raise UsageError(f"`providers.{name}` in {place} is no table.", f"Write [providers.{name}].")
    _refuse_keys(name, table, place)
    try:
        made = Provider.model_validate({**table, "name": name, "origins": dict.fromkeys(table, place)})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"providers.{name}.{where} in {place}: {first['msg']}.", "See docs/providers.md.") from None
    return made.model_copy(update={"base_url": normalise(made.base_url)})


def _refuse_keys(name: str, table: Mapping[str, object], place: str) -> None:
    """A key in a file is refused before anything shows it."""
    headers = table.get("http_headers")
    named = {str(header).lower() for header in headers} if isinstance(headers, dict) else set()
    if {"api_key", "key", "token", "experimental_bearer_token"} & set(table) or named & SECRET_HEADERS:
        raise UsageError(
            f"providers.{name} in {place} holds a key.",
            f"Remove it from the file; run `copilot provider add {name}`, or name a variable with `env_key` "
            "(for headers: `env_http_headers`).",
        )


def environment() -> Mapping[str, str]:
    """The process's environment, as a value that can be handed on."""
    return MappingProxyType(dict(os.environ))
