"""The person's files, the names they are shown by, and the machine around them."""

import json
import os
import threading
from pathlib import Path

import pytest

from copilot.adapters.files import UserFiles
from copilot.adapters.host import LiveHost
from copilot.adapters.wsl import local_path
from copilot.collect import read_host
from copilot.errors import UsageError


@pytest.mark.parametrize(
    ("written", "here"),
    [
        ("C:\\Users\\me\\llm\\docker-compose.yml", "/mnt/c/Users/me/llm/docker-compose.yml"),
        ("d:/llm/compose.yaml", "/mnt/d/llm/compose.yaml"),
        ("\\\\wsl.localhost\\Ubuntu\\home\\me\\compose.yaml", "/home/me/compose.yaml"),
        ("\\\\wsl$\\Ubuntu-24.04\\home\\me\\compose.yaml", "/home/me/compose.yaml"),
        ("/home/me/compose.yaml", "/home/me/compose.yaml"),
        ("compose.yaml", "compose.yaml"),
    ],
)
def test_paths_that_windows_wrote(written: str, here: str) -> None:
    assert local_path(written) == here


def test_a_large_file_is_read_from_its_end(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"".join(b"line %d\n" % n for n in range(1000)))
    data = UserFiles(limit=100).read(str(tmp_path / "log"))
    assert data.endswith(b"line 999\n")
    assert data.startswith(b"line ")
    assert len(data) <= 100


def test_a_pipe_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(b"from a pipe\n"))
    writer.start()
    assert UserFiles().read(str(tmp_path / "pipe")) == b"from a pipe\n"
    writer.join()


def test_a_collected_folder_does_not_lead_out_of_itself(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.write_text("other")
    (inside / "link").symlink_to(outside)
    (inside / "good").symlink_to(inside / "real")
    (inside / "real").write_text("own")
    files = UserFiles(inside=inside)
    assert files.read(str(inside / "good")) == b"own"
    assert not files.exists(str(inside / "link"))
    for path in (inside / "link", inside / ".." / "outside"):
        with pytest.raises(UsageError, match="leads out of inside"):
            files.read(str(path))


def test_a_loop_of_links_and_a_folder_are_told(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for path, word in (
        (tmp_path / "a", "cannot be read"),
        (tmp_path, "is a folder"),
        (Path("/dev/zero"), "no regular"),
    ):
        with pytest.raises(UsageError, match=word):
            UserFiles().read(str(path))


def test_names_are_shown_without_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "llm").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home / "llm")
    files = UserFiles()
    assert files.show(str(home / "llm" / "compose.yaml")) == "compose.yaml"
    assert files.show(str(home / "other" / "x.env")) == "~/other/x.env"
    assert files.show("/srv/app/compose.yaml") == "app/compose.yaml"


MEMINFO = "MemTotal:       16384000 kB\nMemFree:  1000 kB\nMemAvailable:    8192000 kB\n"


@pytest.mark.parametrize(
    ("version", "system"),
    [
        ("Linux version 5.15.167.4-microsoft-standard-WSL2 (gcc)", "wsl2"),
        ("Linux version 4.4.0-19041-Microsoft (gcc)", "wsl1"),
        ("Linux version 6.8.0-48-generic (buildd)", "linux"),
    ],
)
def test_the_machine(tmp_path: Path, version: str, system: str) -> None:
    (tmp_path / "version").write_text(version)
    (tmp_path / "meminfo").write_text(MEMINFO)
    facts = read_host(LiveHost(proc=tmp_path, disks=(tmp_path,)).read())
    assert facts.system == system
    assert facts.memory_gib == pytest.approx(15.62)
    assert facts.memory_free_gib == pytest.approx(7.81)
    assert facts.disk_free_gib is not None


def test_a_machine_that_tells_nothing(tmp_path: Path) -> None:
    facts = json.loads(LiveHost(proc=tmp_path, disks=(tmp_path / "none",)).read())
    assert "memory_gib" not in facts
    assert "disk_free_gib" not in facts
