"""Every single change on every style of file: it applies with `patch`, keeps every comment, changes one value."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from copilot.compose import ComposeChange, ComposeFile, change, command_change, read
from copilot.model.text import RedactedText

FILES = sorted((Path(__file__).parent / "files").glob("*.yaml"))
CHANGES = [
    ("--max-model-len", "2048"),
    ("--max-model-len", None),
    ("--gpu-memory-utilization", "0.86"),
    ("--gpu-memory-utilization", None),
    ("--enforce-eager", None),
    ("--enforce-eager", "true"),
    ("--dtype", "half"),
    ("--hf-overrides", '{"architectures": ["Qwen2ForCausalLM"]}'),
    ("--trust-remote-code", "true"),
    ("--model", "Qwen/Qwen2.5-1.5B-Instruct"),
    ("env:VLLM_WSL2_ENABLE_PIN_MEMORY", "1"),
    ("env:VLLM_LOGGING_LEVEL", "DEBUG"),
    ("env:VLLM_LOGGING_LEVEL", None),
    ("env:HF_HOME", "/cache dir"),
    ("docker:image", "vllm/vllm-openai:v0.25.1"),
    ("docker:shm_size", "16g"),
    ("docker:shm_size", None),
    ("docker:ipc", "host"),
    ("docker:gpus", "all"),
    ("docker:gpus", "device=0,1"),
    ("docker:runtime", "nvidia"),
    ("docker:ports", "9000:8000"),
    ("docker:volumes", "./models:/models"),
    ("docker:restart", "no"),
    ("docker:user", "1000:1000"),
    ("docker:mem_limit", "24g"),
    ("docker:network", "host"),
    ("docker:extra_hosts", "host.docker.internal:host-gateway"),
    ("docker:ulimits", "memlock=-1"),
    ("docker:platform", "linux/amd64"),
    ("docker:ports", None),
    ("docker:gpus", None),
    ("docker:gpus", "2"),
    ("docker:mem_limit", None),
    ("docker:name", "vllm-main"),
    ("docker:ulimits", "stack=1000:2000"),
    ("docker:command", "--model Qwen/Qwen2.5-0.5B-Instruct --port 8000"),
    ("docker:env_file", "gpu.env"),
]
MAY_REFUSE = {
    # a merge key cannot be told to leave a value out
    "07-anchors": {("env:VLLM_LOGGING_LEVEL", None), ("docker:gpus", None)},
    # the words to change hold a key
    "15-secrets-around": {("docker:command", "--model Qwen/Qwen2.5-0.5B-Instruct --port 8000")},
    "08-shared-base": {("env:VLLM_LOGGING_LEVEL", None), ("docker:shm_size", None)},
}


def opened(path: Path) -> str:
    return path.read_bytes().decode()


def patched(folder: Path, made: ComposeChange, before: str) -> str:
    """The file after the real `patch` program took the diff."""
    if shutil.which("patch") is None:
        if os.environ.get("CI"):
            pytest.fail("the program patch is missing")
        pytest.skip("the program patch is missing")
    target = folder / "compose.yaml"
    target.write_bytes(before.encode())
    done = subprocess.run(
        ["patch", "--batch", "--binary", "compose.yaml"],
        input=(made.diff or "").encode(),
        cwd=folder,
        capture_output=True,
        check=False,
    )
    said = done.stdout.decode() + done.stderr.decode()
    assert done.returncode == 0, said
    assert "fuzz" not in said, said
    assert "offset" not in said, said
    return target.read_bytes().decode()


def same(written: str | None, to: str | None) -> bool:
    return written == to or (to == "true" and written is None)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_every_single_change(path: Path, tmp_path: Path) -> None:
    before = opened(path)
    comments = re.findall(r"\bc\d\d\b", before)
    service = read(RedactedText(before), path.name).name
    for parameter, to in CHANGES:
        if "ollama" in path.stem and parameter.startswith("--"):
            continue
        made = change(ComposeFile("compose.yaml", before), service, parameter, to)
        label = f"{parameter} -> {to}"
        if made.diff is None and made.reason and (parameter, to) in MAY_REFUSE.get(path.stem, set()):
            continue
        assert made.diff is not None, f"{label}: {made.reason and made.reason.en}"
        assert made.text_after == (patched(tmp_path, made, before) if made.diff else before), label
        after = read(RedactedText(made.text_after), path.name, service)
        found = [s.value for s in after.settings if s.parameter == parameter]
        expected = not found if to is None else any(same(v, to) for v in found)
        assert expected, f"{label}: {found}\n{made.diff}"
        assert re.findall(r"\bc\d\d\b", made.text_after) == comments, f"{label}\n{made.diff}"
        assert "hf_abc" not in made.diff, label
        assert "sk-local" not in made.diff, label
        assert made.text_after.count("\r") in {0, made.text_after.count("\n")}, label


@pytest.mark.parametrize(
    ("command", "parameter", "expected"),
    [
        ("--model m --enforce-eager --port 8000", "--enforce-eager", "--model m --port 8000"),  # off unless it is said
        ("--model m --enable-prefix-caching", "--enable-prefix-caching", "--model m --no-enable-prefix-caching"),
        ("--model m", "--enable-prefix-caching", "--model m --no-enable-prefix-caching"),
        ("--model m --no-enable-prefix-caching", "--enable-prefix-caching", "--model m --no-enable-prefix-caching"),
        ("--model m", "--enforce-eager", "--model m"),
    ],
)
def test_a_switch_is_turned_off_the_way_its_default_asks_for(command: str, parameter: str, expected: str) -> None:
    before = f"services:\n  vllm:\n    image: vllm/vllm-openai:v0.25.0\n    command: {command}\n"
    made = change(ComposeFile("compose.yaml", before), "vllm", parameter, "false")
    assert made.reason is None
    assert made.text_after == before.replace(f"command: {command}\n", f"command: {expected}\n")
    line = f"docker run --rm vllm/vllm-openai:v0.25.0 {command}"
    assert command_change(RedactedText(line), parameter, "false") == line.replace(command, expected)
