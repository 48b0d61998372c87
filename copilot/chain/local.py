"""The links up to the endpoint's door: configuration, key, name, TCP."""

import socket
from urllib.parse import SplitResult, urlsplit

from copilot.chain import proxies
from copilot.chain.links import Broken, Found, Result
from copilot.errors import CopilotError, UsageError
from copilot.model.provider import Provider
from copilot.model.text import Text
from copilot.ports import Vault
from copilot.providers.address import check_plain
from copilot.providers.choice import find_key, headers

CONNECT = 5.0
"""Seconds."""
_JWT = 2
"""Dots of a JSON web token."""


def configuration(found: Found) -> Result:
    """Whether an endpoint is configured, and may be asked at all."""
    provider = found.provider
    if provider is None:
        return Text(
            en="no provider is chosen: the built-in playbook answers, and nothing is sent anywhere",
            zh="没有选择 provider：由内置手册回答，不向任何地方发送内容",
        )
    found.base = provider.base_url
    try:
        check_plain(provider.base_url, allowed=provider.allow_insecure)
    except UsageError as error:
        https = provider.base_url.replace("http://", "https://", 1)
        return Broken(
            "config",
            ("client:base_url",),
            Text(en="plain http to a public host", zh="用明文 http 访问公网主机"),
            Text(en=error.message, zh="http 会把日志和密钥不加密地发送到公网主机。"),
            to=https,
            before=provider.base_url,
        )
    origin = provider.origins.get("base_url", "")
    said = f"{provider.name}: {provider.base_url}, {provider.wire_api}" + (f" ({origin})" if origin else "")
    return Text(en=said, zh=said)


def key_link(vault: Vault, found: Found) -> Result:
    """Whether there is the key that the configuration promises, and whether it can be one."""
    provider = given(found)
    found.headers = headers(provider, found.environ)
    try:
        key = find_key(provider, found.environ, vault)
    except UsageError as error:
        return Broken(
            "auth",
            ("client:api_key",),
            Text(en=f"{provider.env_key} is not set", zh=f"变量 {provider.env_key} 未设置"),
            Text(en=error.message, zh=f"{provider.name} 的密钥应在变量 {provider.env_key} 中，但它没有设置。"),
            do=Text(en=error.hint, zh=f"设置该变量，或运行 `copilot provider add {provider.name}` 保存密钥。"),
        )
    if key is None:
        return Text(en="none is configured, none is sent", zh="未配置密钥，不发送密钥")
    found.key, found.key_from = key.value, key.found_in
    return _shape(key.value, key.found_in) or Text(en=f"from {key.found_in}", zh=f"来自 {key.found_in}")


def _shape(key: str, place: str) -> Broken | None:
    """What is wrong with a key that can be seen without showing it."""
    problem: Text | None = None
    if key.lower().startswith("bearer "):
        problem = Text(en="it begins with `Bearer `, which clients add", zh="以 `Bearer ` 开头，客户端会自行加上")
    elif any(c.isspace() for c in key) or not key.isascii():
        problem = Text(en="it holds a space or a character that no key has", zh="其中有空格或密钥不会有的字符")
    elif key[:1] in "'\"" or key[-1:] in "'\"":
        problem = Text(en="it is in quotation marks", zh="带有引号")
    elif key.count(".") == _JWT and key.startswith("eyJ"):
        return _login(place)
    if problem is None:
        return None
    return Broken(
        "auth",
        ("client:api_key",),
        Text(en=f"the key in {place} cannot be right", zh=f"{place} 中的密钥不可能正确"),
        Text(en=f"The key in {place} cannot be right: {problem.en}.", zh=f"{place} 中的密钥不可能正确：{problem.zh}。"),
        do=Text(en="Store the key alone, as the provider shows it.", zh="只保存密钥本身，与服务商显示的一致。"),
    )


def _login(place: str) -> Broken:
    """A login token instead of a key."""
    return Broken(
        "auth",
        ("client:auth", "client:api_key"),
        Text(en=f"{place} holds a login's token, not a key", zh=f"{place} 中是登录令牌，而不是密钥"),
        Text(
            en=f"The value in {place} is a web token (eyJ…), as logins give it; endpoints take a key.",
            zh=f"{place} 的值是网页登录令牌（eyJ…）；接口需要其控制台发放的密钥。",
        ),
        do=Text(en="Use the endpoint's own API key.", zh="改用该接口自己的 API 密钥。"),
        sure=False,
    )


def name(found: Found) -> Result | None:
    """Whether the host's name has an address."""
    address = _address(found)
    host = address.hostname or ""
    if proxies.asked(found) is not None:
        return None
    try:
        got = socket.getaddrinfo(host, address.port or 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        return _no_name(host, str(getattr(error, "strerror", None) or error))
    shown = ", ".join(dict.fromkeys(str(entry[4][0]) for entry in got))
    return Text(en=f"{host} is {shown}", zh=f"{host} 的地址是 {shown}")


def _no_name(host: str, reason: str) -> Broken:
    """A name without an address: a container's name seen from outside, Docker's own name, or DNS."""
    cause = Text(en=f"{host} has no address here ({reason}).", zh=f"{host} 在这里解析不到地址（{reason}）。")
    title = Text(en=f"{host} cannot be resolved", zh=f"无法解析 {host}")
    if "." not in host:
        told = Text(
            en=f"{host} looks like the name of a container or service: that is known only inside its Docker network. "
            "From the host use 127.0.0.1 and the published port.",
            zh=f"{host} 像是容器或服务名，只在其 Docker 网络内有效。在主机上请用 127.0.0.1 和已发布的端口。",
        )
        return Broken("network", ("client:base_url", "docker:network"), title, cause, do=told, sure=False)
    if host == "host.docker.internal":
        return Broken("network", ("docker:extra_hosts",), title, cause, to="host.docker.internal:host-gateway")
    told = Text(en="Check the spelling, then the DNS server of this machine.", zh="先检查拼写，再检查本机的 DNS。")
    return Broken("network", ("client:base_url", "host:dns"), title, cause, do=told, sure=False)


def tcp(found: Found) -> Result | None:
    """Whether something listens there."""
    if proxies.asked(found) is not None:
        return None
    address = _address(found)
    host, port = address.hostname or "", address.port or (443 if address.scheme == "https" else 80)
    try:
        with socket.create_connection((host, port), timeout=CONNECT):
            return Text(en=f"{host}:{port} accepts connections", zh=f"{host}:{port} 可以连接")
    except OSError as error:
        from copilot.chain.engine import behind

        return behind(found, host, port, error)


def given(found: Found) -> Provider:
    """The provider; the links after `configuration` are only walked with one."""
    if found.provider is None:
        raise CopilotError("There is no provider to check.")
    return found.provider


def _address(found: Found) -> SplitResult:
    return urlsplit(found.base)
