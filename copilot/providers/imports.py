"""Providers out of files that people already have: Codex's `config.toml`, and a `.env`. No key is taken over."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.compose.interpolate import read_env
from copilot.config import provider as validated
from copilot.errors import UsageError
from copilot.model.provider import Provider

_MOST = 1_000_000
"""Characters of a file that are read."""
BASE_NAMES = ("OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_BASE_URL", "LLM_BASE_URL")
KEY_NAMES = ("OPENAI_API_KEY", "LLM_API_KEY")
MODEL_NAMES = ("COPILOT_MODEL", "OPENAI_MODEL", "LLM_MODEL")


@dataclass(frozen=True)
class ClientFile:
    """A client's own configuration, read but not judged."""

    kind: str
    """`codex` or `env`."""
    path: str
    content: Mapping[str, Any]


def read_client_file(path: Path) -> ClientFile:
    """A Codex `config.toml` or a `.env`; UsageError names the line that cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")[:_MOST]
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", "Check the path.") from error
    if path.suffix.lower() != ".toml":
        variables = read_env(text)
        if variables:
            return ClientFile("env", str(path), variables)
        raise UsageError(f"{path} is neither TOML nor lines of NAME=value.", "Give Codex's config.toml or a .env.")
    try:
        return ClientFile("codex", str(path), tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not valid TOML: {error}.", "Mend the line it names.") from error


def providers_of(file: ClientFile) -> tuple[Provider, ...]:
    """The providers that a client's file describes, the one it uses first; UsageError when there is none."""
    found = _of_codex(file) if file.kind == "codex" else _of_env(file)
    if not found:
        raise UsageError(
            f"{file.path} describes no endpoint.", "Codex: [model_providers.NAME] with base_url. .env: OPENAI_BASE_URL."
        )
    return found


def selected(content: Mapping[str, Any], key: str) -> object:
    """A setting of Codex's top level, or of the profile that is in use, which wins."""
    profiles, name = content.get("profiles"), content.get("profile")
    profile = profiles.get(name) if isinstance(profiles, dict) and isinstance(name, str) else None
    own = profile.get(key) if isinstance(profile, dict) else None
    return content.get(key) if own is None else own


def _of_codex(file: ClientFile) -> tuple[Provider, ...]:
    """`[model_providers.NAME]` tables; the model is the one of the top level, for the provider in use."""
    tables = file.content.get("model_providers") or {}
    used = selected(file.content, "model_provider")
    made = []
    for name, table in tables.items() if isinstance(tables, dict) else ():
        if isinstance(table, dict) and table.get("base_url"):
            model = selected(file.content, "model") if name == used or len(tables) == 1 else None
            made.append(validated(name, _codex_table(table, model), file.path))
    return tuple(sorted(made, key=lambda one: one.name != used))


def _codex_table(table: Mapping[str, Any], model: object) -> dict[str, Any]:
    """Codex's names in ours. A bearer token in the file is not taken over: it is a key."""
    taken = ("base_url", "env_key", "http_headers", "env_http_headers", "query_params")
    kept = {key: table[key] for key in taken if table.get(key)}
    if table.get("wire_api") in ("chat", "responses"):
        kept["wire_api"] = table["wire_api"]
    retries = table.get("request_max_retries")
    if isinstance(retries, int):
        kept["retries"] = min(max(retries, 0), 20)
    silence = table.get("stream_idle_timeout_ms")
    if isinstance(silence, int) and silence > 0:
        kept["timeouts"] = {"read": silence / 1000}
    return {**kept, **({"model": model} if isinstance(model, str) and model else {})}


def _of_env(file: ClientFile) -> tuple[Provider, ...]:
    """The endpoint that a `.env` names. Its key stays there: the variable is named, not read."""
    base = next((name for name in BASE_NAMES if file.content.get(name)), None)
    if base is None:
        return ()
    key = next((name for name in KEY_NAMES if file.content.get(name)), None)
    model = next((file.content[name] for name in MODEL_NAMES if file.content.get(name)), None)
    table = {"base_url": file.content[base], "env_key": key, "model": model}
    host = str(file.content[base]).partition("://")[2].partition("/")[0].partition(":")[0] or "imported"
    return (validated(host, {k: v for k, v in table.items() if v}, file.path),)
