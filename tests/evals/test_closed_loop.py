"""The closed loop's own parts: the faults' file, the diff applied with patch, and a round with a stand-in server."""

import sys
from pathlib import Path

import pytest

from copilot.evals.closed_loop.__main__ import main
from copilot.evals.closed_loop.faults import Fault, read_faults
from copilot.evals.closed_loop.loop import ROUNDS, Bench, run_fault
from copilot.evals.closed_loop.server import Server
from copilot.evals.closed_loop.service import COMPOSE, Service
from copilot.model.answer import Change, Expect, Experiment
from evals.kit import ROOT

STAND_IN = """
import http.server, json, sys
from pathlib import Path
words = sys.argv[2:]
print("INFO 12-01 10:00:00 [api_utils.py:286] vLLM API server version 0.32.0", flush=True)
if "--disable-log-requests" in words:
    print("usage: vllm serve [model_tag] [options]\\nvllm: error: unrecognized arguments: --disable-log-requests")
    sys.exit(2)
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args): pass
    def do_GET(self): self.answer(200, b"")
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))["model"]
        good = asked == words[words.index("--served-model-name") + 1]
        self.answer(200 if good else 404, b'{"choices": []}' if good else b'{"error": {}}')
    def answer(self, status, body):
        self.send_response(status); self.send_header("content-length", str(len(body))); self.end_headers()
        self.wfile.write(body)
print("INFO:     Application startup complete.", flush=True)
http.server.HTTPServer(("127.0.0.1", int(words[words.index("--port") + 1])), Handler).serve_forever()
"""
"""Refuses the removed switch as vLLM 0.32 does, and otherwise answers: the loop is under test, not the engine."""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "vllm").write_text(STAND_IN)
    (programs / "python").symlink_to(sys.executable)
    return Bench(Server(programs / "python", 30.0), tmp_path / "models", tmp_path / "scratch", 18250, 18299)


def test_the_faults_of_the_repository_are_many_and_some_are_double() -> None:
    faults = read_faults(ROOT / "evals" / "closed_loop" / "faults.toml")
    assert len(faults) >= 15
    assert sum(fault.name.startswith("double") for fault in faults) >= 3
    for fault in faults:
        assert fault.command("/models", 18200)
        assert fault.parameters


def test_a_removed_switch_is_diagnosed_taken_out_by_the_diff_and_the_chat_is_answered(bench: Bench) -> None:
    fault = Fault(name="removed switch", arguments=("--disable-log-requests",), parameters=("--disable-log-requests",))
    found = run_fault(fault, bench, 0)
    assert (found.repaired, found.rounds, found.needless, found.problem) == (True, 1, 0, "")
    assert found.applied[0].parameter == "--disable-log-requests"
    assert found.applied[0].verdict == "fixed"
    assert "--disable-log-requests" not in (bench.scratch / "00" / "service" / COMPOSE).read_text()


def test_a_fault_without_effect_is_no_success(bench: Bench) -> None:
    found = run_fault(Fault(name="none", parameters=("--port",)), bench, 1)
    assert not found.repaired
    assert "no effect" in found.problem
    assert found.rounds <= ROUNDS


def test_a_diff_that_does_not_fit_is_not_applied(tmp_path: Path) -> None:
    service = Service(tmp_path, Fault(name="x", parameters=("--port",)), "/models", 18200)
    before = service.text
    change = Change(parameter="--port", before="1", to="2")
    diff = "--- compose.yaml\n+++ compose.yaml\n@@ -1,1 +1,1 @@\n-nothing of this file\n+else\n"
    wrong = Experiment(
        fault=None, kind="change", change=change, why="", diff=diff, expect=Expect(if_right="", if_wrong="")
    )
    assert not service.apply(wrong)
    assert service.text == before
    assert service.launch().port == 18200


def test_a_file_that_is_not_there_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--python", sys.executable, "--scratch", str(tmp_path), "--faults", str(tmp_path / "none.toml")])
    assert code == 2
    assert "none.toml" in capsys.readouterr().err
