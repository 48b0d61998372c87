"""Ollama: how its log tells version, phases, settings and memory. Wordings up to 0.32 (Go runners, llama-server)."""

import re
from collections.abc import Iterator, Sequence

from copilot.engines.figures import DECIMAL, figures, read_figures
from copilot.engines.pairs import go_pairs
from copilot.engines.phases import Marks, furthest
from copilot.logs.symptoms import any_of
from copilot.model.evidence import Setting
from copilot.model.ledger import Readings
from copilot.model.log import Line
from copilot.model.words import Phase

NAME = "ollama"
IMAGE = re.compile(r"(?:^|/)ollama", re.IGNORECASE)
IDENTITY = any_of(
    r"server config env=|Listening on \S+ \(version |\[GIN(?:-debug)?\]|inference compute|OLLAMA_[A-Z]+",
    r"(?:ollama|llama) runner|llama-server process|ollama_llama_server|starting (?:llama|go) ",
    r"ollama(?:\.com| version| serve| server|/ollama)|(?:running|to|version of) Ollama|ollama\[\d+\]",
    r"time=\S+ level=[A-Z]+ source=\w+\.go:\d+ msg=",
    r"^(?:llama_|ggml_|load_tensors|print_info|gguf_)\w*:",
)
"""What only Ollama, or the llama.cpp inside it, prints."""
WORDS = any_of(r"\b[Oo]llama\b", r":11434\b", r"model requires more system memory", r"llama-server|llama\.cpp|GGUF")
"""What points to Ollama where nothing else is there."""
_VERSION = (
    re.compile(r"Listening on \S+ \(version (?P<version>\d[^)\s]*)\)"),
    re.compile(r"ollama version is (?P<version>\d\S*)"),
    re.compile(r"\bversion=\"?(?P<version>\d+\.\d+\.\d+\S*?)\"?(?:\s|$)"),
)
_PHASES: tuple[tuple[Phase, tuple[str, ...]], ...] = (
    ("config", (r"server config env=|total blobs: |Listening on ",)),
    ("download", (r"downloading \w+ in \d+|pulling manifest|pull model manifest",)),
    ("device", (r"inference compute|looking for compatible GPUs|GPU discovery|no compatible GPUs",)),
    (
        "weights",
        (
            r"starting (?:llama[- ]server|go runner|ollama engine|runner)|^llama_model_load|^load_tensors",
            r"llama_model_loader:|^load(?:ing model| request=)",
            r"model requires more system memory|^offload library=|error loading model",
        ),
    ),
    ("kv_cache", (r"^llama_kv_cache|KV buffer size|^llama_context:|^llama_init_from_model|^llama_new_context",)),
    ("graphs", (r"compute buffer size|graph_reserve|compute graph",)),
    (
        "serving",
        (
            r"(?:llama runner|llama-server|runner) started in",
            r"\| +2\d\d \|.* POST +\"/(?:api/(?:generate|chat|embed\w*)|v1/\S+)\"",
        ),
    ),
)
_MARKS: Marks = tuple((phase, any_of(*patterns)) for phase, patterns in _PHASES)
READY = re.compile(r"Listening on \S+ \(version |^\[GIN\].*\| +2\d\d \|")
ACCESS = re.compile(r"^\[GIN\][^|]*\| +(?P<status>\d{3}) \|.*\| (?P<verb>[A-Z]+) +\"(?P<path>[^\"]*)\"")
_LOADS = frozenset({"weights", "kv_cache", "graphs"})

_PATTERNS = tuple(
    figures(pattern)
    for pattern in (
        r"inference compute .*\btotal=\"{total}\" available=\"{free}\"",
        r"model requires more system memory \({requested}\) than is available \({free_ram}\)",
        r"system memory\" total=\"{total_ram}\" free=\"{free_ram}\"",
        r"layers\.model={layers} layers\.offload={layers_offloaded} ",
        r"offloaded {layers_offloaded}/{layers} layers to GPU",
        r"memory\.available=\"\[{free}",
        r"memory\.required\.full=\"{requested}\"",
        r"memory\.required\.kv=\"{kv_needed}\"",
        r"memory\.weights\.total=\"{weights}\"",
        r"memory\.graph\.full=\"{graphs}\"",
        r"model weights\"? device=CUDA\S* size=\"{weights}\"",
        r"kv cache\"? device=CUDA\S* size=\"{kv_available}\"",
        r"compute graph\"? device=CUDA\S* size=\"{graphs}\"",
        r"total memory\"? size=\"{requested}\"",
        r"CUDA\d (?:model )?buffer size = +{weights}",
        r"CUDA\d KV buffer size = +{kv_available}",
        r"CUDA\d compute buffer size = +{graphs}",
        r"allocating {oom_tried} on device \d+: cudaMalloc failed: out of memory",
        r"n_ctx +?= {max_model_len}$",
        r"kv_size = {max_model_len},",
        r"truncating input prompt limit={max_model_len} prompt={tokens} ",
    )
)
_CONFIG = re.compile(r"server config env=\"?map\[(?P<pairs>.*)")
_MODEL = re.compile(r"general\.name +str += (?P<model>.+)$|model '(?P<asked>[^']+)' not found|--model (?P<path>\S+)")
_ARCHITECTURE = re.compile(
    r"general\.architecture +str += (?P<name>\S+)|print_info: arch += (?P<arch>\S+)|architecture=(?P<key>\w+)"
)
_GPU = re.compile(
    r"inference compute .*?(?:description|name)=\"(?P<gpu>[^\"]+)\"|Device \d+: (?P<device>[^,]+), compute capability"
)
_CAPABILITY = re.compile(r"inference compute .*?compute=(?P<cc>\d+\.\d)\b|compute capability (?P<cap>\d+\.\d)\b")


def version(lines: Sequence[Line]) -> str | None:
    """The version of the server."""
    for pattern in _VERSION:
        for line in reversed(lines):
            found = pattern.search(line.message)
            if found:
                return found["version"].rstrip(".,")
    return None


def phase(lines: Sequence[Line]) -> Phase:
    """How far it got: the server itself, and, where a model was being loaded, that model."""
    reached = furthest(lines, _MARKS)
    loading = reached in _LOADS
    if not loading and any(READY.search(line.message) for line in lines):
        return "serving"
    return reached


def read_memory(lines: tuple[Line, ...]) -> Readings:
    """The figures of one boot; GB are decimal here, GiB binary."""
    return read_figures(lines, _PATTERNS, DECIMAL)


def read_settings(lines: Sequence[Line]) -> tuple[Setting, ...]:
    """The environment as the server read it, where it is set to something."""
    for line in reversed(lines):
        found = _CONFIG.search(line.message)
        if found:
            return tuple(_settings(found["pairs"], line.number))
    return ()


def _settings(pairs: str, line: int) -> Iterator[Setting]:
    for name, value in go_pairs(pairs.rstrip('" ')):
        if value and value != "[]":
            yield Setting(parameter=f"env:{name}", value=value, source="log", line=line)


def model(lines: Sequence[Line]) -> str | None:
    """The model's own name, or the one that was asked for."""
    return _first_group(lines, _MODEL)


def architectures(lines: Sequence[Line]) -> tuple[str, ...]:
    """The architecture as GGUF names it."""
    found = _first_group(lines, _ARCHITECTURE)
    return (found,) if found else ()


def gpu(lines: Sequence[Line]) -> str | None:
    """The GPU's name."""
    return _first_group(lines, _GPU)


def capability(lines: Sequence[Line]) -> str | None:
    """The GPU's compute capability."""
    return _first_group(lines, _CAPABILITY)


def _first_group(lines: Sequence[Line], pattern: re.Pattern[str]) -> str | None:
    for line in reversed(lines):
        found = pattern.search(line.message)
        if found:
            return next((text for text in found.groups() if text), None)
    return None
