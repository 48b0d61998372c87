"""Fixtures for all tests: ports from twins, and folders of the user's that are this test's own."""

import itertools
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from copilot.demo import demo_ports
from copilot.ports import ScriptedRetest
from copilot.workflow.state import Ports

_NUMBER = itertools.count()
CASES = Path(__file__).parent.parent / "cases"
OURS = ("COPILOT_PROVIDER", "COPILOT_MODEL", "COPILOT_LANG", "COPILOT_API_KEY", "COPILOT_BASE_URL",
        "OPENAI_BASE_URL", "OPENAI_API_KEY")  # fmt: skip

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a run in the background of a shell ignores Ctrl-C, and so would every command that a test starts and interrupts
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """No test reads or writes the real user's folders, and none has a provider by accident."""
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(_NUMBER))  # mktemp reads the whole folder every time
    home.mkdir(parents=True)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    for name in OURS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    return home


@pytest.fixture
def ports() -> Ports:
    """Ports that know only files."""
    return replace(demo_ports(CASES), retest=ScriptedRetest())
