"""`copilot redact`: text in, text out, the summary beside it."""

import os
import random
import string
import subprocess
import sys
from pathlib import Path

KEY = "hf_" + "".join(random.Random(3).choices(string.ascii_letters, k=34))  # noqa: S311 - no key


def run(arguments: list[str], data: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "copilot.cli", "redact", *arguments],
        input=data,
        capture_output=True,
        check=False,
        env={**os.environ, **environ},
    )


def test_a_pipe_goes_through_and_the_summary_stays_beside() -> None:
    done = run([], f"HF_TOKEN={KEY}\nfree 12\n".encode())
    assert done.returncode == 0
    assert done.stdout.decode() == "HF_TOKEN=‹huggingface-token-1›\nfree 12\n"
    assert b"1 \xc3\x97 huggingface-token" in done.stderr


def test_chinese_summary() -> None:
    done = run(["-", "--lang", "zh"], b"nothing here\n")
    assert done.stdout == b"nothing here\n"
    assert "没有需要替换的内容" in done.stderr.decode()


def test_a_file_of_any_bytes_is_kept_but_for_its_secrets(tmp_path: Path) -> None:
    file = tmp_path / "server.log"
    file.write_bytes(b"caf\xe9 \xff\r\nAuthorization: Bearer " + KEY.encode() + b"\r\nend")
    done = run([str(file)])
    assert done.stdout == "caf\udce9 \udcff\r\nAuthorization: Bearer ‹huggingface-token-1›\r\nend".encode(
        errors="surrogateescape"
    )


def test_utf_16_stays_utf_16(tmp_path: Path) -> None:
    file = tmp_path / "powershell.log"
    file.write_bytes(f"HF_TOKEN={KEY}\r\nok\r\n".encode("utf-16"))
    out = run([str(file)]).stdout.decode("utf-16")
    assert out == "HF_TOKEN=‹huggingface-token-1›\r\nok\r\n"


def test_keys_of_the_environment_and_of_the_project_are_known(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DB_PASSWORD=quiet-meadow\n")
    done = subprocess.run(
        [sys.executable, "-m", "copilot.cli", "redact"],
        input=b"it said quiet-meadow and plain-orchard\n",
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "OPENAI_API_KEY": "plain-orchard", "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert b"quiet-meadow" not in done.stdout
    assert b"plain-orchard" not in done.stdout


def test_what_cannot_be_read_is_wrong_usage(tmp_path: Path) -> None:
    missing = run([str(tmp_path / "none.log")])
    assert missing.returncode == 2
    assert b"cannot be read" in missing.stderr
    binary = tmp_path / "model.bin"
    binary.write_bytes(b"\x7fELF" + bytes(range(256)) * 40)
    assert run([str(binary)]).returncode == 2
