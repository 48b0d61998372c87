"""vLLM: how its log tells version, phases, model and device. Wordings of 0.6.0 to 0.33.0, V0 and V1 engine."""

import re
from collections.abc import Sequence

from copilot.engines.phases import Marks, furthest
from copilot.model.log import Line
from copilot.model.words import Phase

NAME = "vllm"
IMAGE = re.compile(r"(?:^|/)vllm|vllm-openai", re.IGNORECASE)
IDENTITY = re.compile(
    r"vLLM API server|non-default args: |\bLLM engine \(v|EngineCore|VllmWorker|vllm/(?:v1|engine|entrypoints|worker)/|▄▄ ▄█"
    r"|vllm: error: |vllm serve: error: |Using V[01] engine|pip show vllm|\bvllm\.\w+|VLLM_[A-Z]+|vllm_engine\.py"
    r"|gpu_memory_utilization"
)
_VERSION = (
    re.compile(r"▄▄ ▄█.*?\bversion (?P<version>\d\S*)"),
    re.compile(r"vLLM API server version (?P<version>\d\S*)"),
    re.compile(r"LLM engine \(v(?P<version>\d[^)\s]*)\)"),
    re.compile(r"\bvLLM Version\s*: (?P<version>\d\S*)"),
    re.compile(r"vllm==(?P<version>\d+\.\d+\S*?)[\s,;'\"]"),
)
_PHASES: tuple[tuple[Phase, str], ...] = (
    (
        "config",
        r"▄▄ ▄█|vLLM API server|non-default args: |args: Namespace|Resolved architecture|Automatically detected platform"
        r"|No platform detected|Using max model len|supports multiple tasks|: error: (?:unrecognized|argument|the following)"
        r"|validation errors? for \w+Config|Defaulting to|Chunked prefill is enabled|, in create_engine_config",
    ),
    (
        "download",
        r"thrown while requesting|Retrying in \d+s|Downloading \S|Fetching \d+ files|huggingface_hub\.errors|, in cached_files?$",
    ),
    (
        "device",
        r"LLM engine \(v\S+\) with config|Using V\d (?:LLM )?engine|Using V\d Model Runner|rank \d+ in world size|world_size=\d+ rank="
        r"|Detected WSL|UVA is not available|Free memory on device|, in init_device$|Using 'pin_memory=False'"
        r"|Started engine process|init memory snapshot|Available memory on node .* on startup",
    ),
    (
        "weights",
        r"Starting to load model|Loading model from scratch|Loading safetensors checkpoint|Loading pt checkpoint|, in load_model$"
        r"|Using model weights format|Time spent downloading weights|, in download_weights_from_hf$|CAS (?:Client Error|service error)"
        r"|Checkpoint size: |Loading weights on|, in xet_get$",
    ),
    (
        "profiling",
        r"Model loading took|Loading model weights took|Memory profiling|torch\.compile takes|Dynamo bytecode transform|Compiling a graph"
        r"|Initial profiling/warmup run|Warming up model for the compilation|, in profile_run$|, in determine_available_memory$"
        r"|Encoder cache will be initialized|in determine_num_available_blocks$|the current vLLM instance can use",
    ),
    (
        "kv_cache",
        r"Available KV cache memory|KV cache size: |Maximum concurrency for|# (?:GPU|cuda) blocks|KV cache is needed"
        r"|No available memory for the cache blocks|tokens that can be stored in KV|, in get_kv_cache_configs?$"
        r"|, in initialize_from_config$|, in initialize_kv_caches?$|Explicitly set \(\S+ GiB for KV cache|on kv cache allocation",
    ),
    (
        "graphs",
        r"Capturing (?:CUDA graph|cudagraph|the model)|Graph capturing finished|init engine \(profile|, in compile_or_warm_up_model$"
        r"|, in capture_model$|Starting vLLM (?:API )?server|Available routes are|Waiting for application startup|Supported tasks: "
        r"|warming up (?:sampler|pooler)",
    ),
    ("serving", r"Application startup complete|Uvicorn running on|\"(?:GET|POST) \S+ HTTP/\d\.\d\" 200"),
)
_MARKS: Marks = tuple((phase, re.compile(pattern)) for phase, pattern in _PHASES)
READY = _MARKS[-1][1]
STOPPED = re.compile(
    r"signal=SIG(?:TERM|INT)|API server: shutdown triggered|Received signal |\bSIGTERM received|^Shutting down$"
    r"|Shutting down FastAPI HTTP server|KeyboardInterrupt"
)
ACCESS = re.compile(r'"(?P<verb>[A-Z]+) (?P<path>\S+) HTTP/\d\.\d" (?P<status>\d{3})')

_MODEL = (
    re.compile(r"█ +model {2,}(?P<model>\S.*?)\s*$"),
    re.compile(r"LLM engine \(v\S+\) with config: model='(?P<model>[^']+)'"),
    re.compile(r"'model(?:_tag)?': '(?P<model>[^']+)'"),
    re.compile(r"Namespace\(.*?\bmodel(?:_tag)?='(?P<model>[^']+)'"),
)
_ARCHITECTURE = (
    re.compile(r"Resolved architecture: (?P<names>\w+)"),
    re.compile(r"Model architectures (?P<names>\[[^\]]*\])"),
    re.compile(r"Resolved `--runner auto`.*architecture (?P<names>\w+)"),
)
_GPU = (
    re.compile(
        r"Your (?:device )?'?(?P<gpu>(?:NVIDIA |Tesla |Quadro |GeForce )[^']*?)'?(?: GPU)?(?: \(with compute| has compute| doesn't)"
    ),
    re.compile(r"(?:GPU|device)(?:_name| name)[=:] ?'?(?P<gpu>(?:NVIDIA|Tesla|Quadro|GeForce)[^',)]*)"),
    re.compile(
        r"(?P<gpu>(?:NVIDIA GeForce |NVIDIA |Tesla |Quadro )[A-Z0-9][\w ]*?) with CUDA capability sm_\d+ is not compatible"
    ),
    re.compile(r"device_name=(?P<gpu>NVIDIA_[\w-]+)"),
)
_CAPABILITY = re.compile(
    r"(?:compute capability|Current capability:|CUDA capability sm_) ?(?P<major>\d{1,2})\.?(?P<minor>\d)\b"
)
_WSL = re.compile(r"WSL (?:is |was )?detected|Detected WSL|microsoft-standard-WSL2|WSL environment detected")
_BACKEND = re.compile(
    r"Using (?P<backend>[A-Z][A-Z0-9_]+) (?:attention )?backend|Using (?P<name>Flash Attention|XFormers|Triton|FlashInfer|FlexAttention) backend"
)


def version(lines: Sequence[Line]) -> str | None:
    """The version that the last boot states, in any of its places."""
    return _last(lines, _VERSION, "version")


def phase(lines: Sequence[Line]) -> Phase:
    """How far the boot got."""
    return furthest(lines, _MARKS)


def model(lines: Sequence[Line]) -> str | None:
    """The model as it was named."""
    return _last(lines, _MODEL, "model")


def architectures(lines: Sequence[Line]) -> tuple[str, ...]:
    """Names of the model's classes."""
    found = _last(lines, _ARCHITECTURE, "names")
    return tuple(re.findall(r"\w+", found)) if found else ()


def gpu(lines: Sequence[Line]) -> str | None:
    """The GPU's name, where a message states it."""
    name = _last(lines, _GPU, "gpu")
    return name.replace("_", " ").strip() if name else None


def capability(lines: Sequence[Line]) -> str | None:
    """The GPU's compute capability, `7.5`, where a message states it."""
    for line in lines:
        found = _CAPABILITY.search(line.message)
        if found and "at least" not in line.message[: found.start()][-12:]:
            return f"{found['major']}.{found['minor']}"
    return None


def wsl(lines: Sequence[Line]) -> bool | None:
    """True when a line shows WSL; a log never proves the contrary."""
    return True if any(_WSL.search(line.message) for line in lines) else None


def backend(lines: Sequence[Line]) -> str | None:
    """The attention backend chosen."""
    return _last(lines, (_BACKEND,), "backend") or _last(lines, (_BACKEND,), "name")


def _last(lines: Sequence[Line], patterns: Sequence[re.Pattern[str]], group: str) -> str | None:
    """The group's text in the last matching line; earlier patterns count before later ones."""
    for pattern in patterns:
        for line in reversed(lines):
            found = pattern.search(line.message)
            if found and found[group]:
                return found[group].rstrip(".,") if group == "version" else found[group]
    return None
