"""What was measured, as files that start it on another machine and say there what differs.

No secret is written: a variable whose value was redacted becomes `${NAME:-}` with its name in `.env.example`.
"""

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files

from copilot.model.evidence import Evidence
from copilot.model.measurement import Measurement, Phase
from copilot.model.text import Lang, Text

PORTS = {"vllm": 8000, "ollama": 11434, "llama.cpp": 8080}
VOLUMES = {"ollama": "/root/.ollama"}
HUB = "/root/.cache/huggingface"
_HIDDEN = "\u2039"
"""How a placeholder of redaction begins."""
_GPU = Text(en=", the NVIDIA container toolkit and {gpu}", zh="、NVIDIA container toolkit，以及 {gpu}")
_SHAPE = Text(
    en="{prompt_tokens} tokens in, {output_tokens} out, {concurrency} at once, {repeats} times; median (quartiles).",
    zh="输入 {prompt_tokens} token，输出 {output_tokens}，并发 {concurrency}，重复 {repeats} 次；中位数（四分位）。",
)


def environment(record: Measurement, evidence: Evidence, lang: Lang) -> dict[str, str]:
    """File name -> text."""
    return {
        "compose.yaml": _compose(record, evidence),
        ".env.example": _env(record),
        "measured.json": record.model_dump_json(by_alias=True, indent=1) + "\n",
        "check.py": files("copilot.measure").joinpath("data", "check.txt").read_text(encoding="utf-8"),
        "README.md": _page(record, evidence, lang),
    }


def pinned_image(evidence: Evidence) -> str:
    """The image by digest where inspect tells one, else by its tag."""
    inspect = evidence.text("inspect")
    try:
        document = json.loads(inspect.text) if inspect else {}
    except ValueError:
        document = {}
    first = document[0] if isinstance(document, list) and document else document
    digests = first.get("RepoDigests") if isinstance(first, dict) else None
    if isinstance(digests, list) and digests and isinstance(digests[0], str):
        return digests[0]
    return evidence.image or "IMAGE"


def _compose(record: Measurement, evidence: Evidence) -> str:
    """The service, every value quoted as JSON, which YAML reads as it is."""
    around = record.surroundings
    engine = around.engine or "vllm"
    port = PORTS.get(engine, 8000)
    lines = ["services:", "  llm:", f"    image: {json.dumps(pinned_image(evidence))}"]
    words = list(_words(record))
    if words:
        lines += ["    command:", *(f"      - {json.dumps(word)}" for word in words)]
    variables = list(_variables(around.settings))
    if variables:
        lines += ["    environment:", *(f"      {name}: {json.dumps(value)}" for name, value in variables)]
    lines += ["    ports:", f'      - "127.0.0.1:{port}:{port}"']
    lines += ["    volumes:", f"      - models:{VOLUMES.get(engine, HUB)}"]
    size = around.settings.get("docker:shm_size")
    lines += [f"    shm_size: {json.dumps(size)}"] if size else ["    ipc: host"]
    if record.gpus:
        lines += ["    deploy:", "      resources:", "        reservations:", "          devices:"]
        lines += ["            - driver: nvidia", f"              count: {len(record.gpus)}"]
        lines += ["              capabilities: [gpu]"]
    return "\n".join([*lines, "", "volumes:", "  models:", ""])


def _words(record: Measurement) -> Iterator[str]:
    """The engine's flags; the revision comes from `.env`, because a branch moves."""
    settings = record.surroundings.settings
    for name, value in settings.items():
        if name.startswith("--") and name != "--revision" and _HIDDEN not in value:
            yield name
            if value and value != "true":
                yield value
    if any(name.startswith("--") for name in settings):
        yield from ("--revision", "${MODEL_REVISION:-main}")


def _variables(settings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in settings.items():
        if name.startswith("env:"):
            bare = name.removeprefix("env:")
            yield bare, f"${{{bare}:-}}" if _HIDDEN in value or "$" in value else value


def _env(record: Measurement) -> str:
    lines = ["# Copy to .env and fill in. .env never goes into a repository."]
    lines += [f"{name}=" for name, value in _variables(record.surroundings.settings) if value.startswith("${")]
    lines += [
        "# The commit of the model's repository; main moves.",
        f"MODEL_REVISION={record.surroundings.revision or ''}",
    ]
    return "\n".join(lines) + "\n"


def _page(record: Measurement, evidence: Evidence, lang: Lang) -> str:
    around = record.surroundings
    gpus = ", ".join(f"{gpu.name} ({gpu.total_mib} MiB)" for gpu in record.gpus)
    words = {
        "MODEL": around.model,
        "TAKEN": record.taken,
        "ENGINE": " ".join(word for word in (around.engine, around.version) if word) or "?",
        "MACHINE": gpus or around.system or "CPU",
        "NEEDS": _GPU.fill(gpu=gpus).in_(lang) if gpus else "",
        "IMAGE": pinned_image(evidence),
        "REVISION": around.revision or "main",
        "SHAPE": _SHAPE.fill(**{name: str(value) for name, value in record.shape.model_dump().items()}).in_(lang),
        "TABLE": "\n".join(_table(record.phases)),
    }
    text = files("copilot.measure").joinpath("data", f"readme.{lang}.md").read_text(encoding="utf-8")
    for name, word in words.items():
        text = text.replace(f"@{name}@", word)
    return text


def _table(phases: tuple[Phase, ...]) -> Iterator[str]:
    yield "| | first token, ms | per token, ms | tokens/s |"
    yield "|---|---|---|---|"
    for phase in phases:
        cells = []
        for value, scale in ((phase.first_token_s, 1000), (phase.per_token_s, 1000), (phase.tokens_per_s, 1)):
            three = [] if value is None else [f"{scale * v:.1f}" for v in (value.median, value.low, value.high)]
            cells.append(f"{three[0]} ({three[1]}–{three[2]})" if three else "–")
        yield f"| {phase.name} | {' | '.join(cells)} |"
