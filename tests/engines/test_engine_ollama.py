"""What Ollama's logs say."""

# ruff: noqa: E501 - log lines stand as they are printed

import pytest

from copilot import engines
from copilot.logs import parse

SERVE = """\
time=2026-08-17T22:09:50.100Z level=INFO source=routes.go:1481 msg="server config" env="map[CUDA_VISIBLE_DEVICES: HTTP_PROXY: OLLAMA_CONTEXT_LENGTH:4096 OLLAMA_DEBUG:INFO OLLAMA_FLASH_ATTENTION:false OLLAMA_HOST:http://0.0.0.0:11434 OLLAMA_KEEP_ALIVE:5m0s OLLAMA_MODELS:/root/.ollama/models OLLAMA_ORIGINS:[http://localhost https://localhost app://*] OLLAMA_NUM_PARALLEL:1 http_proxy:]"
time=2026-08-17T22:09:50.200Z level=INFO source=images.go:518 msg="total blobs: 5"
time=2026-08-17T22:09:50.300Z level=INFO source=routes.go:1534 msg="Listening on [::]:11434 (version 0.12.3)"
time=2026-08-17T22:09:50.580Z level=INFO source=types.go:32 msg="inference compute" id=0 library=CUDA compute=7.5 name=CUDA0 description="NVIDIA GeForce RTX 2070" total="8.0 GiB" available="6.9 GiB"
"""
LOAD = """\
time=2026-08-17T22:10:01.000Z level=INFO source=server.go:400 msg="starting runner" cmd="/usr/bin/ollama runner --model /root/.ollama/models/blobs/sha256-0 --port 39817"
llama_model_loader: - kv   0:                       general.architecture str              = qwen2
llama_model_loader: - kv   2:                               general.name str              = Qwen2.5 3B Instruct
load_tensors: offloaded 20/37 layers to GPU
"""
DONE = """\
time=2026-08-17T22:10:05.000Z level=INFO source=server.go:1289 msg="llama runner started in 4.00 seconds"
[GIN] 2026/08/17 - 22:10:06 | 200 |  5.1s |  172.19.0.1 | POST     "/v1/chat/completions"
"""


def facts(text):
    log = parse(text)
    return engines.read(log, engines.identify(log, None, None), None, None)


def test_a_server_that_listens():
    read = facts(SERVE)
    assert (read.name, read.version, read.version_from) == ("ollama", "0.12.3", "log")
    assert (read.healthy, read.failed) == (True, False)
    assert (read.gpu_name, read.capability) == ("NVIDIA GeForce RTX 2070", "7.5")
    assert read.readings.values["total"] == 8.0
    assert read.readings.values["free"] == 6.9


def test_its_environment_as_it_read_it():
    settings = {one.parameter: one.value for one in facts(SERVE).settings}
    assert settings["env:OLLAMA_CONTEXT_LENGTH"] == "4096"
    assert settings["env:OLLAMA_ORIGINS"] == "[http://localhost https://localhost app://*]"
    assert settings["env:OLLAMA_HOST"] == "http://0.0.0.0:11434"
    assert "env:HTTP_PROXY" not in settings
    assert "env:http_proxy" not in settings


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        (SERVE, "serving"),
        (SERVE + LOAD, "weights"),
        (SERVE + LOAD + "llama_kv_cache: size = 144.00 MiB ( 4096 cells)", "kv_cache"),
        (SERVE + LOAD + DONE, "serving"),
        (SERVE.split("\n", maxsplit=1)[0], "config"),
    ],
)
def test_phases_of_the_server_and_of_a_load(text, phase):
    assert facts(text).boots[-1].phase == phase


def test_model_and_layers():
    read = facts(SERVE + LOAD + DONE)
    assert read.model == "Qwen2.5 3B Instruct"
    assert read.architecture_names == ("qwen2",)
    assert (read.readings.values["layers_offloaded"], read.readings.values["layers"]) == (20, 37)


@pytest.mark.parametrize(
    "line",
    [
        "panic: unable to create llama context",
        'time=2026-08-17T22:10:05Z level=ERROR source=sched.go:476 msg="error loading llama server" error="llama runner process has terminated: exit status 2"',
        'time=2026-08-17T22:10:05Z level=INFO source=sched.go:1 msg="x"\nError: model requires more system memory (10.2 GiB) than is available (2.9 GiB)',
    ],
)  # fmt: skip
def test_failures(line):
    read = facts(SERVE + LOAD + line)
    assert (read.healthy, read.failed) == (False, True)


def test_refused_requests():
    read = facts(SERVE + '[GIN] 2026/08/17 - 22:10:06 | 403 |  14µs |  172.19.0.1 | POST     "/v1/chat/completions"\n')
    assert read.request_errors == (5,)
    assert read.failed


def test_memory_of_an_older_load_line():
    read = facts(
        "time=2025-05-19T10:50:36.626+05:00 level=INFO source=server.go:168 msg=offload library=cuda layers.requested=-1 layers.model=35"
        ' layers.offload=0 layers.split="" memory.available="[3.2 GiB]" memory.required.full="2.6 GiB" memory.required.kv="254.0 MiB"'
        ' memory.weights.total="2.3 GiB" memory.graph.full="517.0 MiB"'
    )
    expected = {
        "layers": 35,
        "layers_offloaded": 0,
        "free": 3.2,
        "requested": 2.6,
        "kv_needed": 254 / 1024,
        "weights": 2.3,
    }
    assert {name: read.readings.values[name] for name in expected} == pytest.approx(expected)
