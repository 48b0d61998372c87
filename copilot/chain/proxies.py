"""The proxy between this program and the endpoint: which is asked, whether it is there, and what it answers itself."""

import socket
import urllib.request
from dataclasses import dataclass
from urllib.parse import urlsplit

from copilot.adapters.probe import NoAnswer
from copilot.chain.links import Broken, Found, Result
from copilot.model.text import Text
from copilot.providers.address import is_loopback, is_private

CONNECT = 5.0
"""Seconds."""
_PORTS = {"http": 80, "https": 443}
_LOGIN = 407


@dataclass(frozen=True)
class Proxy:
    """A proxy that a variable names, without its user and password."""

    variable: str
    host: str
    port: int

    @property
    def shown(self) -> str:
        """`host:port`."""
        return f"{self.host}:{self.port}"


def asked(found: Found) -> Proxy | None:
    """The proxy that resolves and connects in our place; None where the endpoint is asked directly."""
    host = urlsplit(found.base).hostname or ""
    return None if is_loopback(host) else _chosen(found)


def _chosen(found: Found) -> Proxy | None:
    """The proxy that the variables name for this address."""
    address = urlsplit(found.base)
    proxies = urllib.request.getproxies_environment()
    scheme = address.scheme if address.scheme in proxies else "all"
    value = proxies.get(scheme)
    if not value or urllib.request.proxy_bypass(address.hostname or ""):
        return None
    typed = urlsplit(value if "://" in value else f"http://{value}")
    try:
        port = typed.port
    except ValueError:
        port = None
    return Proxy(f"{scheme.upper()}_PROXY", typed.hostname or value, port or _PORTS.get(typed.scheme, 1080))


def proxy(found: Found) -> Result | None:
    """Which proxy is asked and whether it is there; a warning where other clients ask one for this very machine."""
    chosen = _chosen(found)
    if chosen is None:
        return None
    host = urlsplit(found.base).hostname or ""
    if is_loopback(host):
        return _only_others(found, chosen, host)
    try:
        with socket.create_connection((chosen.host, chosen.port), timeout=CONNECT):
            return Text(en=f"{chosen.shown} is asked for {host}", zh=f"访问 {host} 经过代理 {chosen.shown}")
    except OSError as error:
        return _not_there(found, chosen, str(error.strerror or "no answer in time"))


def _only_others(found: Found, chosen: Proxy, host: str) -> Text:
    """Copilot asks no proxy for this machine; clients that obey the variables do."""
    shown = chosen.shown
    warned = Broken(
        "network",
        ("client:no_proxy", "env:NO_PROXY"),
        Text(en=f"other clients ask the proxy {shown} for {host}", zh=f"其他客户端会通过代理 {shown} 访问 {host}"),
        Text(
            en=f"A proxy variable is set and NO_PROXY does not name {host}: copilot goes directly, but curl, Codex and "
            "the SDKs send their requests for this machine to the proxy, which answers 502, 503 or a web page.",
            zh=f"设置了代理变量，而 NO_PROXY 没有包含 {host}：copilot 会直连，但 curl、Codex 和各 SDK 会"
            "把发给本机的请求交给代理，代理会返回 502、503 或网页。",
        ),
        to=_bypass(found, "localhost", "127.0.0.1", "::1"),
        before=_named(found) or None,
        warning=True,
    )
    found.warnings.append(("proxy", warned))
    return warned.title


def _named(found: Found) -> str:
    """NO_PROXY as it is."""
    return found.environ.get("NO_PROXY") or found.environ.get("no_proxy") or ""


def _bypass(found: Found, *hosts: str) -> str:
    """NO_PROXY with these hosts added."""
    named = [part.strip() for part in _named(found).split(",") if part.strip()]
    return ",".join(dict.fromkeys([*named, *hosts]))


def _not_there(found: Found, chosen: Proxy, reason: str) -> Broken:
    """Nobody listens where the variable points; in a container its loopback is not the host's."""
    title = Text(en=f"the proxy {chosen.shown} cannot be reached", zh=f"连不上代理 {chosen.shown}")
    en = f"{chosen.variable} names the proxy {chosen.shown}, and it does not answer ({reason})."
    zh = f"{chosen.variable} 指定了代理 {chosen.shown}，但它没有应答（{reason}）。"
    if found.in_container and is_loopback(chosen.host):
        en += " This program runs in a container: there, localhost is the container itself."
        zh += "本程序运行在容器里：localhost 指容器自身。"
    told = Text(
        en=f"Start the proxy, correct {chosen.variable}, or unset it.",
        zh=f"启动代理，更正 {chosen.variable}，或取消该变量。",
    )
    return _at_fault(found, chosen, (title, Text(en=en, zh=zh), told))


def unanswered(found: Found, error: NoAnswer) -> Broken | None:
    """A request that failed on its way through a proxy; None where none is asked."""
    chosen = asked(found)
    if chosen is None or error.kind == "timeout":
        return None
    title = Text(en=f"the proxy {chosen.shown} gave no way through", zh=f"代理 {chosen.shown} 没有放行")
    cause = Text(
        en=f"{found.base} is asked through {chosen.shown} ({chosen.variable}), which said: {error.reason}.",
        zh=f"{found.base} 经过代理 {chosen.shown}（{chosen.variable}）访问，代理返回：{error.reason}。",
    )
    return _at_fault(found, chosen, (title, cause, _ASK))


def answered_itself(found: Found, status: int) -> Broken | None:
    """A web page or a gateway's status that came through a proxy is most likely the proxy's own."""
    chosen = asked(found)
    if chosen is None:
        return None
    title = Text(
        en=f"the proxy {chosen.shown} answers, not the endpoint", zh=f"应答的是代理 {chosen.shown}，而不是接口"
    )
    cause = Text(
        en=f"{found.base} is asked through {chosen.shown} ({chosen.variable}), and {status} came back."
        + (" The proxy wants a login." if status == _LOGIN else ""),
        zh=f"{found.base} 经过代理 {chosen.shown}（{chosen.variable}）访问，返回 {status}。"
        + ("代理要求登录。" if status == _LOGIN else ""),
    )
    return _at_fault(found, chosen, (title, cause, _ASK))


_ASK = Text(
    en="Ask whoever runs the proxy to let this host through, or go around it with NO_PROXY.",
    zh="请代理的管理者放行该主机，或用 NO_PROXY 绕过代理。",
)


def _at_fault(found: Found, chosen: Proxy, words: tuple[Text, Text, Text]) -> Broken:
    """(title, cause, what to do). A host of a private network needs no proxy: NO_PROXY is the one change then."""
    title, cause, told = words
    host = urlsplit(found.base).hostname or ""
    if is_private(host):
        names = ("client:no_proxy", "env:NO_PROXY", f"env:{chosen.variable}")
        return Broken("network", names, title, cause, to=_bypass(found, host), before=_named(found) or None)
    return Broken("network", ("host:proxy", f"env:{chosen.variable}"), title, cause, do=told, sure=False)
