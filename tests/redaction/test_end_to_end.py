"""No secret of any source in anything that the product prints, writes or sends."""

import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path

import pytest

from copilot.errors import UsageError
from copilot.providers.address import check_plain
from redaction.planted import ROOT, SECRETS, SOURCES, Place, leaks, plant


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return plant(tmp_path)


class Endpoint(BaseHTTPRequestHandler):
    """An endpoint that keeps what it was sent and answers as its `says` has it."""

    said: list[str]
    says: tuple[int, str]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.said.append(body)
        status, text = self.says
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[HTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)  # a connection left open holds up no other
    Endpoint.said, Endpoint.says = [], (500, "{}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def test_the_plant_is_seen(place: Place) -> None:
    text = "".join(
        (place.project / name).read_text() for name in ("server.log", "compose.yaml", "inspect.json", ".env")
    )
    assert sorted(leaks(text)) == sorted(SECRETS)


def test_ask_prints_and_stores_no_secret(place: Place) -> None:
    done = place.run("ask", *SOURCES, "--json", "--no-loop")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["redactions"]
    assert not leaks(done.stdout)
    assert not leaks(done.stderr)
    written = place.written()
    assert any("server.log" in name for name in written), "the session's record"
    assert {name: leaks(text) for name, text in written.items() if leaks(text)} == {}


def test_the_terminal_view_shows_no_secret(place: Place) -> None:
    done = place.run("ask", *SOURCES, "--no-loop")
    assert not leaks(done.stdout + done.stderr)


def test_a_dry_run_shows_what_would_be_sent_and_no_secret(place: Place) -> None:
    done = place.run("ask", *SOURCES, "--dry-run")
    assert "non-default args" in done.stdout
    assert not leaks(done.stdout + done.stderr)


def test_a_collected_folder_holds_no_secret(place: Place) -> None:
    done = place.run("collect", *SOURCES, "-o", "out")
    assert done.returncode == 0, done.stderr
    assert not leaks(done.stdout + done.stderr)
    written = place.written()
    assert any(name.endswith("out/round-1/server.log") for name in written)
    assert {name: leaks(text) for name, text in written.items() if leaks(text)} == {}


def test_nothing_is_sent_or_shown_when_a_provider_quotes_the_key(place: Place, endpoint: HTTPServer) -> None:
    Endpoint.says = (401, json.dumps({"error": {"message": f"Incorrect API key provided: {SECRETS['own']}."}}))
    url = f"http://127.0.0.1:{endpoint.server_port}/v1"
    done = place.run(
        "ask", *SOURCES, "--json", "--no-loop", "--model", "m", OPENAI_BASE_URL=url, OPENAI_API_KEY=SECRETS["own"]
    )
    assert Endpoint.said, done.stderr
    assert not leaks("".join(Endpoint.said))
    assert not leaks(done.stdout + done.stderr)
    assert {name: leaks(text) for name, text in place.written().items() if leaks(text)} == {}


def test_a_fault_of_our_own_shows_a_redacted_traceback(place: Place) -> None:
    broken = place.home / "site"  # an installation whose terminal library fails, and says so with the key
    (broken / "rich").mkdir(parents=True)
    (broken / "rich" / "__init__.py").write_text(
        "import os\nraise RuntimeError('no terminal for ' + os.environ['MY_GATEWAY_API_KEY'])\n"
    )
    done = place.run("ask", *SOURCES, "--no-loop", PYTHONPATH=f"{broken}{os.pathsep}{ROOT}")
    assert done.returncode == 1
    assert "Traceback (most recent call last)" in done.stderr
    assert "RuntimeError: no terminal for ‹" in done.stderr
    assert not leaks(done.stdout + done.stderr)


def test_a_session_that_cannot_be_written_is_told_without_a_secret(place: Place) -> None:
    (place.home / "data").write_text("a file where the folder of sessions should be")
    done = place.run("ask", *SOURCES, "--json", "--no-loop")
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    assert not leaks(done.stdout + done.stderr)


def test_only_the_owner_can_read_what_is_stored(place: Place, endpoint: HTTPServer) -> None:
    Endpoint.says = (401, "{}")
    url = f"http://127.0.0.1:{endpoint.server_port}"  # without /v1: what answers is remembered
    place.run(
        "ask", *SOURCES, "--json", "--no-loop", "--model", "m", OPENAI_BASE_URL=url, OPENAI_API_KEY=SECRETS["own"]
    )
    place.run("collect", *SOURCES, "-o", str(place.home / "data" / "carried"))
    stored = [path for root in ("data", "cache") for path in (place.home / root).rglob("*")]
    assert {"session.json", "server.log", ".lock", "usage.jsonl", "case.toml"} <= {path.name for path in stored}
    assert {str(path): oct(path.stat().st_mode) for path in stored if path.stat().st_mode & 0o077} == {}


@pytest.mark.parametrize("host", ["http://8.8.8.8/v1", "http://gpu.example.com/v1", "http://[2606:4700::1]/v1"])
def test_plain_http_stays_at_home(host: str) -> None:
    with pytest.raises(UsageError, match="public host"):
        check_plain(host, allowed=False)
    check_plain(host, allowed=True)
    for private in ("http://127.0.0.1:1/v1", "http://10.0.0.2/v1", "http://vllm:8000/v1", "https://gpu.example.com"):
        check_plain(private, allowed=False)
