"""What vLLM's logs say, over its versions."""

# ruff: noqa: E501, ISC004 - log lines stand as they are printed

from pathlib import Path

import pytest

from copilot import engines
from copilot.logs import clean, decode, parse

DATA = Path(__file__).parent.parent / "logs" / "data"


def facts(text, image=None, option=None):
    log = parse(clean(text))
    return engines.read(log, engines.identify(log, image, None), image, option)


def recorded(name, **more):
    return facts(decode((DATA / f"{name}.log").read_bytes()), **more)


@pytest.mark.parametrize("path", sorted(DATA.glob("*.log")), ids=lambda path: path.stem)
def test_every_recording_is_known_as_vllm(path):
    log = parse(clean(decode(path.read_bytes())))
    assert engines.identify(log, None, None) == "vllm"


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("INFO 12-20 20:25:46 api_server.py:585] vLLM API server version 0.6.4.post1", "0.6.4.post1"),
        ("(APIServer pid=1) INFO 09-03 21:20:45 [api_server.py:1805] vLLM API server version 0.10.1.1", "0.10.1.1"),
        ("INFO 12-01 16:56:53 [api_utils.py:339]  ▄▄ ▄█ █     █     █ ▀▄▀ █  version 0.25.0", "0.25.0"),
        ("INFO 12-01 17:07:04 [api_utils.py:339] vLLM server version 0.25.0, serving model /models/x", "0.25.0"),
        ("INFO 12-01 16:57:09 [core.py:114] Initializing a V1 LLM engine (v0.8.5.post1) with config: model='m'", "0.8.5.post1"),
        ("INFO 12-01 16:57:09 llm_engine.py:237] Initializing an LLM engine (v0.6.3) with config: model='m'", "0.6.3"),
    ],
)  # fmt: skip
def test_versions_of_the_log(line, version):
    read = facts(line)
    assert (read.version, read.version_from) == (version, "log")


@pytest.mark.parametrize(
    ("image", "version"),
    [
        ("vllm/vllm-openai:v0.25.0", "0.25.0"),
        ("vllm/vllm-openai:v0.11.1rc3", "0.11.1rc3"),
        ("registry.example/vllm/vllm-openai:v0.24.0-cu129@sha256:00", "0.24.0"),
        ("vllm/vllm-openai:latest", None),
        ("vllm/vllm-openai:nightly-0123abcd", None),
        ("vllm/vllm-openai", None),
        ("postgres:16.2", None),
    ],
)
def test_the_image_decides_where_the_log_is_silent(image, version):
    read = facts("INFO vllm_engine.py] Using V1 engine", image=image)
    assert (read.version, read.version_from) == (version, "image" if version else None)


def test_option_before_log_before_image():
    assert recorded("gpu-wsl-uva-not-available", image="vllm/vllm-openai:v0.1.0").version == "0.25.0"
    read = recorded("gpu-wsl-uva-not-available", option="v0.26.0")
    assert (read.version, read.version_from) == ("0.26.0", "option")


@pytest.mark.parametrize(
    ("name", "phase"),
    [
        ("removed-flag-swap-space", "config"),
        ("max-model-len-over-derived", "config"),
        ("port-in-use", "config"),
        ("hub-gated-401", "download"),
        ("hub-unreachable-dns", "download"),
        ("gpu-wsl-uva-not-available", "device"),
        ("gpu-free-memory-below-utilization-7gib", "device"),
        ("gpu-tensor-parallel-2-mp-one-gpu", "device"),
        ("gpu-oom-weight-load", "weights"),
        ("weights-truncated", "weights"),
        ("gpu-flashinfer-not-installed-sampler", "profiling"),
        ("tmp-disk-full", "profiling"),
        ("gpu-kv-cache-too-small-hint", "kv_cache"),
        ("gpu-oom-cuda-graph-capture", "graphs"),
        ("lora-path-missing", "graphs"),
        ("ok-startup", "serving"),
        ("engine-core-killed-while-serving", "serving"),
    ],
)
def test_how_far_it_got(name, phase):
    assert recorded(name).boots[-1].phase == phase


@pytest.mark.parametrize(
    ("line", "phase"),
    [
        ("INFO vllm_engine.py] Using V1 engine", "device"),
        ("RuntimeError: UVA is not available", "device"),
        ("RuntimeError: Data processing error: CAS Client Error: HTTP 401, cas-server.xethub.hf.co", "weights"),
        ("INFO 11-18 18:07:28 gpu_executor.py:122] # GPU blocks: 0, # CPU blocks: 2048", "kv_cache"),
        ("INFO 12-20 20:25:49 model_runner.py:1413] Capturing cudagraphs for decoding. This may lead", "graphs"),
        ("INFO:     Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)", "serving"),
        ("nothing of this", "none"),
    ],
)
def test_single_lines_prove_a_phase(line, phase):
    log = parse(line)
    assert engines.read(log, "vllm", None, None).boots[-1].phase == phase


@pytest.mark.parametrize(
    "name",
    ["ok-startup", "ok-api-requests", "gpu-sigterm-serving", "gpu-request-errors", "gpu-ledger-llama3.1-8b-eager"],
)
def test_sound_logs(name):
    read = recorded(name)
    assert (read.healthy, read.failed) == (True, False)


@pytest.mark.parametrize(
    "name",
    ["engine-core-killed-while-serving", "gpu-device-side-assert", "request-chat-on-pooling-model", "removed-flag-swap-space", "gpu-oom-weight-load"],
)  # fmt: skip
def test_failed_logs(name):
    read = recorded(name)
    assert (read.healthy, read.failed) == (False, True)


def test_an_unfinished_start_is_neither():
    read = recorded("sigkill-after-grace-period-at-startup")
    assert (read.healthy, read.failed) == (False, False)


def test_refused_requests_are_told_apart_from_failures():
    read = recorded("ok-api-requests")
    assert len(read.request_errors) > 5
    assert recorded("gpu-sigterm-serving").request_errors == ()


def test_settings_in_the_contracts_spelling():
    settings = {one.parameter: one for one in recorded("gpu-ledger-qwen2.5-3b-debug").settings}
    assert settings["--gpu-memory-utilization"].value == "0.2"
    assert settings["--max-model-len"].value == "8192"
    assert settings["--model"].value == "/models/Qwen2.5-3B-Instruct"
    assert settings["--enforce-eager"].value is None
    assert "--model-tag" not in settings
    assert {one.source for one in settings.values()} == {"log"}
    assert settings["--model"].line == recorded("gpu-ledger-qwen2.5-3b-debug").settings[0].line > 0


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "INFO 12-01 10:00:00 [u.py:1] non-default args: {'model': 'a/b', 'served_model_name': ['x'], 'enable_prefix_caching': False,"
            " 'compilation_config': {'level': 3}, 'api_key': ['‹api-key-1›'], 'hf_overrides': <function f at 0x7f>, 'port': 8001}",
            {
                "--model": "a/b",
                "--served-model-name": "x",
                "--enable-prefix-caching": "false",
                "--compilation-config": '{"level": 3}',
                "--api-key": "‹api-key-1›",
                "--hf-overrides": "<function f at 0x7f>",
                "--port": "8001",
            },
        ),
        (
            "INFO 11-18 18:07:28 api_server.py:585] args: Namespace(host=None, port=8000, model='a, b', dtype='auto',"
            " enforce_eager=True, lora_modules=None, dispatch_function=<function serve at 0x7f>)",
            {"--port": "8000", "--model": "a, b", "--dtype": "auto", "--enforce-eager": None},
        ),
        (
            "INFO 12-01 16:57:09 [core.py:114] Initializing a V1 LLM engine (v0.25.0) with config: model='m', dtype=torch.float16,"
            " max_seq_len=2048, tensor_parallel_size=2, quantization=None, kv_cache_dtype=auto, enforce_eager=True",
            {"--model": "m", "--tensor-parallel-size": "2", "--enforce-eager": None},
        ),
        (
            "INFO 12-01 10:00:00 [u.py:1] non-default args: {'model': 'a', 'hf_token': '‹hf-1›', 'max_model_len': 40",
            {"--model": "a", "--hf-token": "‹hf-1›", "--max-model-len": "40"},
        ),
    ],
    ids=["dictionary", "namespace", "engine config", "cut off"],
)
def test_settings_of_every_form(line, expected):
    assert {one.parameter: one.value for one in facts(line).settings} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "ValueError: Free memory on device cuda:0 (6.98/8.0 GiB) on startup is less than desired GPU memory utilization (0.9, 7.2 GiB).",
            {"free": 6.98, "total": 8.0, "utilization": 0.9, "requested": 7.2},
        ),
        (
            "ValueError: Free memory on device (31.44/47.38 GiB) on startup is less than desired GPU memory utilization (0.95, 45.01 GiB).",
            {"free": 31.44, "total": 47.38, "utilization": 0.95, "requested": 45.01},
        ),
        (
            "Free memory on device (23.0/23.6 GiB) on startup. Desired GPU memory utilization is (0.92, 21.7 GiB). Actual usage is 15.2 GiB"
            " for consumed memory (weights + non-torch), 1.1 GiB for peak activation, and 0.6 GiB for CUDAGraph memory. Replace",
            {"consumed": 15.2, "activation": 1.1, "graphs": 0.6, "free": 23.0, "requested": 21.7},
        ),
        (
            "INFO 12-20 20:25:46 worker.py:241] the current vLLM instance can use total_gpu_memory (15.77GiB) x gpu_memory_utilization"
            " (0.90) = 14.20GiB\nINFO 12-20 20:25:46 worker.py:241] model weights take 7.51GiB; non_torch_memory takes 0.39GiB; PyTorch"
            " activation peak memory takes 2.53GiB; the rest of the memory reserved for KV Cache is 3.76GiB.",
            {"total": 15.77, "utilization": 0.9, "requested": 14.2, "weights": 7.51, "non_torch": 0.39, "activation": 2.53, "kv_available": 3.76},
        ),
        ("Loading model weights took 14.9595 GB", {"weights": 14.9595}),
        ("Model loading took 15.0 GiB memory and 1.3 seconds", {"weights": 15.0}),
        ("Available KV cache memory: -8.59 GiB", {"kv_available": -8.59}),
        (
            "GPU KV cache size: 1,797,584 tokens, Maximum concurrency for 131,072 tokens per request: 13.71x",
            {"tokens": 1797584, "max_model_len": 131072, "concurrency": 13.71},
        ),
        ("# cuda blocks: 2468, # CPU blocks: 2048", {"blocks": 2468}),
        (
            "To serve at least one request with the models's max seq len (262144), (24.0 GiB KV cache is needed, which is larger than the"
            " available KV cache memory (3.18 GiB). Based on the available memory, the estimated maximum model length is 34736. Try",
            {"max_model_len": 262144, "kv_needed": 24.0, "kv_available": 3.18, "max_len_fits": 34736},
        ),
        (
            "The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (39024).",
            {"max_model_len": 131072, "tokens": 39024},
        ),
        ("Graph capturing finished in 12 secs, took 0.59 GiB", {"graphs": 0.59}),
        ("Estimated CUDA graph memory: 0.44 GiB total", {"graphs_estimated": 0.44}),
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 260.00 MiB. GPU 0 has a total capacity of 8.00 GiB of which"
            " 243.56 MiB is free. Process 1636 has 1.50 GiB memory in use. Including non-PyTorch memory, this process has 8.76 GiB memory in"
            " use. Of the allocated memory 8.08 GiB is allocated by PyTorch, and 12.54 MiB is reserved by PyTorch but unallocated.",
            {
                "oom_tried": 260 / 1024,
                "oom_total": 8.0,
                "oom_free": 243.56 / 1024,
                "others": 1.5,
                "oom_in_use": 8.76,
                "oom_allocated": 8.08,
                "oom_reserved": 12.54 / 1024,
            },
        ),
    ],
)  # fmt: skip
def test_memory_lines_of_all_versions(text, expected):
    log = parse(text)
    readings = engines.read(log, "vllm", None, None).readings
    assert {name: readings.values[name] for name in expected} == pytest.approx(expected)
    assert set(readings.lines) == set(readings.values)


def test_figures_agree_with_the_recordings_table():
    values = recorded("gpu-ledger-qwen2.5-3b-debug").readings.values
    table = {
        "free": 139.29,
        "total": 139.8,
        "weights": 5.79,
        "non_torch": 0.22,
        "activation": 0.94,
        "kv_available": 21.0,
        "tokens": 611792,
    }
    assert {name: values[name] for name in table} == pytest.approx(table)


def test_of_several_workers_the_smallest_cache_counts():
    text = "".join(
        f"(Worker_TP{rank} pid={rank}) INFO Available KV cache memory: {gib} GiB\n"
        for rank, gib in enumerate((3.5, 3.1, 3.4))
    )
    assert engines.read(parse(text), "vllm", None, None).readings.values["kv_available"] == 3.1


def test_only_the_last_boot_is_measured():
    first, second = (
        decode((DATA / f"{name}.log").read_bytes())
        for name in ("gpu-free-memory-below-utilization-7gib", "gpu-wsl-uva-not-available")
    )
    read = facts(f"{first}\n{second}")
    assert len(read.boots) == 2
    assert "free" not in read.readings.values
    assert [boot.phase for boot in read.boots] == ["device", "device"]


def test_model_device_and_platform():
    read = recorded("gpu-ledger-llama3.1-8b-eager")
    assert read.model == "/models/Llama-3.1-8B-Instruct"
    assert read.architecture_names == ("LlamaForCausalLM",)
    assert (read.dtype, read.attention_backend) == ("bfloat16", "FLASH_ATTN")
    card = facts(
        "ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla T4 GPU has compute capability 7.5."
    )
    assert (card.gpu_name, card.capability) == ("Tesla T4", "7.5")
    assert (
        engines.read(parse("INFO platform.py] Detected WSL2 environment, GPU-PV layer"), "vllm", None, None).wsl is True
    )
    assert read.wsl is None


def test_a_log_of_another_program():
    log = parse("LOG:  database system is ready to accept connections\n")
    assert engines.identify(log, None, None) is None
    assert engines.identify(log, "vllm/vllm-openai:v0.25.0", None) == "vllm"
    assert engines.identify(log, None, "ollama") == "ollama"
    read = engines.read(log, None, None, None)
    assert (read.healthy, read.failed, read.version) == (False, False, None)


def test_an_empty_log():
    log = parse("")
    assert engines.identify(log, None, None) is None
    assert engines.read(log, "vllm", "vllm/vllm-openai:v0.25.0", None).version == "0.25.0"
