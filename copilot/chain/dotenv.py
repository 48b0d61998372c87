"""What is wrong in an address as a client reads it, and in a `.env`."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from copilot.chain.links import Broken
from copilot.errors import UsageError
from copilot.model.text import Text
from copilot.providers.address import is_loopback, is_private, normalise
from copilot.providers.imports import BASE_NAMES, KEY_NAMES
from copilot.redaction.taint import literal


def address(typed: str, where: str) -> Iterator[Broken]:
    """An address that clients take literally, although it cannot be one."""
    if not typed:
        yield Broken(
            "client",
            ("client:base_url",),
            Text(en=f"{where} is missing", zh=f"缺少 {where}"),
            Text(en="Without an address the client asks its maker's.", zh="没有地址时，客户端会访问厂商的服务。"),
            to="http://127.0.0.1:8000/v1",
        )
        return
    try:
        meant = normalise(typed)
    except UsageError as error:
        yield Broken(
            "client",
            ("client:base_url",),
            Text(en=f"{where} is no address", zh=f"{where} 不是地址"),
            Text(en=error.message, zh="这不是 http 地址。"),
            do=Text(en=error.hint, zh="写成 http://127.0.0.1:8000/v1 的形式。"),
        )
        return
    if not urlsplit(meant).path:
        meant = f"{meant}/v1"
    if meant != typed.rstrip("/"):
        yield _meant(typed, meant, where)


def _meant(typed: str, meant: str, where: str) -> Broken:
    """An address that a client reads otherwise than it is meant."""
    if "://" not in typed:
        why = Text(en="Without http:// it is no address for a client.", zh="没有 http://，客户端无法识别该地址。")
    elif urlsplit(typed).netloc != urlsplit(meant).netloc:
        why = Text(
            en="0.0.0.0 is where a server listens; a client needs an address to connect to.",
            zh="0.0.0.0 是服务监听的地址；客户端需要可以连接的地址。",
        )
    else:
        why = Text(
            en="Clients append the route to it as it stands: it must be the API's base, usually ending in /v1.",
            zh="客户端会在其后直接拼接路径：它必须是 API 的 base，通常以 /v1 结尾。",
        )
    return Broken(
        "client",
        ("client:base_url",),
        Text(en=f"{where} should be {meant}", zh=f"{where} 应为 {meant}"),
        why,
        to=meant,
        before=typed,
    )


def env_faults(variables: Mapping[str, Any]) -> Iterator[Broken]:
    """The classic errors of a `.env`."""
    base = next((name for name in BASE_NAMES if variables.get(name)), None)
    if base is not None:
        if base in BASE_NAMES[1:3]:
            yield Broken(
                "client",
                ("client:base_url",),
                Text(en=f"{base} is not read by the SDK", zh=f"SDK 不读取 {base}"),
                Text(
                    en=f"openai 1.0 and newer read OPENAI_BASE_URL; with {base} alone they ask api.openai.com.",
                    zh=f"openai 1.0 及更新版本读取 OPENAI_BASE_URL；只有 {base} 时会访问 api.openai.com。",
                ),
                to=f"OPENAI_BASE_URL={variables[base]}",
                before=f"{base}={variables[base]}",
                sure=False,
            )
        yield from address(str(variables[base]), base)
        yield from _bypass(variables, str(variables[base]))
    for name in KEY_NAMES:
        if name in variables:
            yield from _env_key(name, str(variables[name]), str(variables.get(base or "", "")))


def _env_key(name: str, value: str, base: str) -> Iterator[Broken]:
    """A key that cannot be one. Local servers take anything, so that a stand-in is right there."""
    host = urlsplit(base).hostname or ""
    if value.lower().startswith("bearer ") or " " in value or (not literal(value) and not is_private(host)):
        yield Broken(
            "client",
            ("client:api_key",),
            Text(en=f"{name} holds no key", zh=f"{name} 中没有密钥"),
            Text(
                en=f"{name} is empty, a stand-in, or has words around the key.",
                zh=f"{name} 为空、是占位词，或密钥前后有多余文字。",
            ),
            do=Text(en="Write the key alone, as the provider shows it.", zh="只写密钥本身，与服务商显示的一致。"),
        )


def _bypass(variables: Mapping[str, Any], base: str) -> Iterator[Broken]:
    """A proxy that clients will ask for this machine."""
    host = urlsplit(base).hostname or ""
    names = {name.upper(): value for name, value in variables.items()}
    proxied = any(names.get(name) for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"))
    bypass = str(names.get("NO_PROXY") or "")
    if proxied and is_loopback(host) and host not in bypass and bypass != "*":
        yield Broken(
            "network",
            ("client:no_proxy", "env:NO_PROXY"),
            Text(en=f"the proxy is asked for {host}", zh=f"访问 {host} 会经过代理"),
            Text(
                en=f"A proxy is set and NO_PROXY does not name {host}: requests for this machine go to the proxy.",
                zh=f"设置了代理而 NO_PROXY 没有包含 {host}：发给本机的请求会交给代理。",
            ),
            to=",".join([*([bypass] if bypass else []), "localhost", "127.0.0.1", "::1"]),
            before=bypass or None,
        )
