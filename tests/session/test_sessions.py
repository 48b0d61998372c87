"""The record on disk: nothing shown is lost, nothing half-written is read, one process at a time."""

import json
import multiprocessing
import os
import random
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from copilot import app
from copilot.errors import UsageError
from copilot.model.request import Options, Sources
from copilot.recorded import CaseFacts, read_case, save_case
from copilot.session import Sessions
from copilot.workflow.state import Ports
from workflow.helpers import case

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def store(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path / "sessions")


def begin(ports: Ports, store: Sessions, name: str = "one") -> app.Answered:
    events = list(app.start(ports, case("three-attempts"), Options(loop=False, session=name), store))
    return next(event for event in events if isinstance(event, app.Answered))


def test_a_round_is_on_disk_when_its_answer_is_handed_out(ports: Ports, store: Sessions) -> None:
    for event in app.start(ports, case("three-attempts"), Options(loop=False, session="one"), store):
        if isinstance(event, app.Answered):
            assert store.answers("one")[-1] == event.answer
    folder = store.folder("one")
    assert {p.name for p in (folder / "round-1").iterdir()} >= {"server.log", "compose.yaml", "gpus.csv"}
    assert stat.S_IMODE((folder / "session.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_next_round_goes_on_from_the_record(ports: Ports, store: Sessions) -> None:
    begin(ports, store)
    events = app.proceed(ports, "one", case("three-attempts", 2), Options(loop=False), store)
    second = next(event for event in events if isinstance(event, app.Answered)).answer
    assert second.round == 2
    assert second.compared is not None
    assert second.compared.verdict == "moved"
    history = store.read("one").history
    assert [step.verdict for step in history] == ["moved"]


def test_a_session_is_read_back_as_the_evidence_it_was(ports: Ports, store: Sessions) -> None:
    first = begin(ports, store)
    again = app.stored_evidence(store.folder("one") / "round-1", store.read("one"))
    assert again.log == first.evidence.log
    assert again.service.settings == first.evidence.service.settings


def test_two_processes_on_one_session_get_a_clear_word(ports: Ports, store: Sessions) -> None:
    begin(ports, store)
    with store.locked("one"), pytest.raises(UsageError, match="Another copilot"):
        list(app.proceed(ports, "one", None, Options(loop=False), store))


def test_another_format_is_told_and_not_read(store: Sessions) -> None:
    folder = store.folder("old")
    folder.mkdir(parents=True)
    (folder / "session.json").write_text(json.dumps({"schema": "copilot.session/0", "id": "old"}))
    with pytest.raises(UsageError, match=r"copilot.session/0"):
        store.read("old")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"schema": "copilot.session/1"}'])
def test_a_damaged_record_is_one_sentence(store: Sessions, content: str) -> None:
    folder = store.folder("bad")
    folder.mkdir(parents=True)
    (folder / "session.json").write_text(content)
    with pytest.raises(UsageError):
        store.read("bad")


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "x" * 200])
def test_a_session_id_is_no_path(store: Sessions, name: str) -> None:
    with pytest.raises(UsageError):
        store.folder(name)


def test_a_case_is_made_of_a_session_and_is_a_case(ports: Ports, store: Sessions, tmp_path: Path) -> None:
    begin(ports, store)
    facts = CaseFacts("download breaks off", ("env:HF_HUB_DISABLE_XET",), "CAS Client Error", "own server")
    made = read_case(save_case(store, "one", tmp_path / "case", facts))
    assert made.expect.fault[0].parameters == ("env:HF_HUB_DISABLE_XET",)
    assert not (tmp_path / "case" / "sources.json").exists()


def test_a_case_needs_a_line_that_exists(ports: Ports, store: Sessions, tmp_path: Path) -> None:
    begin(ports, store)
    with pytest.raises(UsageError, match="No line"):
        save_case(store, "one", tmp_path / "case", CaseFacts("t", ("--x",), "no such text", "own"))


def test_killed_at_any_instant_what_was_shown_is_there_and_what_is_there_can_be_read(tmp_path: Path) -> None:
    """Kills the real program at random moments of its life."""
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "copilot.cli", "ask", "--offline", "--no-loop", "--json",
               "--from", str(ROOT / "cases" / "three-attempts")]  # fmt: skip
    started = time.monotonic()
    subprocess.run(command, env=environment, capture_output=True, check=True)
    whole = time.monotonic() - started
    dice = random.Random(7)  # noqa: S311 - moments, not secrets
    for _ in range(6):
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        time.sleep(dice.uniform(0.3, 1.0) * whole)
        process.send_signal(signal.SIGKILL)
        shown, _ = process.communicate()
        store = Sessions(tmp_path / "log2fix" / "sessions")
        for name in store.ids():
            assert store.read(name).id == name
            store.answers(name)
        if shown.strip().endswith(b"}"):
            answer = json.loads(shown)
            assert store.answers(answer["session"])[0].round == answer["round"]


def test_a_full_disk_is_one_sentence(ports: Ports, store: Sessions) -> None:
    (store.root).mkdir(parents=True)
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()

    def limited() -> None:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        try:
            begin(ports, store)
        except UsageError as error:
            queue.put(error.message)
        else:
            queue.put("no error")

    process = context.Process(target=limited)
    process.start()
    process.join()
    assert "cannot be written" in queue.get()


def test_sources_are_kept_apart_from_the_evidence(ports: Ports, store: Sessions) -> None:
    begin(ports, store)
    assert store.sources("one") == Sources(directory=case("three-attempts").directory)
    assert "sources" not in (store.folder("one") / "session.json").read_text()
