"""A real vLLM (CPU build) from its own environment: start, wait, ask for a chat, stop."""

import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from copilot.evals.closed_loop.service import Launch

QUIET = {
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "VLLM_HOST_IP": "127.0.0.1",
    "OMP_NUM_THREADS": "1",
    "no_proxy": "127.0.0.1",
}
"""No call home, no hub, loopback only; one thread, since a tiny model gains nothing by more."""
POLL = 0.5
STOP_WITHIN = 3.0
"""Seconds of grace at the end: nothing is being written that is wanted later."""


@dataclass(frozen=True)
class Started:
    """How one start ended: whether a chat was answered, and what the client saw (empty: the server never came up)."""

    answered: bool
    request: str
    seconds: float


class Server:
    """Starts `python vllm serve ...` with a launch, one at a time."""

    def __init__(self, python: Path, start_within: float) -> None:
        """The interpreter of the server's environment, and the longest start in seconds."""
        self.python = python
        self.start_within = start_within

    def run(self, launch: Launch, asks: str, log: Path) -> Started:
        """One start to its end: a chat, or a failure. The log file holds both streams as a container's would."""
        began = time.monotonic()
        with log.open("wb") as out:
            process = subprocess.Popen(  # noqa: S603 - the interpreter the person named
                [str(self.python), str(self.python.parent / "vllm"), "serve", *launch.arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, **QUIET, **launch.environment},
                start_new_session=True,
            )
            try:
                request = self._until_chat(process, launch.port, asks)
            finally:
                _stop(process)
        return Started(request.startswith("200 "), request.partition(" ")[2], time.monotonic() - began)

    def _until_chat(self, process: subprocess.Popen[bytes], port: int, asks: str) -> str:
        """`STATUS what the client saw`; `0 ` when the server did not come up."""
        deadline = time.monotonic() + self.start_within
        while process.poll() is None and time.monotonic() < deadline:
            if _healthy(port) and process.poll() is None:
                return _chat(port, asks)
            time.sleep(POLL)
        return "0 "


def _healthy(port: int) -> bool:
    """Whether a vLLM answers there (another program on the port does not know the path)."""
    try:
        with _open(urllib.request.Request(f"http://127.0.0.1:{port}/health"), 2.0) as reply:
            return bool(reply.status == 200)  # noqa: PLR2004 - HTTP's OK
    except (OSError, ValueError):
        return False


def _chat(port: int, asks: str) -> str:
    """Ask for a chat: `STATUS` and the exchange as a person would paste it."""
    address = f"http://127.0.0.1:{port}/v1/chat/completions"
    body = json.dumps({"model": asks, "messages": [{"role": "user", "content": "hello"}], "max_tokens": 8})
    shown = f"$ curl -s -i {address} -H 'Content-Type: application/json' -d '{body}'\n"
    request = urllib.request.Request(address, body.encode(), {"Content-Type": "application/json"})
    try:
        with _open(request, 60.0) as reply:
            return f"{reply.status} {shown}HTTP/1.1 {reply.status} OK\n\n{reply.read().decode()}\n"
    except urllib.error.HTTPError as error:
        return f"{error.code} {shown}HTTP/1.1 {error.code} {error.reason}\n\n{error.read().decode()}\n"
    except (OSError, ValueError) as error:
        return f"0 {shown}{type(error).__name__}: {error}\n"


def _open(request: urllib.request.Request, timeout: float):  # type: ignore[no-untyped-def]  # noqa: ANN202
    """Past every proxy: the address is loopback."""
    return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=timeout)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the server and its workers; they are a session of their own."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_WITHIN)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def occupied(port: int | None) -> Iterator[None]:
    """Another program listens on a port."""
    if port is None:
        yield
        return
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))
        taken.listen()
        yield


def free_port(first: int, last: int) -> int:
    """A port of the range on which nobody listens. OSError when there is none."""
    for port in range(first, last + 1):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError(f"no free port from {first} to {last}")
