"""No engine, no rights, a dead context, an engine that is silent: one sentence each, and the right exit code."""

import gc
import json
import os
import socket
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from copilot.adapters.docker import DockerContainers
from copilot.adapters.docker_endpoint import Endpoint, endpoints
from copilot.adapters.docker_errors import ERRORS, translated
from copilot.errors import CopilotError, NothingCollected, UsageError


@pytest.fixture(autouse=True)
def sdk_sockets() -> Iterator[None]:
    """The SDK leaves the socket of a handshake that failed to the garbage collector: it is collected here."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def reached(where: str, seconds: float = 1.0) -> CopilotError:
    """What asking this address ends in."""
    with pytest.raises(CopilotError) as caught:
        DockerContainers(seconds=seconds, where=[Endpoint(where)]).ill()
    return caught.value


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[str]:
    """An engine that takes a connection and never answers."""
    path = tmp_path / "silent.sock"
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen(8)
    yield f"unix://{path}"
    server.close()


@pytest.fixture
def garbled() -> Iterator[str]:
    """Something on a TCP port that is no engine."""
    server = socket.create_server(("127.0.0.1", 0))
    done = threading.Event()

    def answer() -> None:
        while not done.is_set():
            try:
                client, _ = server.accept()
            except OSError:
                return
            client.recv(1000)
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello")
            client.close()

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
    done.set()
    server.close()


def test_no_engine(tmp_path: Path) -> None:
    error = reached(f"unix://{tmp_path / 'none.sock'}")
    assert error.message == "No Docker engine runs here."
    assert "--log" in error.hint
    assert error.exit_code == 3


def test_nothing_listens(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert reached(f"tcp://127.0.0.1:{port}").exit_code == 3
    dead = tmp_path / "dead.sock"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(dead))
    assert reached(f"unix://{dead}").message == "No Docker engine runs here."


def test_a_silent_engine_is_left_after_its_time(silent: str) -> None:
    start = time.monotonic()
    error = reached(silent, seconds=0.5)
    assert time.monotonic() - start < 5
    assert "did not answer in time" in error.message
    assert error.exit_code == 3


def test_a_port_that_is_no_engine(garbled: str) -> None:
    error = reached(garbled)
    assert isinstance(error, NothingCollected)
    assert "\n" not in error.message


def asked_without_rights(path: Path) -> list[str]:
    """Message and hint that a process gets which is neither root nor the socket's owner."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        told = ["no error", ""]
        try:
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            DockerContainers(seconds=1, where=[Endpoint(f"unix://{path}")]).ill()
        except CopilotError as error:
            told = [error.message, error.hint]
        finally:
            os.write(write_end, json.dumps(told).encode())
            os._exit(0)
    os.close(write_end)
    told = json.loads(os.read(read_end, 10_000))
    os.close(read_end)
    os.waitpid(child, 0)
    return list(told)


def test_a_socket_that_refuses_this_user() -> None:
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        path = Path(folder) / "docker.sock"
        server.bind(str(path))
        server.listen()
        path.parent.chmod(0o755)
        path.chmod(0)
        message, hint = asked_without_rights(path)
    assert message == "Docker's socket refuses this user."
    assert "group docker" in hint


def write_context(folder: Path, name: str, host: str) -> None:
    import hashlib

    meta = folder / "contexts" / "meta" / hashlib.sha256(name.encode()).hexdigest()
    meta.mkdir(parents=True)
    (meta / "meta.json").write_text(json.dumps({"Name": name, "Endpoints": {"docker": {"Host": host}}}))


def test_where_the_engine_is_sought(tmp_path: Path) -> None:
    home = tmp_path
    config = home / ".docker"
    config.mkdir()
    env = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run")}
    assert [e.address for e in endpoints({**env, "DOCKER_HOST": "tcp://127.0.0.1:2375"}, home)] == [
        "tcp://127.0.0.1:2375"
    ]
    (config / "config.json").write_text('{"currentContext": "desktop-linux"}')
    write_context(config, "desktop-linux", "unix:///home/u/.docker/desktop/docker.sock")
    assert [e.address for e in endpoints(env, home)] == ["unix:///home/u/.docker/desktop/docker.sock"]
    write_context(config, "far", "ssh://box")
    assert [e.address for e in endpoints({**env, "DOCKER_CONTEXT": "far"}, home)] == ["ssh://box"]
    with pytest.raises(UsageError, match="no Docker context named gone"):
        endpoints({**env, "DOCKER_CONTEXT": "gone"}, home)
    (config / "config.json").unlink()
    (home / "run").mkdir()
    (home / "run" / "docker.sock").touch()
    assert f"unix://{home / 'run' / 'docker.sock'}" in [e.address for e in endpoints(env, home)]


def test_tls_of_a_tcp_host(tmp_path: Path) -> None:
    env = {"DOCKER_HOST": "tcp://127.0.0.1:2376", "DOCKER_TLS_VERIFY": "1", "DOCKER_CERT_PATH": str(tmp_path)}
    (found,) = endpoints(env, tmp_path)
    assert (found.tls, found.verify, found.named) == (tmp_path, True, True)
    # files that are no certificates
    error = None
    with pytest.raises(CopilotError) as caught:
        DockerContainers(seconds=1, where=[found]).ill()
    error = caught.value
    assert "TLS" in error.message


def test_every_error_of_the_sdk_is_ours() -> None:
    import docker.errors

    named = {name for name, *_ in ERRORS}
    for name, kind in vars(docker.errors).items():
        if isinstance(kind, type) and issubclass(kind, Exception) and kind.__module__ == "docker.errors":
            assert {base.__name__ for base in kind.__mro__} & named, name
    assert isinstance(translated(TimeoutError("timed out")), NothingCollected)
