"""Values in the form that a setting wants: plain numbers, JSON, the names of a model family."""

import json
import re
from collections.abc import Mapping

from copilot.signatures.conditions import in_range
from copilot.signatures.facts import Facts
from copilot.signatures.proposers.computed import Computed
from copilot.signatures.proposers.known import number
from copilot.signatures.signature import Scalar

_LEADING = re.compile(r"\s*(\d+)\s*([kKmM]?)")
_MULTIPLES = {"": 1, "k": 1024, "m": 1024**2}
_BARE_KEY = re.compile(r"([{,]\s*)'?([A-Za-z_][\w.-]*)'?\s*:")
LORA_RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)
"""Values of vLLM's --max-lora-rank; before 0.10 the list began at 8 and ended at 256."""
MORE_ITEMS = 4
PARSERS = (
    ("qwen3-coder", "qwen3_coder"),
    ("qwen3_coder", "qwen3_coder"),
    ("llama-4", "llama4_pythonic"),
    ("llama-3", "llama3_json"),
    ("mistral", "mistral"),
    ("mixtral", "mistral"),
    ("granite", "granite"),
    ("deepseek-v3", "deepseek_v3"),
    ("deepseek-r1", "deepseek_v3"),
    ("kimi", "kimi_k2"),
    ("glm-4", "glm45"),
    ("gpt-oss", "openai"),
    ("phi-4", "phi4_mini_json"),
    ("internlm", "internlm"),
    ("jamba", "jamba"),
)
"""Part of a model's name -> vLLM's parser for its tool calls; most others write the hermes format."""


def plain_number(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Read the number that `value` begins with; k and M as powers of 1024."""
    found = _LEADING.match(captures.get("value", ""))
    if not found:
        return ()
    return (Computed(to=str(int(found.group(1)) * _MULTIPLES[found.group(2).lower()])),)


def leading_number(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Read the number that the setting `parameter` begins with, without its unit."""
    setting = facts.setting(str(args["parameter"]))
    found = _LEADING.match(setting.value or "") if setting else None
    return (Computed(to=found.group(1)),) if found else ()


def as_json(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Quote the keys of `value` as JSON wants it, if that makes it JSON."""
    text = captures.get("value", "").strip()
    quoted = _BARE_KEY.sub(r'\1"\2":', text).replace("'", '"')
    try:
        json.loads(quoted)
    except ValueError:
        return ()
    return (Computed(to=quoted),) if quoted != text and quoted.startswith(("{", "[")) else ()


def lora_rank(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Choose the smallest allowed rank that holds the adapter's."""
    rank = number(captures.get("rank"))
    return next(((Computed(to=str(size)),) for size in LORA_RANKS if rank and size >= rank), ())


def multimodal_limit(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Allow some more items of the kind, in the form of the version: `image=4` before 0.9, JSON since."""
    kind = captures.get("kind", "image")
    more = max(int(number(captures.get("limit")) or 0) * 2, MORE_ITEMS)
    old = facts.engine.version is not None and in_range(facts.engine.version, None, "0.8.99")
    return (Computed(to=f"{kind}={more}" if old else json.dumps({kind: more})),)


def tool_parser(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Choose the tool parser by the model's name."""
    name = _model(facts).lower()
    return (Computed(to=next((parser for part, parser in PARSERS if part in name), "hermes")),)


def instruct_model(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Name the instruct version as its family names it."""
    name = _model(facts)
    if not name or re.search(r"(?i)instruct|-it\b|chat", name):
        return ()
    suffix = "-it" if "gemma" in name.lower() else "-Instruct"
    return (Computed(to=name.rstrip("/") + suffix),)


def speculative(facts: Facts, captures: Mapping[str, str], args: Mapping[str, Scalar]) -> tuple[Computed, ...]:
    """Complete the speculative configuration by five tokens, a common start."""
    setting = facts.setting("--speculative-config")
    try:
        config = json.loads(setting.value) if setting and setting.value else {"method": "ngram", "prompt_lookup_max": 4}
    except ValueError:
        return ()
    return (Computed(to=json.dumps({**config, "num_speculative_tokens": 5})),) if isinstance(config, dict) else ()


def _model(facts: Facts) -> str:
    setting = facts.setting("--model")
    return (setting.value if setting else None) or facts.engine.model or ""
