"""An environment that another machine can repeat: compose file, settings, a check, and a page that says what it needs.

No secret is written: a token has its place in `.env`, which the person fills in.
"""

from copilot.ledger.bars import label
from copilot.ledger.plan import Plan
from copilot.model.fit import FitChange, FitDocument
from copilot.model.text import Lang, Text

OLLAMA_IMAGE = "ollama/ollama:0.32.15"
_PORTS = {"vllm": 8000, "ollama": 11434}


def kit(document: FitDocument, plan: Plan, lang: Lang = "en") -> dict[str, str]:
    """File name -> text."""
    settings = _settings(document, plan)
    compose = _vllm(document, settings) if document.engine == "vllm" else _ollama(document, settings)
    return {
        "compose.yaml": compose,
        ".env.example": _env(document),
        "check.sh": _check(document),
        "README.md": _readme(document, lang),
    }


def _settings(document: FitDocument, plan: Plan) -> dict[str, str]:
    """The settings of the forecast, with its smallest change applied."""
    found: dict[str, str] = {}
    for name, value, default in (
        ("--gpu-memory-utilization", plan.utilization, None),
        ("--max-model-len", plan.max_model_len if plan.max_model_len and plan.max_model_len > 0 else None, None),
        ("--max-num-seqs", plan.max_num_seqs, None),
        ("--max-num-batched-tokens", plan.max_num_batched_tokens, None),
        ("--dtype", plan.dtype, "auto"),
        ("--quantization", plan.quantization, None),
        ("--kv-cache-dtype", plan.kv_cache_dtype, "auto"),
        ("--tensor-parallel-size", plan.tensor_parallel, 1),
        ("--enforce-eager", "" if plan.enforce_eager else None, None),
    ):
        if value is not None and value != default:
            found[name] = str(value)
    change: FitChange | None = document.smallest_change
    while change is not None:
        found[change.parameter] = "" if change.to == "true" else change.to
        change = change.then
    return found


def _model(document: FitDocument, settings: dict[str, str]) -> str:
    return settings.get("--model", document.model)


def _vllm(document: FitDocument, settings: dict[str, str]) -> str:
    shards = int(settings.get("--tensor-parallel-size", "1"))
    flags = {key: value for key, value in settings.items() if key.startswith("--") and key != "--model"}
    listed = "".join(
        f'      - "{key}"\n' + (f'      - "{value}"\n' if value else "") for key, value in sorted(flags.items())
    )
    note = ""
    if "model:quantization" in settings:
        note = "    # This fits with a 4-bit checkpoint of the model only: put its repository id below.\n"
    return f"""services:
  vllm:
    image: vllm/vllm-openai:v{document.engine_version}
{note}    command:
      - "--model"
      - "{_model(document, settings)}"
      # Fill in MODEL_REVISION (a commit of the model's repository), so that the weights stay the same.
      - "--revision"
      - "${{MODEL_REVISION:-main}}"
{listed}    environment:
      HF_TOKEN: ${{HF_TOKEN:-}}
    ports:
      - "127.0.0.1:8000:8000"
    volumes:
      - models:/root/.cache/huggingface
    shm_size: {"8gb" if shards > 1 else "2gb"}
    deploy:
      resources:
        reservations:
          devices:
            - driver: nvidia
              count: {shards}
              capabilities: [gpu]
    restart: "no"

volumes:
  models:
"""


def _ollama(document: FitDocument, settings: dict[str, str]) -> str:
    context = settings.get("env:OLLAMA_CONTEXT_LENGTH", str(document.kv_tokens.value))
    return f"""services:
  ollama:
    image: {OLLAMA_IMAGE}
    environment:
      OLLAMA_CONTEXT_LENGTH: "{context}"
      # Ollama unloads a model after five minutes without a request; -1 keeps it.
      OLLAMA_KEEP_ALIVE: ${{OLLAMA_KEEP_ALIVE:-5m}}
    ports:
      - "127.0.0.1:11434:11434"
    volumes:
      - ollama:/root/.ollama
    shm_size: 1gb
    deploy:
      resources:
        reservations:
          devices:
            - driver: nvidia
              count: all
              capabilities: [gpu]
    restart: "no"

volumes:
  ollama:
"""


def _env(document: FitDocument) -> str:
    if document.engine == "ollama":
        return "# Copy to .env and fill in.\nOLLAMA_KEEP_ALIVE=5m\n"
    return (
        "# Copy to .env and fill in. .env never goes into a repository.\n"
        "# A read token, needed for gated models only:\nHF_TOKEN=\n"
        "# The commit of the model's repository that was tested; main moves.\nMODEL_REVISION=\n"
    )


def _check(document: FitDocument) -> str:
    port = _PORTS[document.engine]
    model = document.model if document.engine == "vllm" else document.model.split("/")[-1]
    return f"""#!/bin/sh
# Is the server up, does it list the model, does it answer? Stops at the first link that is broken.
set -eu
base=${{BASE_URL:-http://127.0.0.1:{port}/v1}}
model=${{MODEL:-{model}}}
curl --noproxy '*' --fail --silent --show-error "$base/models"
echo
curl --noproxy '*' --fail --silent --show-error "$base/chat/completions" \\
  -H 'Content-Type: application/json' \\
  -d '{{"model": "'"$model"'", "max_tokens": 8, "messages": [{{"role": "user", "content": "Say OK."}}]}}' \\
  -w '\\ntotal %{{time_total}} s\\n'
nvidia-smi --query-gpu=name,memory.total,memory.used,memory.free --format=csv
"""


_PAGE = Text(
    en="""# {model} on {gpu}

{verdict}

## Needs

- an NVIDIA GPU with {total} GiB and its driver, Docker with Compose, the NVIDIA container toolkit
- {image}, pinned in `compose.yaml`; the model's revision is yours to pin in `.env`

## Start and check

    cp .env.example .env
    docker compose up -d
    sh check.sh

## Memory, as forecast (GiB)

{table}

{notes}
""",
    zh="""# {model} 在 {gpu} 上

{verdict}

## 需要

- 显存 {total} GiB 的 NVIDIA 显卡及驱动、Docker 与 Compose、NVIDIA container toolkit
- {image}，已在 `compose.yaml` 中固定版本；模型的 revision 请在 `.env` 中固定

## 启动与检查

    cp .env.example .env
    docker compose up -d
    sh check.sh

## 显存预测（GiB）

{table}

{notes}
""",
)


def _readme(document: FitDocument, lang: Lang) -> str:
    lines = ["| | GiB | |", "|---|---|---|"]
    for row in document.rows:
        span = "" if row.low is None or row.high is None else f"{row.low:.2f}–{row.high:.2f}"
        lines.append(f"| {label(row.name, lang)} | {row.gib:.2f} | {span} |")
    image = f"vllm/vllm-openai:v{document.engine_version}" if document.engine == "vllm" else OLLAMA_IMAGE
    changes = [document.smallest_change] if document.smallest_change else []
    applied = [f"{change.parameter} {change.to}: {change.effect}" for change in changes]
    return _PAGE.in_(lang).format(
        model=document.model,
        gpu=document.gpu,
        verdict=document.verdict,
        total=f"{document.rows[0].gib:.1f}",
        image=image,
        table="\n".join(lines),
        notes="\n".join(f"- {text}" for text in (*applied, *document.assumptions)),
    )
