"""Values that come from `.env`, from a default, or from an env_file; the new line of `docker run` users."""

from pathlib import Path

import pytest

from compose.test_compose_changes import patched
from copilot.compose import ComposeFile, change, change_env, command_change, read
from copilot.model.text import RedactedText

COMPOSE = """services:
  vllm:
    image: vllm/vllm-openai:${TAG:-v0.25.0}
    shm_size: ${SHM}
    environment:
      HF_HOME: ${HOME_OF_MODELS}/hub
      VLLM_LOGGING_LEVEL: ${LEVEL:-INFO}
    command: --model ${MODEL} --max-model-len=${LEN:-4096} --gpu-memory-utilization ${UTIL-0.9}
"""
ENV = (
    "# models\nMODEL='Qwen/Qwen2.5-3B-Instruct'  # small\nHOME_OF_MODELS=/data\nTOKEN=hf_"
    + "abcdefgh" * 4
    + "\nSHM=8g\n"
)


@pytest.mark.parametrize(
    ("parameter", "to", "file", "line"),
    [
        ("--model", "Qwen/Qwen2.5-1.5B-Instruct", ".env", "+MODEL='Qwen/Qwen2.5-1.5B-Instruct'  # small"),
        ("env:HF_HOME", "/models/hub", ".env", "+HOME_OF_MODELS=/models"),
        ("docker:shm_size", "16g", ".env", "+SHM=16g"),
        ("docker:image", "vllm/vllm-openai:v0.25.1", "compose.yaml", "+    image: vllm/vllm-openai:${TAG:-v0.25.1}"),
        ("env:VLLM_LOGGING_LEVEL", "DEBUG", "compose.yaml", "+      VLLM_LOGGING_LEVEL: ${LEVEL:-DEBUG}"),
        # the old value has another head: the whole value gives way, `.env` cannot express it
        ("env:HF_HOME", "/models", "compose.yaml", "+      HF_HOME: /models"),
    ],
)
def test_the_diff_is_of_the_file_that_decides(parameter: str, to: str, file: str, line: str) -> None:
    made = change(ComposeFile("compose.yaml", COMPOSE, env_raw=ENV), "vllm", parameter, to)
    assert made.diff is not None, made.reason
    assert made.diff.startswith(f"--- {file}\n")
    assert line in made.diff.split("\n")
    assert "hf_abc" not in made.diff


@pytest.mark.parametrize(("parameter", "to"), [("--max-model-len", "2048"), ("--gpu-memory-utilization", "0.8")])
def test_a_default_inside_a_command_is_changed(parameter: str, to: str) -> None:
    made = change(ComposeFile("compose.yaml", COMPOSE, env_raw=ENV), "vllm", parameter, to)
    assert made.diff is not None, made.reason
    found = read(RedactedText(made.text_after), "compose.yaml", "vllm", {"MODEL": "m"})
    assert [s.value for s in found.settings if s.parameter == parameter] == [to]


def test_a_variable_of_two_words_is_left_alone() -> None:
    text = "services:\n  vllm:\n    image: vllm/vllm-openai\n    command: --model ${ARGS}\n"
    made = change(
        ComposeFile("compose.yaml", text, env_raw='ARGS="m --max-model-len 4096"\n'), "vllm", "--max-model-len", "9"
    )
    assert made.diff is None
    assert made.reason is not None


@pytest.mark.parametrize(
    ("before", "name", "to", "after"),
    [
        ("A=1\nB=2\n", "A", "3", "A=3\nB=2\n"),
        ("A=1\r\nB=2\r\n", "B", None, "A=1\r\n"),
        ("export A='x y' # why\n", "A", "z", "export A='z' # why\n"),
        ("A=1", "B", "2", "A=1\nB=2\n"),
        ("A=1\nA=2\n", "A", "3", "A=1\nA=3\n"),
        ("", "A", "a b", 'A="a b"\n'),
    ],
)
def test_a_variable_of_an_env_file(before: str, name: str, to: str | None, after: str, tmp_path: Path) -> None:
    made = change_env(before, "gpu.env", name, to)
    assert made.text_after == after
    if made.diff and before:
        assert patched(tmp_path, made, before) == after


RUN = """docker run -d --gpus all --name vllm \\
  -e HF_TOKEN=‹huggingface-token-1› \\
  -p 8000:8000 \\
  vllm/vllm-openai:v0.25.0 \\
  --model Qwen/Qwen2.5-3B-Instruct \\
  --max-model-len 4096
"""


@pytest.mark.parametrize(
    ("parameter", "to", "has", "has_not"),
    [
        ("--max-model-len", "2048", "--max-model-len 2048", "4096"),
        ("--max-model-len", None, "Qwen2.5-3B-Instruct", "--max-model-len"),
        ("--enforce-eager", "true", "--enforce-eager", "true"),
        ("env:VLLM_USE_V1", "0", "-e VLLM_USE_V1=0", None),
        ("docker:shm_size", "16g", "--shm-size 16g", None),
        ("docker:ipc", "host", "--ipc host", None),
        ("docker:image", "vllm/vllm-openai:v0.25.1", "vllm/vllm-openai:v0.25.1", "v0.25.0"),
        ("docker:ports", "9000:8000", "-p 9000:8000", "8000:8000"),
        ("docker:gpus", '"device=0"', "device=0", "--gpus all"),
        ("docker:name", None, "docker run", "--name"),
        ("docker:mem_limit", "24g", "--memory 24g", None),
        ("docker:volumes", "./hub:/root/.cache/huggingface", "-v ./hub:/root/.cache/huggingface", None),
    ],
)
def test_the_new_docker_run(parameter: str, to: str | None, has: str, has_not: str | None) -> None:
    line = command_change(RedactedText(RUN), parameter, to)
    assert line is not None
    assert has in line
    assert has_not is None or has_not not in line
    assert 'HF_TOKEN="$HF_TOKEN"' in line
    assert all(part.endswith("\\") for part in line.rstrip().split("\n")[:-1])
