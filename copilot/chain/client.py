"""What is wrong in a client's own configuration: Codex's `config.toml`, or a `.env`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from copilot.chain.dotenv import address, env_faults
from copilot.chain.links import Broken
from copilot.config import SECRET_HEADERS
from copilot.model.text import Text
from copilot.providers.imports import ClientFile, selected

_BUILT_IN = frozenset({"openai", "ollama", "lmstudio", "oss"})
"""Ids that Codex keeps for itself: a table of that name is refused or ignored."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SHORTEST_SILENCE = 30_000
"""Milliseconds: a local model reads a long prompt for longer than less."""


def faults_of(file: ClientFile, environ: Mapping[str, str]) -> tuple[Broken, ...]:
    """What will not work, the gravest first. Nothing is sent."""
    found = _codex(file.content, environ) if file.kind == "codex" else env_faults(file.content)
    return tuple(found)


def _codex(content: Mapping[str, Any], environ: Mapping[str, str]) -> Iterator[Broken]:
    """The classic errors of a Codex configuration."""
    tables = content.get("model_providers")
    providers = tables if isinstance(tables, dict) else {}
    used = selected(content, "model_provider")
    for name, table in providers.items():
        if isinstance(table, dict) and table.get("wire_api", "responses") != "responses":
            yield _old_wire(name, str(table["wire_api"]))
    yield from _selection(providers, used)
    table = providers.get(used) if isinstance(used, str) else None
    if isinstance(table, dict):
        yield from _codex_table(str(used), table, environ)


def _selection(providers: Mapping[str, Any], used: object) -> Iterator[Broken]:
    """Whether the provider that is meant is the one that is used."""
    reserved = sorted(set(providers) & _BUILT_IN)
    if reserved:
        yield _reserved(reserved[0])
    if used is None and providers:
        yield Broken(
            "client",
            ("client:auth", "client:base_url"),
            Text(en="no provider is selected: Codex uses its own login", zh="没有选择 provider：Codex 使用自己的登录"),
            Text(
                en="[model_providers] describes an endpoint, but model_provider at the top is missing.",
                zh="[model_providers] 描述了接口，但顶层缺少 model_provider。",
            ),
            to=f'model_provider = "{next(iter(providers))}"',
        )
    elif isinstance(used, str) and used not in providers and used not in _BUILT_IN:
        yield _not_described(used, next(iter(providers), None))


def _reserved(name: str) -> Broken:
    """A table under a name that the client keeps for itself."""
    return Broken(
        "client",
        ("client:auth", "client:base_url"),
        Text(en=f"{name} is a reserved provider id", zh=f"{name} 是保留的 provider 名称"),
        Text(
            en=f"Codex keeps {name} for itself; [model_providers.{name}] does not take effect.",
            zh=f"Codex 保留了 {name}；[model_providers.{name}] 不会生效。",
        ),
        do=Text(
            en="Give the table another name, and model_provider the same.",
            zh="给该表换个名称，并同步 model_provider。",
        ),
    )


def _not_described(used: str, near: str | None) -> Broken:
    """A provider that is selected and has no table; `near` is one that has."""
    return Broken(
        "client",
        ("client:base_url",),
        Text(en=f"the provider {used} is not described", zh=f"没有描述 provider {used}"),
        Text(
            en=f"model_provider names {used}, and there is no such table.",
            zh=f"model_provider 写了 {used}，但没有对应的表。",
        ),
        to=f'model_provider = "{near}"' if near else None,
        before=f'model_provider = "{used}"' if near else None,
        do=None if near else Text(en=f"Write [model_providers.{used}].", zh=f"请写 [model_providers.{used}]。"),
    )


def _old_wire(name: str, value: str) -> Broken:
    """`wire_api` that Codex no longer takes."""
    return Broken(
        "client",
        ("client:wire_api",),
        Text(en=f'wire_api = "{value}" is no longer taken', zh=f'不再支持 wire_api = "{value}"'),
        Text(
            en=f'Since February 2026 Codex knows only "responses"; model_providers.{name} stops it, used or not.',
            zh=f'自 2026 年 2 月起 Codex 只支持 "responses"；model_providers.{name} 无论是否使用都会使它停止。',
        ),
        to="responses",
        before=value,
    )


def _codex_table(name: str, table: Mapping[str, Any], environ: Mapping[str, str]) -> Iterator[Broken]:
    """The provider in use."""
    yield from address(str(table.get("base_url") or ""), f"model_providers.{name}.base_url")
    if table.get("requires_openai_auth") is True:
        yield Broken(
            "client",
            ("client:auth",),
            Text(en="the login is used instead of the provider's key", zh="使用了登录而不是该 provider 的密钥"),
            Text(
                en="requires_openai_auth = true sends the ChatGPT login to this endpoint; env_key is not read.",
                zh="requires_openai_auth = true 会把 ChatGPT 登录发给该接口，env_key 不会被读取。",
            ),
            to="requires_openai_auth = false",
            before="requires_openai_auth = true",
        )
    yield from _key_variable(table.get("env_key"), environ)
    yield from _key_in_file(name, table)
    silence = table.get("stream_idle_timeout_ms")
    if isinstance(silence, int) and silence < _SHORTEST_SILENCE:
        yield Broken(
            "client",
            ("client:timeout",),
            Text(en=f"the stream may be silent for {silence} ms only", zh=f"流最多只能静默 {silence} 毫秒"),
            Text(en="A local model reads a long prompt for longer.", zh="本地模型读取长提示词的时间更长。"),
            to="stream_idle_timeout_ms = 300000",
            before=f"stream_idle_timeout_ms = {silence}",
            warning=True,
            sure=False,
        )


def _key_in_file(name: str, table: Mapping[str, Any]) -> Iterator[Broken]:
    """A key that stands in the file itself: it works, and is in every copy and every bug report."""
    headers = table.get("http_headers")
    secret = isinstance(headers, dict) and any(str(header).lower() in SECRET_HEADERS for header in headers)
    if secret or table.get("experimental_bearer_token"):
        yield Broken(
            "client",
            ("client:api_key",),
            Text(en="the file holds a key", zh="文件中写有密钥"),
            Text(
                en=f"model_providers.{name} holds its key in the file; copilot does not read keys from files.",
                zh=f"model_providers.{name} 把密钥写在文件里；copilot 不从文件读取密钥。",
            ),
            do=Text(
                en="Put the key into a variable, and its name into env_key (for headers: env_http_headers).",
                zh="把密钥放进变量，用 env_key 写变量名（请求头用 env_http_headers）。",
            ),
            warning=True,
        )


def _key_variable(name: object, environ: Mapping[str, str]) -> Iterator[Broken]:
    """`env_key` names a variable; a key pasted there is no name, and an unset variable is no key."""
    if not isinstance(name, str):
        return
    if not _NAME.fullmatch(name) or name.startswith("sk_") or (any(c.islower() for c in name) and len(name) > 24):  # noqa: PLR2004
        yield Broken(
            "client",
            ("client:api_key",),
            Text(en="env_key holds a key instead of a variable's name", zh="env_key 写的是密钥，而不是变量名"),
            Text(en="env_key is the name of the variable that holds the key.", zh="env_key 应是保存密钥的变量名。"),
            to='env_key = "OPENAI_API_KEY"',
        )
    elif not environ.get(name):
        yield Broken(
            "client",
            ("client:api_key",),
            Text(en=f"{name} is not set", zh=f"变量 {name} 未设置"),
            Text(
                en=f"env_key names {name}, which is not set in this shell.",
                zh=f"env_key 指定了 {name}，但当前 shell 没有设置。",
            ),
            do=Text(
                en=f"export {name}=…, in the shell that starts the client.",
                zh=f"在启动客户端的 shell 里 export {name}=…。",
            ),
        )
