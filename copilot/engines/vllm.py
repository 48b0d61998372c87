"""vLLM: how its log tells version, phases, model and device. Wordings of 0.6.0 to 0.33.0, V0 and V1 engine."""

import re
from collections.abc import Sequence

from copilot.engines.phases import Marks, furthest
from copilot.logs.symptoms import any_of
from copilot.model.log import Line
from copilot.model.words import Phase

NAME = "vllm"
IMAGE = re.compile(r"(?:^|/)vllm|vllm-openai", re.IGNORECASE)
IDENTITY = any_of(
    r"vLLM (?:API )?server|non-default args: |\bLLM engine \(v|▄▄ ▄█",
    r"\((?:EngineCore|APIServer|ApiServer|Worker|VllmWorker|RayWorkerWrapper)\w*(?: rank=\d+)? pid=\d+",
    r"(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) \d\d-\d\d \d\d:\d\d:\d\d \[?[\w./]+\.py:\d+\]",
    r"vllm/(?:v1|engine|entrypoints|worker|model_executor|distributed|platforms|config)/",
    r"vllm(?: serve)?: error: |\bvllm\.\w+|VLLM_[A-Z]+|vllm_engine\.py",
    r"Using V[01] engine|EngineCore (?:failed|encountered)|Engine core initialization failed",
)
"""What only vLLM prints."""
WORDS = any_of(
    r"\bvllm\b",
    r"gpu_memory_utilization|GPU memory utilization|max_model_len|max seq len|KV cache is needed|cache blocks",
    r"Bfloat16 is only supported on GPUs|UVA is not available|Failed to infer device type",
    r"--(?:tool-call|reasoning)-parser",
    r"validation errors? for (?:Vllm|Model|Speculative|Cache|Parallel|LoRA|Scheduler)Config",
    r"Some attention backends are not valid|memory_efficient_attention_forward|api_server\.py: error",
    r"default chat template is no longer allowed|tensor parallel size|maximum context length is \d+ tokens",
    r"warming up (?:sampler|pooler)|quantization method \w+ is not supported",
)
"""What points to vLLM where nothing else is there."""
_VERSION = (
    re.compile(r"▄▄ ▄█.*?\bversion (?P<version>\d\S*)"),
    re.compile(r"vLLM (?:API )?server version (?P<version>\d[^\s,]*)"),
    re.compile(r"LLM engine \(v(?P<version>\d[^)\s]*)\)"),
    re.compile(r"\bvLLM Version\s*: (?P<version>\d\S*)"),
    re.compile(r"vllm==(?P<version>\d+\.\d+\S*?)[\s,;'\"]"),
)
_PHASES: tuple[tuple[Phase, tuple[str, ...]], ...] = (
    (
        "config",
        (
            r"▄▄ ▄█|vLLM (?:API )?server|non-default args: |args: Namespace|Resolved architecture",
            r"Automatically detected platform|No platform detected|Using max model len|supports multiple tasks",
            r"Chunked prefill is enabled|Defaulting to",
            r": error: (?:unrecognized|argument|the following)|usage: vllm|validation errors? for \w+Config",
            r"Value error, |File \".*\bvllm\b|Failed to infer device type",
        ),
    ),
    (
        "download",
        (
            r"thrown while requesting|Retrying in \d+s|Downloading \S",
            r"Fetching \d+ files|huggingface_hub\.(?!\S*HFValidation)",
            r", in (?:cached_files?|hf_hub_download|snapshot_download)$|for url: https://huggingface\.co",
        ),
    ),
    (
        "device",
        (
            r"LLM engine \(v\S+\) with config|Using V\d (?:LLM )?engine|Using V\d Model Runner|Started engine process",
            r"rank \d+ in world size|world_size=\d+ rank=|Detected WSL|Using 'pin_memory=False'|init memory snapshot",
            r"UVA is not available|pinned memory allocation|Free memory on device",
            r"Available memory on node .* on startup|, in init_device$|No CUDA GPUs are available|local_world_size \(",
        ),
    ),
    (
        "weights",
        (
            r"Starting to load model|Loading model from scratch|Loading (?:safetensors|pt|gguf) checkpoint",
            r"Checkpoint size: |Using model weights format",
            r"Time spent downloading weights|CAS (?:Client Error|service error)",
            r", in (?:load_model|load_weights|download_weights_from_hf|xet_get)$",
        ),
    ),
    (
        "profiling",
        (
            r"Model loading took|Loading model weights took|Memory profiling|Warming up model for the compilation",
            r"torch\.compile takes|Dynamo bytecode transform|Compiling a graph|Initial profiling/warmup run",
            r"Encoder cache will be initialized|the current vLLM instance can use|model weights take",
            r", in (?:profile_run|determine_available_memory|determine_num_available_blocks)$",
        ),
    ),
    (
        "kv_cache",
        (
            r"Available KV cache memory|KV cache size: |Maximum concurrency for|# (?:GPU|cuda) blocks",
            r"KV cache is needed|No available memory for the cache blocks",
            r"tokens that can be stored in KV|on kv cache allocation",
            r"Explicitly set \(\S+ GiB\) for KV cache",
            r", in (?:get_kv_cache_configs?|initialize_from_config|initialize_cache|_check_enough_kv_cache_memory)$",
        ),
    ),
    (
        "graphs",
        (
            r"Capturing (?:CUDA graph|cudagraph|the model)|Graph capturing finished|init engine \(profile",
            r"Starting vLLM (?:API )?server|Available routes are|Waiting for application startup|Supported tasks: ",
            r"warming up (?:sampler|pooler)|, in (?:compile_or_warm_up_model|capture_model)$",
        ),
    ),
    ("serving", (r"Application startup complete|Uvicorn running on", r"\"(?:GET|POST) \S+ HTTP/\d\.\d\" 200")),
)
_MARKS: Marks = tuple((phase, any_of(*patterns)) for phase, patterns in _PHASES)
READY = _MARKS[-1][1]
ACCESS = re.compile(r'"(?P<verb>[A-Z]+) (?P<path>\S+) HTTP/\d\.\d" (?P<status>\d{3})')

_MODEL = (
    re.compile(r"█ +model {2,}(?P<model>\S.*?)\s*$"),
    re.compile(r"vLLM server version \S+, serving model (?P<model>\S+)"),
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
        r"Your (?:device )?'?(?P<gpu>(?:NVIDIA |Tesla |Quadro |GeForce )[^']*?)'?(?: GPU)?"
        r"(?: \(with compute| has compute| doesn't)"
    ),
    re.compile(r"(?:GPU|device)(?:_name| name)[=:] ?'?(?P<gpu>(?:NVIDIA|Tesla|Quadro|GeForce)[^',)]*)"),
    re.compile(r"(?P<gpu>(?:NVIDIA |Tesla |Quadro )[A-Z0-9][\w ]*?) with CUDA capability sm_\d+ is not compatible"),
    re.compile(r"device_name=(?P<gpu>NVIDIA_[\w-]+)"),
)
_CAPABILITY = re.compile(
    r"(?:compute capability|Current capability:|CUDA capability sm_) ?(?P<major>\d{1,2})\.?(?P<minor>\d)\b"
)
_WSL = re.compile(r"WSL (?:is |was )?detected|Detected WSL|microsoft-standard-WSL2|WSL environment detected")
_BACKEND = re.compile(
    r"Using (?P<backend>[A-Z][A-Z0-9_]+) (?:attention )?backend"
    r"|Using (?P<name>Flash Attention|XFormers|Triton|FlashInfer|FlexAttention) backend"
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
    return name.removesuffix(".json").replace("_", " ").strip() if name else None


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
