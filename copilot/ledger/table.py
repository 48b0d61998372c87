"""The shapes of common models, for a `--model` whose config.json is not at hand."""

import json
import re
from functools import cache
from importlib.resources import files

from copilot.ledger.shape import parameters
from copilot.model.architecture import Architecture

_QUANTIZED = (
    (re.compile(r"(?i)(^|[-_.])awq"), "awq", 4),
    (re.compile(r"(?i)(^|[-_.])gptq"), "gptq", 4),
    (re.compile(r"(?i)(^|[-_.])(bnb|nf4|bitsandbytes)"), "bitsandbytes", 4),
    (re.compile(r"(?i)(^|[-_.])(nvfp4|fp4)"), "nvfp4", 4),
    (re.compile(r"(?i)(^|[-_.])mxfp4"), "mxfp4", 4),
    (re.compile(r"(?i)(^|[-_.])(w4a16|int4|autoround)"), "compressed-tensors", 4),
    (re.compile(r"(?i)(^|[-_.])(w8a8|w8a16|int8)"), "compressed-tensors", 8),
    (re.compile(r"(?i)(^|[-_.])fp8"), "fp8", 8),
    (re.compile(r"(?i)(^|[-_.])gguf"), "gguf", 4),
)
_DECORATION = re.compile(
    r"(?i)[-_.]?(instruct|chat|it|base|hf|bf16|fp16|f16|awq|gptq|gguf|fp8|nvfp4|mxfp4|fp4|nf4|bnb|4bit|8bit|int4|int8|"
    r"w4a16|w8a8|w8a16|quantized|dynamic|unsloth|marlin|autoround|preview|original|qat|q\d_[a-z0-9_]+|g\d+|"
    r"q4_0|unquantized|sft|dpo|abliterated|thinking|meta|mlx)(?=$|[-_.:])"
)
_BITS = re.compile(r"(?i)(?:int|[-_])([348])[-_]?bits?\b")


@cache
def _rows() -> dict[str, Architecture]:
    """Every id and Ollama tag, and every id without its decoration, with its row."""
    text = files("copilot.ledger").joinpath("data/models.json").read_text(encoding="utf-8")
    rows: dict[str, Architecture] = {}
    for row in json.loads(text):
        tags = row.pop("ollama", ())
        architecture = Architecture(origin="table", **row)
        name = architecture.model.split("/")[-1].lower()
        for key in (name, _plain(name), *tags):
            rows.setdefault(key, architecture)
    return rows


def models() -> tuple[Architecture, ...]:
    """All rows of the table, in its order."""
    seen: dict[str, Architecture] = {row.model: row for row in _rows().values()}
    return tuple(seen.values())


def architecture_of(model_id: str) -> Architecture | None:
    """The row for a repository id, a folder name or an Ollama tag; None where the table has none.

    The organisation, upper case and suffixes such as `-Instruct` or `-AWQ` do not matter for the shape; a suffix that
    names a quantisation sets it.
    """
    given = model_id.strip().rstrip("/")
    name = re.split(r"[/\\]", given)[-1].lower()
    rows = _rows()
    found = rows.get(name) or rows.get(_plain(name)) or rows.get(_ollama(name))
    if found is None:
        return None
    return _quantized(found, name).model_copy(update={"model": given})


def ollama_tag(model_id: str) -> str | None:
    """The tag under which Ollama's library has the model; a tag stays as it is. None where the table names none."""
    if ":" in model_id and "/" not in model_id:
        return model_id
    found = architecture_of(model_id)
    if found is None:
        return None
    shapes = _rows()
    plain = _plain(re.split(r"[/\\]", model_id)[-1].lower())
    row = shapes.get(model_id.rsplit("/", maxsplit=1)[-1].lower()) or shapes.get(plain)
    return next((key for key, one in shapes.items() if ":" in key and row is not None and one.model == row.model), None)


def smaller_models(architecture: Architecture) -> tuple[Architecture, ...]:
    """Models of the same family with fewer parameters, the largest first; empty for an unknown family."""
    size = parameters(architecture)
    family = _family(architecture.model)
    smaller = [row for row in models() if _family(row.model) == family and parameters(row) < 0.9 * size]
    return tuple(sorted(smaller, key=parameters, reverse=True))


def _family(model_id: str) -> str:
    """The name before the size: `qwen2.5` of `Qwen/Qwen2.5-3B-Instruct`, `gemma-2` of `google/gemma-2-9b-it`."""
    name = _plain(re.split(r"[/\\]", model_id)[-1].lower())
    return re.split(r"[-_:]?\d+(?:[._]\d+)?[bm]\b", name)[0].replace("meta-", "")


def _plain(name: str) -> str:
    """The name without suffixes that do not change the shape."""
    before = ""
    while before != name:
        before, name = name, _DECORATION.sub("", name, count=1)
    return name.strip("-_.")


def _ollama(name: str) -> str:
    """An Ollama tag as far as it names the size: `qwen2.5:3b-instruct-q4_K_M` -> `qwen2.5:3b`."""
    base, _, tag = name.partition(":")
    return f"{base}:{tag.split('-')[0] or 'latest'}"


def _quantized(row: Architecture, name: str) -> Architecture:
    for pattern, method, bits in _QUANTIZED:
        if pattern.search(name):
            stated = _BITS.search(name)
            width = int(stated[1]) if stated and method in ("gptq", "awq", "bitsandbytes") else bits
            return row.model_copy(update={"quantization": method, "bits": width, "group_size": 128})
    return row
