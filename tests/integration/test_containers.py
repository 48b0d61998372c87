"""What `copilot ask` finds by itself, right after a crash, on the machine where it happened."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from copilot.adapters.docker import DockerContainers
from copilot.collect import read_inspect
from copilot.errors import UsageError

FREE = "start-share-above-free"
PINNED = "wsl2-pinned-memory"
Recorded = Callable[[str], str]


def faults(answer: dict[str, Any]) -> list[str]:
    return [parameter for fault in answer["faults"] for parameter in fault["parameters"]]


def test_a_container_that_exited_is_diagnosed_like_its_log(lab: Any, recorded: Recorded) -> None:
    lab.ended(lab.server("crashed", recorded(FREE)))
    answer = lab.ask("crashed")
    log = lab.folder / "crashed" / "server.log"
    assert answer["status"] == "diagnosed"
    assert faults(answer)[:1] == faults(lab.ask("--log", str(log)))[:1]
    causes = [line for line in answer["lines"] if line["source"] == "log" and line["role"] == "cause"]
    assert causes
    assert all(log.read_text().split("\n")[c["line"] - 1].strip() == c["text"].strip() for c in causes)


def test_without_a_name_the_newest_ill_one_is_taken(lab: Any, recorded: Recorded) -> None:
    lab.ended(lab.server("older", recorded(FREE)))
    lab.ended(lab.server("newer", recorded(PINNED)))
    lab.ended(lab.server("stopped-on-purpose", recorded(FREE), code=0))
    lab.ended(lab.create(name="other-program", image="local/inference:dev", command=["sh", "-c", "exit 1"]))
    lab.create(name="webui", image="local/inference:dev", command=["sleep", "60"])
    ill = DockerContainers().ill()
    assert [one.name for one in ill] == ["newer", "older", "stopped-on-purpose"]
    assert "env:VLLM_WSL2_ENABLE_PIN_MEMORY" in faults(lab.ask())


def test_a_container_that_never_started_tells_why(lab: Any) -> None:
    made = lab.create(name="never", image="vllm/vllm-openai:v0.25.0", command=["vllm-serve-missing"])
    made.reload()
    assert made.status == "created"
    assert [one.name for one in DockerContainers().ill()] == ["never"]
    answer = lab.ask()
    assert any("vllm-serve-missing" in line["text"] for line in answer["lines"]), answer["faults"]


@pytest.mark.parametrize(
    ("image", "command", "why"),
    [
        ("local/inference:dev", ["vllm", "serve", "m"], "by its command"),
        ("local/inference:dev", ["serve.sh"], "by what its log shows"),
        ("vllm/vllm-openai:v0.25.0", ["serve.sh"], "by its image"),
    ],
)
def test_a_renamed_image_is_recognised(lab: Any, recorded: Recorded, image: str, command: list[str], why: str) -> None:
    lab.ended(lab.server("renamed", recorded(FREE), image=image, command=command))
    assert [one.engine for one in DockerContainers().ill()] == ["vllm"], why
    assert lab.ask()["engine"]["name"] == "vllm"


def test_a_restart_loop_holds_several_boots(lab: Any, recorded: Recorded) -> None:
    made = lab.server("looping", recorded(FREE), restart_policy={"Name": "always"})
    end = time.monotonic() + 30
    while made.attrs["RestartCount"] < 2 and time.monotonic() < end:
        time.sleep(0.2)
        made.reload()
    assert [one.name for one in DockerContainers().ill()] == ["looping"]
    answer = lab.ask()
    assert answer["status"] == "diagnosed"
    lines = [line["line"] for line in answer["lines"] if line["source"] == "log" and line["role"] == "cause"]
    assert min(lines) > recorded(FREE).count("\n"), "the cause is that of the newest boot"


def test_a_server_that_runs_but_is_unhealthy_counts_as_ill(lab: Any) -> None:
    check = {"test": ["CMD", "false"], "interval": 10**9, "retries": 1}
    made = lab.create(name="sick", image="vllm/vllm-openai:v0.25.0", command=["sleep", "60"], healthcheck=check)
    end = time.monotonic() + 30
    while made.attrs["State"].get("Health", {}).get("Status") != "unhealthy" and time.monotonic() < end:
        time.sleep(0.2)
        made.reload()
    assert [one.name for one in DockerContainers().ill()] == ["sick"]
    assert read_inspect(DockerContainers().read("sick", 10).inspect).facts.health == "unhealthy"


def test_a_container_killed_for_memory(lab: Any) -> None:
    hungry = "#!/bin/sh\necho 'INFO vLLM API server version 0.25.0'\ntail /dev/zero\n"
    lab.ended(lab.server("hungry", "", program=hungry, mem_limit="32m"))
    facts = read_inspect(DockerContainers().read("hungry", 100).inspect).facts
    assert facts.oom_killed
    assert facts.memory_limit == 32 << 20
    answer = lab.ask("hungry")
    assert {"docker:mem_limit", "host:memory"} & set(faults(answer)), answer["faults"]


def test_stdout_and_stderr_are_told_apart(lab: Any) -> None:
    # lines well apart: the engine stamps a line when it reads the pipe
    program = "#!/bin/sh\nfor i in 1 2 3; do echo out $i; sleep 0.3; echo err $i >&2; sleep 0.3; done\nexit 1\n"
    lab.ended(lab.server("two", "", program=program))
    read = DockerContainers().read("two", 100)
    assert read.log == b"out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n"
    assert read.stderr == (2, 4, 6)
    assert DockerContainers().read("two", 2).log == b"out 3\nerr 3\n"


def test_a_terminal_has_one_stream(lab: Any, recorded: Recorded) -> None:
    lab.ended(lab.server("terminal", recorded(FREE), tty=True))
    read = DockerContainers().read("terminal", 4000)
    assert read.stderr == ()
    assert lab.ask("terminal")["status"] == "diagnosed"


def test_the_tail_is_all_that_is_read(lab: Any) -> None:
    program = "#!/bin/sh\ni=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; exit 1\n"
    lab.ended(lab.server("long", "", program=program))
    lines = DockerContainers().read("long", 50).log.split(b"\n")
    assert lines[-2] == b"line 2999"
    assert len(lines) == 51


def test_the_engines_own_facts_come_along(lab: Any, recorded: Recorded) -> None:
    lab.ended(lab.server("facts", recorded(FREE)))
    read = DockerContainers().read("facts", 10)
    host = json.loads(read.host)
    assert host["docker_version"]
    assert host["cgroup_driver"] == "cgroupfs"
    assert "runc" in host["runtimes"]
    assert any(event.startswith("die 1") for event in host["events"])
    assert read.left_out == ()


def test_a_request_for_a_gpu_is_seen(lab: Any, recorded: Recorded) -> None:
    from docker.types import DeviceRequest

    request = DeviceRequest(device_ids=["0", "1"], capabilities=[["gpu"]], driver="nvidia")
    lab.ended(lab.server("gpu", recorded(FREE), device_requests=[request], shm_size="1g", ipc_mode="private"))
    read = read_inspect(DockerContainers().read("gpu", 10).inspect)
    settings = {s.parameter: s.value for s in read.settings}
    assert read.facts.gpu_requested
    assert settings["docker:gpus"] == "device=0,1"
    assert settings["docker:shm_size"] == "1g"


def test_a_name_that_is_not_there(lab: Any) -> None:
    with pytest.raises(UsageError, match="no container named nobody"):
        DockerContainers().read("nobody", 10)
    done = lab.cli("ask", "nobody", "--json", "--offline")
    assert done.returncode == 2
    assert "nobody" in done.stderr


def test_nothing_ill_is_said_in_one_sentence(lab: Any) -> None:
    done = lab.cli("ask", "--json", "--offline")
    assert done.returncode == 3, done.stdout
    assert "no container of a known engine looks ill" in done.stderr
