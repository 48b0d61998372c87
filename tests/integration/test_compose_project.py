"""Containers that `docker compose` made: their files, the diff of the person's own file, and what changed since."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Recorded = Callable[[str], str]
COMPOSE = """services:
  vllm:
    image: vllm/vllm-openai:v0.25.0
    network_mode: none
    labels: {log2fix.test: "1"}   # so that the test can remove it
    volumes:
      - ./server.log:/server.log:ro
      - ./program:/bin/vllm:ro
    environment:
      HF_HOME: /data   # the models
      HF_TOKEN: ${HF_TOKEN}
    command: >-
      vllm serve Qwen/Qwen2.5-3B-Instruct
      --gpu-memory-utilization ${SHARE:-0.9}
      --max-model-len 4096
"""


def compose(folder: Path, *words: str) -> None:
    done = subprocess.run(["docker", "compose", *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def project(lab: Any, recorded: Recorded) -> Iterator[Path]:
    """A project folder whose service has crashed."""
    if subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode:
        if os.environ.get("CI"):
            pytest.fail("docker compose is missing; ci/start_engine.sh gives it")
        pytest.skip("docker compose is missing")
    folder = lab.folder / "project"
    folder.mkdir()
    (folder / "docker-compose.yml").write_text(COMPOSE, encoding="utf-8")
    (folder / ".env").write_text("HF_TOKEN=hf_" + "abcdefgh" * 4 + "\n", encoding="utf-8")
    (folder / "server.log").write_text(recorded("start-share-above-free"), encoding="utf-8")
    (folder / "program").write_text("#!/bin/sh\ncat /server.log >&2\nexit 1\n", encoding="utf-8")
    (folder / "program").chmod(0o755)
    compose(folder, "up", "-d")
    name = "project-vllm-1"
    lab.client.containers.get(name).wait(timeout=60)
    yield folder
    compose(folder, "down", "-v", "-t", "0")


def settings(answer: dict[str, Any], parameter: str) -> list[dict[str, Any]]:
    return [line for line in answer["lines"] if line["parameter"] == parameter and line["source"] == "compose"]


def test_the_diff_is_of_the_persons_own_file(lab: Any, project: Path) -> None:
    answer = lab.ask()
    change = answer["experiment"]["change"]
    assert change["parameter"] == "--gpu-memory-utilization"
    diff = answer["experiment"]["diff"]
    assert "hf_abc" not in diff + str(answer)
    assert f"+      --gpu-memory-utilization ${{SHARE:-{change['to']}}}" in diff
    target = project / "docker-compose.yml"
    done = subprocess.run(["patch", "--batch", str(target)], input=diff, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
    compose(project, "config", "-q")
    assert "# the models" in target.read_text()
    assert any("up -d vllm" in command for command in answer["experiment"]["commands"])


def test_the_value_of_env_is_changed_in_env(lab: Any, project: Path) -> None:
    with (project / ".env").open("a") as env:
        env.write("# share of the card\nSHARE=0.9\n")
    compose(project, "up", "-d")
    lab.client.containers.get("project-vllm-1").wait(timeout=60)
    diff = lab.ask("project-vllm-1")["experiment"]["diff"]
    assert diff.startswith("--- ")
    assert ".env" in diff.split("\n")[0]
    assert "-SHARE=0.9" in diff.split("\n")
    assert "hf_abc" not in diff


def test_a_file_changed_after_the_container_was_made_is_told(lab: Any, project: Path) -> None:
    file = project / "docker-compose.yml"
    file.write_text(file.read_text().replace("${SHARE:-0.9}", "0.5"), encoding="utf-8")
    answer = lab.ask()
    assert "old --gpu-memory-utilization" in str(answer["faults"]) + str(answer["missing"]), answer["faults"]


def test_an_override_decides(lab: Any, project: Path) -> None:
    override = """services:
  vllm:
    environment:
      HF_HOME: /other   # mine
    command: vllm serve Qwen/Qwen2.5-3B-Instruct --gpu-memory-utilization 0.9
"""
    (project / "docker-compose.override.yml").write_text(override, encoding="utf-8")
    compose(project, "up", "-d")
    lab.client.containers.get("project-vllm-1").wait(timeout=60)
    diff = lab.ask("project-vllm-1")["experiment"]["diff"]
    assert "override" in diff.split("\n")[0]
    assert "--gpu-memory-utilization 0.9" in diff


def test_a_file_that_is_gone_is_named(lab: Any, project: Path) -> None:
    shutil.move(project / "docker-compose.yml", project / "kept.yml")
    try:
        answer = lab.ask()
    finally:
        shutil.move(project / "kept.yml", project / "docker-compose.yml")
    assert answer["status"] == "diagnosed"
    assert "docker-compose.yml" in str(answer["missing"])
