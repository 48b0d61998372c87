"""`copilot check` on the way to the endpoint: TLS, names, proxies, and the container behind a port. All on loopback."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from copilot import checking
from copilot.config import Config
from copilot.model.check import CheckDocument
from copilot.ports import MemoryVault, RawContainer
from copilot.ports.twins import MemoryContainers
from providers import faulty_endpoint as faulty
from providers.certificates import secured, self_signed
from providers.commands import Person
from providers.faulty_endpoint import FaultyEndpoint
from providers.test_check import HEALTHY, look

PUBLIC = "https://gateway.invalid/v1"
"""A name that no resolver knows (RFC 6761)."""


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


@pytest.fixture
def closed() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def seen(found: Any) -> tuple[str, list[str]]:
    """The broken link and the parameters of its fault, after a look at what every answer must hold."""
    change, told = found["experiment"]["change"], found["experiment"]["observe"]
    assert (change is None) != (told is None)
    assert [link["link"] for link in found["links"] if link["status"] == "broken"] == [found["broken"]]
    return found["broken"], found["faults"][0]["parameters"]


# ---- TLS


def test_a_certificate_of_an_unknown_authority_and_the_advice_that_mends_it(person: Person, tmp_path: Path) -> None:
    file = self_signed(tmp_path)
    with FaultyEndpoint(HEALTHY) as server:
        url = secured(server, file)
        found = look(person, url)
        assert seen(found) == ("tls", ["env:SSL_CERT_FILE", "client:base_url"])
        assert "SSL_CERT_FILE" in found["experiment"]["observe"]
        mended = look(person, url, SSL_CERT_FILE=str(file))
    assert mended["broken"] is None
    assert "tls" in [link["link"] for link in mended["links"]]


@pytest.mark.parametrize(
    ("made", "parameter", "said"),
    [(("other.example", 1), "client:base_url", "mismatch"), (("localhost", -1), "host:time", "expired")],
)
def test_a_certificate_of_another_name_or_out_of_date(
    person: Person, tmp_path: Path, made: tuple[str, int], parameter: str, said: str
) -> None:
    file = self_signed(tmp_path, *made)
    with FaultyEndpoint(HEALTHY) as server:
        found = look(person, secured(server, file), SSL_CERT_FILE=str(file))
    link, parameters = seen(found)
    assert link == "tls"
    assert parameter in parameters
    assert said in found["faults"][0]["cause"]


def test_https_to_a_server_of_http_and_the_other_way_round(person: Person, tmp_path: Path) -> None:
    with FaultyEndpoint(HEALTHY) as plain:
        found = look(person, plain.url.replace("http:", "https:"))
        assert seen(found)[0] == "tls"
        assert found["experiment"]["change"]["to"] == plain.url
    with FaultyEndpoint(HEALTHY) as server:
        url = secured(server, self_signed(tmp_path))
        found = look(person, url.replace("https:", "http:"))
        assert seen(found) == ("path", ["client:base_url"])
        assert found["experiment"]["change"]["to"] == url


@pytest.mark.parametrize(
    "body",
    ["Client sent an HTTP request to an HTTPS server.\n", "<html>400 The plain HTTP request was sent to HTTPS port"],
)
def test_a_server_of_https_that_says_so(person: Person, body: str) -> None:
    with FaultyEndpoint(HEALTHY, models=faulty.refuse(400, body)) as server:
        found = look(person, server.url)
    assert found["experiment"]["change"]["to"] == server.url.replace("http:", "https:")


# ---- names


@pytest.mark.parametrize(
    ("url", "parameter", "told"),
    [
        (PUBLIC, "host:dns", "DNS"),
        ("http://no-such-service:8000/v1", "docker:network", "published port"),
        ("http://host.docker.internal:8000/v1", "docker:extra_hosts", "host-gateway"),
    ],
)
def test_a_name_without_an_address(person: Person, url: str, parameter: str, told: str) -> None:
    found = look(person, url)
    link, parameters = seen(found)
    assert link == "name"
    assert parameter in parameters
    assert told in json.dumps(found["experiment"])


# ---- proxies


def test_a_proxy_that_is_not_there(person: Person, closed: int) -> None:
    found = look(person, PUBLIC, HTTPS_PROXY=f"http://user:word@127.0.0.1:{closed}")
    assert seen(found) == ("proxy", ["host:proxy", "env:HTTPS_PROXY"])
    assert f"127.0.0.1:{closed}" in found["faults"][0]["cause"]
    assert "word" not in json.dumps(found)


def test_a_private_host_needs_no_proxy(person: Person, closed: int) -> None:
    found = look(person, "http://10.1.2.3:8000/v1", HTTP_PROXY=f"http://127.0.0.1:{closed}", NO_PROXY="intranet")
    assert seen(found)[0] == "proxy"
    assert found["experiment"]["change"] == {
        "parameter": "client:no_proxy",
        "from": "intranet",
        "to": "intranet,10.1.2.3",
    }


def test_a_proxy_that_lets_nothing_through(person: Person) -> None:
    with FaultyEndpoint(HEALTHY) as server:  # it knows no CONNECT, as a web server mistaken for a proxy
        found = look(person, PUBLIC, HTTPS_PROXY=server.root)
    assert seen(found) == ("path", ["host:proxy", "env:HTTPS_PROXY"])
    assert "501" in found["faults"][0]["cause"]


@pytest.mark.parametrize("status", [407, 502, 503])
def test_a_proxy_that_answers_itself(person: Person, status: int) -> None:
    with FaultyEndpoint(HEALTHY, models=faulty.page(status)) as server:
        found = look(person, "http://10.1.2.3:8000/v1", HTTP_PROXY=server.root)
    link, parameters = seen(found)
    assert link == "path"
    assert parameters[0] == "client:no_proxy"
    assert found["experiment"]["change"]["to"] == "10.1.2.3"


def test_an_endpoint_through_a_proxy_is_walked_to_the_end(person: Person) -> None:
    with FaultyEndpoint(HEALTHY) as server:
        found = look(person, "http://10.1.2.3:8000/v1", HTTP_PROXY=server.root)
    assert found["broken"] is None
    assert [link["status"] for link in found["links"] if link["link"] == "proxy"] == ["ok"]
    assert not {"name", "tcp", "tls"} & {link["link"] for link in found["links"]}, "the proxy resolves and connects"


# ---- the container behind the port


def engine(state: str, ports: dict[int, int]) -> MemoryContainers:
    """A container that publishes these ports (inside: outside)."""
    bound = {f"{inner}/tcp": [{"HostIp": "", "HostPort": str(outer)}] for inner, outer in ports.items()}
    inspect = json.dumps({"HostConfig": {"PortBindings": bound}, "NetworkSettings": {"Ports": {}}})
    return MemoryContainers((RawContainer("c1", "vllm", "vllm/vllm-openai:v0.25.0", inspect, b"", state=state),))


def walk(containers: MemoryContainers, *, inside: bool = False, **asked: Any) -> CheckDocument:
    tools = checking.Tools(Config(), {}, MemoryVault(), containers, in_container=inside)
    return checking.check(checking.Asked(container="vllm", seconds=2.0, **asked), tools)


def test_a_container_alone_gives_the_address(person: Person) -> None:
    with FaultyEndpoint(HEALTHY) as server:
        found = walk(engine("running", {8000: server.server_address[1]}))
    assert found.broken is None
    assert found.provider is not None
    assert found.provider.base_url == server.url
    assert [link.link for link in found.links][1:3] == ["container", "port"]


@pytest.mark.parametrize("state", ["exited", "restarting", "created"])
def test_a_container_that_is_not_up(closed: int, state: str) -> None:
    found = walk(engine(state, {8000: closed}))
    assert found.broken == "container"
    assert found.experiment is not None
    assert "copilot ask vllm" in str(found.experiment.observe)


def test_a_port_that_is_not_published(closed: int) -> None:
    found = walk(engine("running", {8000: closed}), base_url="http://127.0.0.1:8000/v1")
    assert found.broken == "port"
    assert found.experiment is not None
    assert found.experiment.change is not None
    assert (found.experiment.change.parameter, found.experiment.change.to) == ("docker:ports", "8000:8000")


def test_a_model_that_still_loads_refuses_connections(closed: int) -> None:
    found = walk(engine("running", {8000: closed}))
    assert found.broken == "tcp"
    assert "does not listen yet" in found.faults[0].cause
    assert found.experiment is not None
    assert "docker logs" in str(found.experiment.observe)


def test_localhost_in_a_container_is_the_container_itself(closed: int) -> None:
    found = walk(engine("running", {8000: closed}), inside=True)
    assert found.experiment is not None
    assert found.experiment.change is not None
    assert found.experiment.change.to == f"http://host.docker.internal:{closed}/v1"
