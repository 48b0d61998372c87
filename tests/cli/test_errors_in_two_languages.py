"""The command as a process: the same mistakes in English and in Chinese, with the same exit codes."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Literal

import pytest

from copilot.cli.retests import Terminal

ROOT = Path(__file__).parent.parent.parent
ENGLISH, CHINESE = {"LANG": "C.UTF-8"}, {"LANG": "zh_CN.UTF-8"}
COMPOSE = """services:
  server:
    image: vllm/vllm-openai:v0.8.5
    env_file: server.env
include: [other.yml]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files with which something is wrong."""
    (tmp_path / "program").write_bytes(b"\x7fELF\x02\x01\x01\x00" + bytes(300))
    (tmp_path / "empty.log").touch()
    (tmp_path / "bad.yml").write_text("services:\n  server: image: vllm\n")
    (tmp_path / "compose.yml").write_text(COMPOSE)
    return tmp_path


def environment(**more: str) -> dict[str, str]:
    """No Docker, no GPU library's surprises, nobody's language."""
    kept = {name: value for name, value in os.environ.items() if name not in ("LC_ALL", "LC_MESSAGES", "LANGUAGE")}
    return {**kept, "PYTHONPATH": str(ROOT), "DOCKER_HOST": "unix:///nowhere/docker.sock", **more}


def run(folder: Path, *arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "copilot.cli", *arguments]
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=folder,
        encoding="utf-8",
        env=environment(**more),
        check=False,
        timeout=60,
    )


MISTAKES: tuple[tuple[str, int, str, str], ...] = (
    (
        "ask --offline --log nofile",
        2,
        "copilot: There is no file nofile.\n  Check the path.\n",
        "copilot: 没有文件 nofile。\n  请检查路径。\n",
    ),
    (
        "ask --offline --log program",
        2,
        "copilot: program is not a text file.\n  Give the container's log as text.\n",
        "copilot: program 不是文本文件。\n  请给出文本形式的容器日志。\n",
    ),
    (
        "compare empty.log program",
        2,
        "copilot: empty.log is empty.\n  Save it with: docker logs NAME > A.log 2>&1\n",
        "copilot: empty.log 是空的。\n  可这样保存：docker logs NAME > A.log 2>&1\n",
    ),
    (
        "ask --offline --compose bad.yml",
        2,
        (
            "copilot: bad.yml, line 2: mapping values are not allowed here.\n"
            "  Correct the YAML there; `docker compose config -q` says the same.\n"
        ),
        (
            "copilot: bad.yml 第 2 行：此处不能出现映射值（检查缩进和冒号）。\n"
            "  请修正该处的 YAML；`docker compose config -q` 会报同样的错。\n"
        ),
    ),
    (
        "ask --offline server",
        3,
        "copilot: No Docker engine runs here.\n  Start Docker. Or name the evidence: --log FILE, --compose FILE.\n",
        "copilot: 本机没有运行 Docker 引擎。\n  请启动 Docker，或直接指定证据：--log FILE、--compose FILE。\n",
    ),
    (
        "ask --provider nobody --log program",
        2,
        "copilot: No provider is named nobody (asked for by --provider).\n  Known: playbook.\n",
        "copilot: 没有名为 nobody 的提供方（由 --provider 指定）。\n  可用的有：playbook。\n",
    ),
    (
        "explain --portt",
        2,
        "copilot: No version has a parameter --portt.\n  Did you mean --port?\n",
        "copilot: 没有任何版本有参数 --portt。\n  是不是要写 --port？\n",
    ),
)


@pytest.mark.parametrize(("line", "code", "english", "chinese"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_a_mistake_is_said_in_the_language_asked_for(
    line: str, code: int, english: str, chinese: str, folder: Path
) -> None:
    for lang, said, other in (("en", english, CHINESE), ("zh", chinese, ENGLISH)):
        done = run(folder, *line.split(), "--lang", lang, **other)
        assert (done.returncode, done.stdout, done.stderr) == (code, "", said)


def test_an_empty_log_names_the_file(folder: Path) -> None:
    english = run(folder, "ask", "--offline", "--log", "empty.log", "--lang", "en")
    chinese = run(folder, "ask", "--offline", "--log", "empty.log", "--lang=zh")
    assert english.returncode == chinese.returncode == 3
    assert english.stderr.startswith("copilot: Nothing could be collected: the log ")
    assert chinese.stderr == (
        f"copilot: 没有收集到任何内容：日志 {folder / 'empty.log'} 是空的。\n"
        "  请用 --log FILE 指定日志，或指定一个容器。\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "chinese"),
    [
        ("ask --nope", "错误：没有选项 --nope"),
        ("ask --tail many", "错误：'--tail' 的值无效：应为整数"),
        ("aks", "错误：没有命令 'aks'，是不是要写 'ask'？"),
        ("ask --lang", "错误：选项 '--lang' 需要一个值。"),
        ("measure show", "错误：缺少参数 'ID'。"),
        ("ask one two", "错误：多余的参数（two）"),
    ],
)
def test_a_wrong_command_line_is_said_in_chinese(arguments: str, chinese: str, tmp_path: Path) -> None:
    done = run(tmp_path, *arguments.split(), **CHINESE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(chinese)
    assert not [line for line in done.stderr.splitlines() if line.startswith(("Usage", "Try", "Error"))]


def test_a_wrong_command_line_in_english_is_typers_own(tmp_path: Path) -> None:
    done = run(tmp_path, "ask", "--tail", "many", **ENGLISH)
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: copilot ask [OPTIONS]")
    assert "\nError: Invalid value for '--tail': " in done.stderr


@pytest.mark.parametrize(
    ("arguments", "system", "chinese"),
    [
        ("sessions show none", {"LANG": "zh_CN.UTF-8"}, True),
        ("sessions show none", {"LANG": "en_US.UTF-8", "LC_ALL": "zh_TW.UTF-8"}, True),
        ("sessions show none", {"LANG": "zh_CN.UTF-8", "COPILOT_LANG": "en"}, False),
        ("sessions show none", {"LANG": "C.UTF-8", "COPILOT_LANG": "zh"}, True),
        ("explain --port", {"LANG": "zh_CN.UTF-8", "COPILOT_LANG": "fr"}, True),  # the error is about the language
        ("explain --port --lang fr", {"LANG": "C.UTF-8"}, False),
        ("explain --portt --lang en --lang zh", {"LANG": "C.UTF-8"}, True),  # the last one counts
    ],
)
def test_the_language_is_the_one_of_every_command(
    arguments: str, system: dict[str, str], chinese: bool, tmp_path: Path
) -> None:
    done = run(tmp_path, *arguments.split(), **system)
    assert done.returncode == 2
    assert ("。" in done.stderr) is chinese


@pytest.mark.parametrize(("lang", "said"), [("en", "Interrupted.\n"), ("zh", "已中断。\n")])
def test_ctrl_c_is_answered_in_the_language(lang: str, said: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "copilot.cli", "redact", "--lang", lang]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=tmp_path, env=environment(), encoding="utf-8"
    ) as running:
        late = threading.Timer(60, running.kill)
        late.start()
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("a line\n" * 200)  # more than it holds back
        running.stdin.flush()
        assert running.stdout.readline() == "a line\n"  # it has come as far as waiting for more
        running.send_signal(signal.SIGINT)
        running.wait()
        late.cancel()
        assert running.stderr is not None
        assert (running.returncode, running.stderr.read()) == (130, said)


@pytest.fixture
def nobody() -> str:
    """The base URL of a port on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


def missing(folder: Path, url: str, lang: str) -> tuple[dict[str, object], list[str]]:
    """The keys of an answer, and its notes: an empty log, and a model that cannot be asked."""
    named = ("--compose", "compose.yml", "--log", "empty.log")
    done = run(folder, "ask", *named, "--model", "m", "--json", "--lang", lang, COPILOT_BASE_URL=url)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    return answer, answer["missing"]


def test_what_an_answer_lacks_is_in_its_language(folder: Path, nobody: str) -> None:
    english, told = missing(folder, nobody, "en")
    chinese, noted = missing(folder, nobody, "zh")
    assert list(english) == list(chinese)
    log = folder / "empty.log"
    assert told[0] == f"environment cannot be reached at {nobody}: Connection refused."
    assert told[-3:] == [
        f"not collected: the log {log} is empty",
        "not followed: include was not followed",
        "not followed: env_file was not read",
    ]
    assert noted[0] == f"无法连接 environment（{nobody}）：连接被拒绝。"
    assert noted[-3:] == [
        f"未收集：日志 {log} 是空的",
        "未跟进：没有读取 include 的文件",
        "未跟进：没有读取 env_file",
    ]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ["There is no file nofile. Check the path.", "program is not a text file."]),
        ("zh", ["没有文件 nofile。请检查路径。", "program 不是文本文件。"]),
    ],
)
def test_a_slip_in_the_loop_is_said_in_its_language(
    lang: Literal["en", "zh"],
    said: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    (folder / "typed").write_text("f nofile\nf program\nq\n")
    with (folder / "typed").open() as typed:
        monkeypatch.setattr(sys, "stdin", typed)
        Terminal(lang).next(1)
    shown = capsys.readouterr().out
    assert all(one in shown for one in said)


def test_what_collect_leaves_out_is_in_the_language(folder: Path) -> None:
    named = ("--compose", "compose.yml", "--log", "empty.log")
    english = run(folder, "collect", "-o", "en", *named, **ENGLISH)
    chinese = run(folder, "collect", "-o", "zh", *named, **CHINESE)
    assert english.stderr.endswith("Read the folder before you share it.\nleft out: the log empty.log is empty\n")
    assert chinese.stderr.endswith("分享前请自己再看一遍该文件夹。\n未收集：日志 empty.log 是空的\n")


def test_english_needs_no_catalogue(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom copilot.cli.main import main\n"
        "assert main(['explain', '--portt', '--lang', 'en']) == 2\n"
        "from copilot.text import errors\nprint(errors.catalogue.cache_info().currsize)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment(), cwd=tmp_path
    )
    assert done.stdout == "0\n"
