"""The engine behind a local endpoint: is its container up, its port published, does it say that it is well."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from copilot.adapters.probe import NoAnswer
from copilot.chain.links import Broken, Found, Result
from copilot.errors import CopilotError
from copilot.model.text import Text
from copilot.ports import RawContainer
from copilot.providers.address import is_loopback, is_private

_OK, _NOT_FOUND, _UNAVAILABLE = 200, 404, 503


def behind(found: Found, host: str, port: int, error: OSError) -> Broken:
    """Why nobody listens: a client in a container, an engine that is down or loads, a port that is not published."""
    reason = error.strerror or "no answer in time"
    title = Text(en=f"{host}:{port}: {reason}", zh=f"{host}:{port}：{reason}")
    if found.in_container and is_loopback(host):
        return _inside(found, title)
    container = found.container or _of_port(found, port)
    if container is not None and is_private(host):
        return _container_fault(container, port, title)
    refused = isinstance(error, ConnectionRefusedError)
    cause = Text(
        en=f"Nothing listens on {host}:{port}." if refused else f"{host}:{port} does not answer ({reason}).",
        zh=f"{host}:{port} 上没有程序监听。" if refused else f"{host}:{port} 没有应答（{reason}）。",
    )
    told = Text(
        en="Start the server, or correct the port; while a model loads, a server refuses connections for minutes."
        if refused
        else "Check the address, the firewall between, and whether the server listens on more than its own loopback.",
        zh="启动服务，或更正端口；模型加载期间，服务会在几分钟内拒绝连接。"
        if refused
        else "检查地址、中间的防火墙，以及服务是否只监听自己的回环地址。",
    )
    parameters = ("client:base_url", "docker:ports") if refused else ("client:base_url", "host:network")
    return Broken("network", parameters, title, cause, do=told, sure=False)


def _inside(found: Found, title: Text) -> Broken:
    """Localhost as seen from inside a container."""
    address = urlsplit(found.base)
    to = found.base.replace(address.hostname or "", "host.docker.internal", 1)
    cause = Text(
        en="This program runs in a container: there, localhost is the container itself, not the host.",
        zh="本程序运行在容器里：localhost 指容器自身，而不是主机。",
    )
    return Broken(
        "network", ("client:base_url", "docker:extra_hosts"), title, cause, to=to, before=found.base, sure=False
    )


def _of_port(found: Found, port: int) -> RawContainer | None:
    """The ill container of a known engine that publishes, or would publish, this port; else the newest."""
    if found.containers is None:
        return None
    try:
        read = [found.containers.read(one.name, 5) for one in list(found.containers.ill())[:5]]
    except CopilotError:
        return None
    return next((one for one in read if port in dict(_published(one)).values()), None)


def _container_fault(container: RawContainer, port: int, title: Text) -> Broken:
    """The container is down, does not publish the port, or is not ready."""
    name = container.name
    ports = dict(_published(container))
    if container.state != "running":
        cause = Text(en=f"The container {name} is {container.state}.", zh=f"容器 {name} 的状态是 {container.state}。")
        told = Text(
            en=f"`copilot ask {name}`: its log says why it ended.", zh=f"`copilot ask {name}`：它的日志会说明为何退出。"
        )
        return Broken("environment", (), title, cause, do=told)
    if port not in ports.values():
        inner = next(iter(ports), 8000)
        cause = Text(en=f"{name} runs, but does not publish port {port}.", zh=f"{name} 在运行，但没有发布端口 {port}。")
        shown = ", ".join(f"{o}:{i}" for i, o in ports.items()) or None
        return Broken("config", ("docker:ports",), title, cause, to=f"{port}:{inner}", before=shown)
    cause = Text(en=f"{name} runs, but does not listen yet.", zh=f"{name} 在运行，但还没有开始监听。")
    told = Text(
        en=f"`docker logs --tail 50 {name}`: wait until it is up; if it stands still, `copilot ask {name}`.",
        zh=f"`docker logs --tail 50 {name}`：等到出现就绪的那一行；如果停住不动，运行 `copilot ask {name}`。",
    )
    return Broken("environment", (), title, cause, do=told, sure=False)


def _published(container: RawContainer) -> Iterator[tuple[int, int]]:
    """(port inside, port outside) of a container, running or not."""
    try:
        found = json.loads(container.inspect)
    except ValueError:
        return
    first: Mapping[str, Any] = found[0] if isinstance(found, list) and found else found
    bound = (first.get("HostConfig") or {}).get("PortBindings") or {}
    live = (first.get("NetworkSettings") or {}).get("Ports") or {}
    for inner, outer in {**bound, **{k: v for k, v in live.items() if v}}.items():
        number = inner.partition("/")[0]
        for entry in outer or ():
            if number.isdigit() and str(entry.get("HostPort")).isdigit():
                yield int(number), int(entry["HostPort"])


def container(found: Found) -> Result | None:
    """Whether the container that was named is up."""
    one = found.container
    if one is None:
        return None
    if one.state == "running":
        return Text(en=f"{one.name} is running", zh=f"{one.name} 正在运行")
    title = Text(en=f"{one.name} is {one.state}", zh=f"{one.name} 的状态是 {one.state}")
    return _container_fault(one, 0, title)


def port(found: Found) -> Result | None:
    """Whether the port of the address is one that the container publishes."""
    if found.container is None:
        return None
    address = urlsplit(found.base)
    wanted = address.port or 80
    ports = dict(_published(found.container))
    host_network = (
        '"NetworkMode": "host"' in found.container.inspect or '"NetworkMode":"host"' in found.container.inspect
    )
    if host_network or wanted in ports.values() or not is_private(address.hostname or ""):
        return Text(en=f"{wanted} is published", zh=f"端口 {wanted} 已发布")
    title = Text(en=f"port {wanted} is not published", zh=f"端口 {wanted} 没有发布")
    return _container_fault(found.container, wanted, title)


def health(found: Found) -> Result | None:
    """What the engine says of itself; engines without `/health` are not asked further."""
    address = urlsplit(found.base)
    if not is_private(address.hostname or ""):
        return None
    root = f"{address.scheme}://{address.netloc}"
    try:
        answer = found.http.get(f"{root}/health")
        version = found.http.get(f"{root}/version")
    except NoAnswer:
        return None
    if answer.status == _OK:
        shown = version.body[:80] if version.status == _OK and version.body.startswith("{") else ""
        return Text(en=f"/health answers 200 {shown}".strip(), zh=f"/health 返回 200 {shown}".strip())
    if answer.status < 500 and answer.status != _UNAVAILABLE:  # noqa: PLR2004 - not there, or behind a key
        return None
    cause = Text(en=f"{root}/health answers {answer.status}.", zh=f"{root}/health 返回 {answer.status}。")
    told = Text(en="`copilot ask` on its container.", zh="对该容器运行 `copilot ask`。")
    return Broken("environment", (), Text(en="the engine is not well", zh="引擎状态不正常"), cause, do=told)


def base_of(container: RawContainer) -> str | None:
    """The address under which this machine reaches a container."""
    outer = next((o for _, o in _published(container)), None)
    return f"http://127.0.0.1:{outer}/v1" if outer else None
