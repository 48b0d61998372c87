"""`copilot ask` with an endpoint: what is said of the address, and what a dry run sends (nothing)."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

import pytest

from providers import faulty_endpoint as faulty
from providers.commands import Person
from providers.faulty_endpoint import Answer, FaultyEndpoint, Handler

UNKNOWN = json.dumps({"lines": [], "faults": [], "experiment": None, "status": "unknown", "missing": []})
LOG = "INFO 12-01 10:00:00 [api_server.py:100] vLLM API server version 0.25.0\nOSError: [Errno 98] Address in use\n"


@pytest.fixture
def person(tmp_path: Path) -> Person:
    (tmp_path / "server.log").write_text(LOG)
    return Person(tmp_path)


def test_the_address_that_was_probed_is_said_each_time(person: Person) -> None:
    with FaultyEndpoint(faulty.stream(UNKNOWN)) as server:
        said = [person.run("ask", "--log", "server.log", "--json", OPENAI_BASE_URL=server.root) for _ in range(2)]
        right = person.run("ask", "--log", "server.log", "--json", OPENAI_BASE_URL=server.url)
    for done in said:
        assert done.code in (0, 5), done.err
        said_words = " ".join(done.err.split())
        assert f"environment: {server.root} is not the API's address; {server.url} answers and is asked." in said_words
    assert server.url not in right.err


def test_a_dry_run_sends_nothing_at_all(person: Person) -> None:
    with FaultyEndpoint(faulty.stream(UNKNOWN)) as server:
        done = person.run(
            "ask", "--log", "server.log", "--dry-run", OPENAI_BASE_URL=server.root, OPENAI_API_KEY="x" * 9
        )
        assert server.script.seen == []
    assert done.code == 0, done.err
    assert "Address in use" in done.out
    assert "never asked for its context length" in done.err


def test_a_dry_run_shows_the_prompt_that_is_then_sent(person: Person) -> None:
    """Also for a small model, whose context length is known from an earlier run."""
    (person.home / "server.log").write_text(LOG * 4000)
    small = faulty.models("tiny", max_model_len=8192)
    with FaultyEndpoint(faulty.stream(UNKNOWN), models=small) as server:
        sent = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "x" * 9}
        person.run("ask", "--log", "server.log", "--json", **sent)
        done = person.run("ask", "--log", "server.log", "--dry-run", **sent)
        (first, *_) = server.posts
    messages = "\n".join(f"[{m['role']}]\n{m['content']}" for m in first.body["messages"])
    assert done.out.rstrip("\n") == messages.rstrip("\n")
    assert len(messages) < 15_000


def slowly(text: str) -> Answer:
    """A stream with half a second between its pieces."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        del body
        handler.begin_stream()
        for piece in (text[:20], text[20:]):
            handler.event(faulty.chunk(piece))
            time.sleep(0.5)
        handler.event(faulty.chunk(None, "stop"))
        handler.event("[DONE]")

    return answer


def test_a_terminal_says_that_the_answer_is_being_written(person: Person) -> None:
    theirs, ours = os.openpty()
    with FaultyEndpoint(slowly(UNKNOWN)) as server, os.fdopen(theirs, "rb", buffering=0) as terminal:
        environ = {"OPENAI_BASE_URL": server.url, "COPILOT_MODEL": "tiny", "TERM": "xterm", "COLUMNS": "100"}
        command = [sys.executable, "-m", "copilot.cli", "ask", "--log", "server.log", "--no-loop", "--lang", "en"]
        with subprocess.Popen(
            command, cwd=person.home, env=person.environment(environ), stdout=subprocess.DEVNULL, stderr=ours
        ) as process:
            os.close(ours)
            said = b"".join(iter(lambda: read(terminal), b""))
            assert process.wait(60) in (0, 5)
    assert b"asking environment (Ctrl-C ends it)" in said
    assert b"environment is writing its answer: 20 characters" in said


def read(terminal: IO[bytes]) -> bytes:
    """What the terminal shows next; nothing once the program has ended (Linux says so with an error)."""
    try:
        return terminal.read(4096)
    except OSError:
        return b""
