"""An environment that another machine can repeat: compose file, settings, a check, and a page with the needs.

No secret is written: a token has its place in `.env`, which the person fills in. The texts are in `data/kit/`.
"""

from collections.abc import Mapping
from importlib.resources import files

from copilot.ledger.bars import label
from copilot.ledger.releases import Release
from copilot.ledger.table import ollama_tag
from copilot.model.fit import FitChange, FitDocument
from copilot.model.text import Lang, Text

OLLAMA = "0.32.15"
"""The release that is pinned where the person names none."""
_QUANTIZED = "    # It fits with a 4-bit checkpoint of the model only: put the id of one that you trust below.\n"
_CARD = Text(en="an NVIDIA GPU with {gib} GiB", zh="一张显存 {gib} GiB 的 NVIDIA 显卡")
_CARDS = Text(en="{n} NVIDIA GPUs of {gib} GiB each", zh="{n} 张显存各 {gib} GiB 的 NVIDIA 显卡")
_PINNED = Text(
    en="; the model at revision {revision}, pinned in `.env.example`",
    zh="；模型 revision 为 {revision}，已在 `.env.example` 中固定",
)
_UNPINNED = Text(
    en="; `check.sh` shows the model's revision: put it into `.env`, so that the weights stay the same",
    zh="；`check.sh` 会显示模型的 revision，请填入 `.env`，使权重保持不变",
)


def kit(
    document: FitDocument, settings: Mapping[str, str], lang: Lang = "en", revision: str | None = None
) -> dict[str, str]:
    """File name -> text, for a forecast whose `smallest_change` is applied on top of `settings`.

    `revision` is the commit of the model's repository, where it is known.
    """
    chosen = _changed(settings, document.smallest_change)
    words = _vllm(document, chosen) if document.engine == "vllm" else _ollama(document, chosen)
    words |= {"REVISION": revision or "", **_page(document, lang, revision)}
    parts = {
        "compose.yaml": f"{document.engine}-compose.txt",
        ".env.example": f"{document.engine}-env.txt",
        "check.sh": f"{document.engine}-check.txt",
        "README.md": f"readme.{lang}.md",
    }
    return {name: _filled(template, words) for name, template in parts.items()}


def _changed(settings: Mapping[str, str], change: FitChange | None) -> dict[str, str]:
    """The settings with the forecast's changes applied."""
    found = dict(settings)
    while change is not None:
        found[change.parameter] = "" if change.to == "true" else change.to
        change = change.then
    return found


def _filled(template: str, words: Mapping[str, str]) -> str:
    text = files("copilot.ledger").joinpath("data", "kit", template).read_text(encoding="utf-8")
    for name, word in words.items():
        text = text.replace(f"@{name}@", word)
    return text


def _vllm(document: FitDocument, settings: Mapping[str, str]) -> dict[str, str]:
    model, cards = settings.get("--model", document.model), settings.get("--tensor-parallel-size", "1")
    return {
        "IMAGE": f"vllm/vllm-openai:v{document.engine_version}",
        "NOTE": _QUANTIZED if "model:quantization" in settings else "",
        "COMMAND": "".join(f'      - "{word}"\n' for word in _command(document.engine_version, model, settings)),
        "SHM": "2gb" if cards == "1" else "8gb",
        "GPUS": cards,
        "MODEL": model,
        "CACHED": "models--" + model.replace("/", "--"),
        "PULL": "",
    }


def _command(version: str, model: str, settings: Mapping[str, str]) -> list[str]:
    """The words after the image; up to 0.11.0 it takes the model only with `--model`, later as the first word."""
    words = [model] if Release.parse(version).since(0, 11, 1) else ["--model", model]
    if not model.startswith(("/", ".")):
        words += ["--revision", "${MODEL_REVISION:-main}"]
    for name, value in sorted(settings.items()):
        if name.startswith("--") and name not in ("--model", "--revision"):
            words += [name, value] if value else [name]
    return words


def _ollama(document: FitDocument, settings: Mapping[str, str]) -> dict[str, str]:
    variables = {"OLLAMA_CONTEXT_LENGTH": str(document.kv_tokens.value)}
    variables |= {name.removeprefix("env:"): value for name, value in settings.items() if name.startswith("env:")}
    model = ollama_tag(document.model) or document.model
    return {
        "IMAGE": f"ollama/ollama:{document.engine_version or OLLAMA}",
        "ENVIRONMENT": "".join(f'      {name}: "{value}"\n' for name, value in sorted(variables.items())),
        "MODEL": model,
        "PULL": f"    docker compose exec ollama ollama pull {model}\n",
    }


def _page(document: FitDocument, lang: Lang, revision: str | None) -> dict[str, str]:
    lines = ["| | GiB | |", "|---|---|---|"]
    for row in document.rows:
        span = "" if row.low is None or row.high is None else f"{row.low:.2f}–{row.high:.2f}"
        lines.append(f"| {label(row.name, lang)} | {row.gib:.2f} | {span} |")
    change = document.smallest_change
    applied = [f"{change.parameter} {change.to}: {change.effect}"] if change else []
    count, _, _ = document.gpu.partition(" × ")
    card = _CARDS.fill(n=count) if count.isdigit() else _CARD
    pinned = _PINNED.fill(revision=revision) if revision else _UNPINNED
    return {
        "GPU": document.gpu,
        "VERDICT": document.verdict,
        "CARDS": card.fill(gib=f"{document.rows[0].gib:.1f}").in_(lang),
        "PINNED": pinned.in_(lang) if document.engine == "vllm" else "",
        "TABLE": "\n".join(lines),
        "NOTES": "\n".join(f"- {text}" for text in (*applied, *document.assumptions)),
    }
