"""`copilot collect -o DIR`, then `ask --from DIR`: the same answer elsewhere, from one readable folder."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from copilot import app
from copilot.adapters.files import UserFiles
from copilot.errors import UsageError
from copilot.model.answer import Answer
from copilot.model.request import Sources
from copilot.ports import FixedHost, FixedResolver, MemoryContainers, MemoryFiles, MemoryGpus, RawContainer
from copilot.workflow.gather import gather
from copilot.workflow.state import Ports
from workflow.helpers import CASES, answer

TOKEN = "hf_" + "abcdefgh" * 4
COMPOSE = """services:
  vllm:
    image: vllm/vllm-openai:v0.25.0
    environment:
      HF_TOKEN: ${HF_TOKEN}
      HF_HOME: /data   # models
    command: --model Qwen/Qwen2.5-3B-Instruct --gpu-memory-utilization ${SHARE:-0.9}
"""
OVERRIDE = "services:\n  vllm:\n    command: --model Qwen/Qwen2.5-3B-Instruct --gpu-memory-utilization 0.92\n"
GPU = """index, name, memory.total [MiB], memory.used [MiB], memory.free [MiB]
0, NVIDIA T4, 15360 MiB, 9000 MiB, 6360 MiB
"""
HOST = json.dumps({"system": "wsl2", "memory_gib": 15.5, "docker_version": "28.0.1", "runtimes": ["nvidia", "runc"]})


def log_of(case: str) -> str:
    return (CASES / case / "round-1" / "server.log").read_text(encoding="utf-8")


def container(log: str, files: str = "", **state: object) -> RawContainer:
    labels = {"com.docker.compose.service": "vllm", "com.docker.compose.project.config_files": files}
    attrs = {
        "Id": "a" * 64,
        "Name": "/llm-vllm-1",
        "RestartCount": 0,
        "State": {"Status": "exited", "ExitCode": 1, "Error": "", "OOMKilled": False, **state},
        "Config": {
            "Image": "vllm/vllm-openai:v0.25.0",
            "Env": [f"HF_TOKEN={TOKEN}", "HF_HOME=/data"],
            "Cmd": ["--model", "Qwen/Qwen2.5-3B-Instruct", "--gpu-memory-utilization", "0.9"],
            "Labels": labels if files else {},
        },
        "HostConfig": {"ShmSize": 67108864, "IpcMode": "private", "DeviceRequests": [{"Count": -1}]},
    }
    return RawContainer("a" * 64, "llm-vllm-1", "vllm/vllm-openai:v0.25.0", json.dumps(attrs, indent=4), log.encode())


def machine(ports: Ports, made: RawContainer, files: dict[str, str], gpu: str = GPU) -> Ports:
    """A machine with one container."""
    return replace(
        ports,
        containers=MemoryContainers((made,)),
        gpus=MemoryGpus(gpu),
        host=FixedHost(HOST),
        files=MemoryFiles({name: text.encode() for name, text in files.items()}),
    )


ENV = {"/p/.env": f"HF_TOKEN={TOKEN}\nSHARE=0.9\n"}
KINDS = {
    "container alone": ("start-share-above-free", "", {}, GPU),
    "with compose": ("start-share-above-free", "/p/compose.yaml", {"/p/compose.yaml": COMPOSE, **ENV}, GPU),
    "with an override": (
        "start-share-above-free",
        "/p/compose.yaml,/p/compose.override.yaml",
        {"/p/compose.yaml": COMPOSE, "/p/compose.override.yaml": OVERRIDE, **ENV},
        GPU,
    ),
    "without a GPU": ("wsl2-pinned-memory", "", {}, ""),
    "an empty log": ("", "", {}, GPU),
}


def said(found: Answer) -> dict[str, object]:
    """What an answer says; the session's name, times and what this machine could not tell belong to the run."""
    whole = json.loads(found.model_dump_json(by_alias=True))
    for key in ("session", "answered_by", "redactions", "missing"):
        whole.pop(key)
    return dict(whole)


@pytest.mark.parametrize("kind", KINDS)
def test_the_folder_gives_the_same_answer(kind: str, ports: Ports, tmp_path: Path) -> None:
    log, labels, files, gpu = KINDS[kind]
    text = log_of(log) if log else ""
    state = {} if log else {"Status": "created", "ExitCode": 127, "Error": "exec: vllm: not found"}
    here = machine(ports, container(text, labels, **state), files, gpu)
    live = answer(here, Sources())
    folder = tmp_path / "carried"
    app.collect(here, Sources(), folder)
    elsewhere = replace(ports, files=UserFiles())
    there = answer(elsewhere, Sources(directory=str(folder)))
    assert said(there) == said(live)
    assert live.faults
    for path in folder.rglob("*"):
        if path.is_file():
            assert TOKEN not in path.read_text(encoding="utf-8"), path
            assert path.stat().st_mode & 0o077 == 0 or path.name == "case.toml"


@pytest.mark.parametrize("case", sorted(p.name for p in CASES.iterdir() if (p / "case.toml").is_file()))
def test_a_collected_case_is_the_case(case: str, ports: Ports, tmp_path: Path) -> None:
    sources = Sources(directory=str(CASES / case))
    here = replace(ports, files=UserFiles())
    app.collect(here, sources, tmp_path / "again")
    assert said(answer(here, Sources(directory=str(tmp_path / "again")))) == said(answer(here, sources))


def test_what_only_the_resolver_knew_travels_along(ports: Ports, tmp_path: Path) -> None:
    compose = "services:\n  vllm:\n    extends: {file: base.yaml, service: vllm}\n    image: vllm/vllm-openai:v0.25.0\n"
    resolved = {
        "services": {
            "vllm": {
                "image": "vllm/vllm-openai:v0.25.0",
                "command": ["--model", "Qwen/Qwen2.5-3B-Instruct", "--gpu-memory-utilization", "0.9"],
                "environment": {"HF_TOKEN": TOKEN, "VLLM_WSL2_ENABLE_PIN_MEMORY": "1"},
            },
            "database": {"image": "postgres", "environment": {"POSTGRES_PASSWORD": "not-" + "for-others"}},
        }
    }
    made = container(log_of("start-share-above-free"), "/p/compose.yaml")
    here = replace(machine(ports, made, {"/p/compose.yaml": compose}), resolver=FixedResolver(json.dumps(resolved)))
    app.collect(here, Sources(), tmp_path / "carried")
    stored = (tmp_path / "carried/round-1/compose/resolved.json").read_text(encoding="utf-8")
    assert TOKEN not in stored
    assert "postgres" not in stored
    elsewhere = replace(ports, files=UserFiles())
    carried = Sources(directory=str(tmp_path / "carried"))
    service = gather(elsewhere, {"sources": carried})["evidence"].service
    assert service.written("env:VLLM_WSL2_ENABLE_PIN_MEMORY").value == "1"
    assert service.notes == ()
    assert said(answer(elsewhere, carried)) == said(answer(here, Sources()))


def test_a_folder_that_holds_something_is_not_touched(ports: Ports, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    with pytest.raises(UsageError, match="not empty"):
        app.collect(ports, Sources(log="-"), tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


class Interrupted(MemoryGpus):
    """Ctrl-C while a source is asked."""

    def read(self) -> str:
        raise KeyboardInterrupt


def test_an_interruption_leaves_nothing(ports: Ports, tmp_path: Path) -> None:
    here = replace(machine(ports, container(log_of("wsl2-pinned-memory")), {}), gpus=Interrupted())
    with pytest.raises(KeyboardInterrupt):
        app.collect(here, Sources(), tmp_path / "half")
    assert list(tmp_path.iterdir()) == []
