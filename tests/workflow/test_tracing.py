"""No tracing service ever sees a node's data, whatever the shell says."""

import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SWITCHES = (
    "LANGSMITH_TRACING",
    "LANGSMITH_TRACING_V2",
    "LANGCHAIN_TRACING_V2",
    "LANGCHAIN_TRACING",
    "LANGCHAIN_HANDLER",
)


@pytest.fixture
def collector() -> Iterator[tuple[str, list[str]]]:
    """A loopback server that notes every request."""
    seen: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self) -> None:
            seen.append(f"{self.command} {self.path}")
            self.send_response(200)
            self.end_headers()

        do_GET = do_POST = do_PATCH = answer  # noqa: N815 - names of the standard library

        def log_message(self, *arguments: object) -> None:
            del arguments

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", seen
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("switch", SWITCHES)
def test_no_request_and_no_error_with_the_switch_set(collector: tuple[str, list[str]], switch: str) -> None:
    url, seen = collector
    environment = {
        **os.environ,
        switch: "langchain" if switch == "LANGCHAIN_HANDLER" else "true",
        "LANGSMITH_ENDPOINT": url,
        "LANGCHAIN_ENDPOINT": url,
        "LANGSMITH_API_KEY": "ls-test",
        "LANGCHAIN_API_KEY": "ls-test",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "copilot.cli", "ask", "--offline", "--no-loop", "--json",
               "--from", str(ROOT / "cases" / "wsl2-pinned-memory")]  # fmt: skip
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert not seen
    assert "tracing" not in done.stderr.lower()
