"""Whether a value is one that the parameter takes."""

import json
import re
from collections.abc import Callable

from copilot.model.text import Text
from copilot.parameters.lookup import Lookup

_WHOLE = re.compile(r"[+-]?\d+")
_HUMAN = re.compile(r"\d+(\.\d+)?[kKmMgGtT]")
"""vLLM takes 16k and 16K for counts of tokens."""
_DURATION = re.compile(r"[+-]?(\d+|((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+)")
"""Go's time.ParseDuration, or whole seconds."""
_GO_BOOL = frozenset({"1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"})
_SWITCH = frozenset({"true", "false", "1", "0", "yes", "no", ""})
_UNSETTLED = re.compile(r"[$<>{}‹›]|\.\.\.|…|\*\*\*|REDACTED")
_ELIDED = re.compile(r"\.\.\.|…|\$\{|‹")
"""A placeholder, an unresolved variable or a redacted value: nothing can be said about it."""
_ANY_CASE = frozenset({"--attention-backend", "--attention-config.backend"})
_JSON_OR_PAIRS = frozenset({"--limit-mm-per-prompt", "--mm-processor-kwargs", "--media-io-kwargs"})
"""Also read other notations in some releases."""

Range = tuple[float | None, float | None, bool]
"""lowest, highest, whether the lowest itself is refused"""
_RANGES: dict[str, Range] = {
    "--gpu-memory-utilization": (0, 1, True),
    "--tensor-parallel-size": (1, None, False),
    "--pipeline-parallel-size": (1, None, False),
    "--data-parallel-size": (1, None, False),
    "--max-num-seqs": (1, None, False),
    "--max-num-batched-tokens": (1, None, False),
    "--max-model-len": (-1, None, False),
    "--block-size": (1, None, False),
    "--swap-space": (0, None, False),
    "--cpu-offload-gb": (0, None, False),
    "--kv-cache-memory-bytes": (0, None, True),
    "--port": (0, 65535, False),
    "--max-loras": (1, None, False),
    "--max-lora-rank": (1, None, False),
    "env:VLLM_PORT": (0, 65535, False),
}


def problem(found: Lookup, value: str | None, engine: str) -> Text | None:
    """What is wrong with a value for a parameter that was found; None where nothing is known to be."""
    if found.parameter is None or value is None or found.status not in ("ok", "ignored"):
        return None
    if (_ELIDED if found.type == "json" else _UNSETTLED).search(value):
        return None
    if found.parameter == "--max-model-len" and value == "auto":
        return None
    if found.choices:
        return _choice(found, value)
    if found.reads_number and not _WHOLE.fullmatch(value.strip()):
        return Text(
            en=f"{_shown(found.parameter)} takes a whole number (0 or 1 for off and on); {value} stops the start.",
            zh=f"{_shown(found.parameter)} 需要整数（0 关、1 开）；{value} 会使启动失败。",
        )
    check = _CHECKS_OLLAMA.get(found.type) if engine == "ollama" else _CHECKS.get(found.type)
    wrong = check(found.parameter, value) if check else None
    return wrong or _range(found.parameter, value)


def _choice(found: Lookup, value: str) -> Text | None:
    name = _shown(found.parameter or "")
    given = value.upper() if name in _ANY_CASE else value
    several = given.split(",") if found.type == "list" else [given]
    if given.lower() in ("none", "") or all(one.strip() in found.choices for one in several):
        return None
    shown = ", ".join(found.choices)
    return Text(en=f"{name} takes one of: {shown}; not {value}.", zh=f"{name} 的取值只能是：{shown}；不能是 {value}。")


def _shown(name: str) -> str:
    """A variable without the contract's prefix."""
    return name.removeprefix("env:")


def _int(name: str, value: str) -> Text | None:
    if _WHOLE.fullmatch(value) or (name.startswith("--") and _HUMAN.fullmatch(value)) or value in ("", "None"):
        return None
    return Text(
        en=f"{_shown(name)} takes a whole number, not {value}.", zh=f"{_shown(name)} 需要整数，而不是 {value}。"
    )


def _float(name: str, value: str) -> Text | None:
    try:
        float(value)
    except ValueError:
        return Text(en=f"{_shown(name)} takes a number, not {value}.", zh=f"{_shown(name)} 需要数字，而不是 {value}。")
    return None


def _switch(name: str, value: str) -> Text | None:
    if name.startswith("env:") and len(value.split()) > 1:
        return Text(
            en=f"{_shown(name)} takes 1 or 0, not {value}.", zh=f"{_shown(name)} 只接受 1 或 0，而不是 {value}。"
        )
    if value.lower() in _SWITCH or not name.startswith("--"):
        return None
    return Text(
        en=f"{_shown(name)} is a switch and takes no value, not {value}.",
        zh=f"{_shown(name)} 是开关，不接受取值 {value}。",
    )


def _json(name: str, value: str) -> Text | None:
    if name in _JSON_OR_PAIRS or "." in name or not value:
        return None
    try:
        json.loads(value)
    except ValueError:
        return Text(
            en=f"{_shown(name)} takes JSON (names in double quotes), not {value}.",
            zh=f"{_shown(name)} 需要 JSON（键用双引号），而不是 {value}。",
        )
    return None


def _uint(name: str, value: str) -> Text | None:
    if value.strip(" '\"").isdecimal():
        return None
    return Text(
        en=f"{_shown(name)} takes a plain number without a unit; {value} is not read and the default holds.",
        zh=f"{_shown(name)} 只接受不带单位的整数；{value} 无法解析，会使用默认值。",
    )


def _go_bool(name: str, value: str) -> Text | None:
    if value.strip(" '\"") in _GO_BOOL or not value:
        return None
    return Text(
        en=f"{_shown(name)} takes 1 or 0; {value} is no such value and counts as 1.",
        zh=f"{_shown(name)} 只接受 1 或 0；{value} 无法识别，会被当作 1。",
    )


def _duration(name: str, value: str) -> Text | None:
    if _DURATION.fullmatch(value.strip(" '\"")) or not value:
        return None
    return Text(
        en=f"{_shown(name)} takes a duration (30m, 24h) or seconds; {value} is not read and the default holds.",
        zh=f"{_shown(name)} 需要时长（如 30m、24h）或秒数；{value} 无法解析，会使用默认值。",
    )


def _range(name: str, value: str) -> Text | None:
    if name not in _RANGES:
        return None
    low, high, open_low = _RANGES[name]
    try:
        number = float(value)
    except ValueError:
        return None
    below = low is not None and (number < low or (open_low and number == low))
    above = high is not None and number > high
    if not below and not above:
        return None
    bound_en = f"{'more than' if open_low else 'at least'} {low:g}" + (
        f", at most {high:g}" if high is not None else ""
    )
    bound_zh = f"{'大于' if open_low else '不小于'} {low:g}" + (f"、不大于 {high:g}" if high is not None else "")
    return Text(
        en=f"{_shown(name)} must be {bound_en}, not {value}.", zh=f"{_shown(name)} 必须{bound_zh}，而不是 {value}。"
    )


Check = Callable[[str, str], Text | None]
_CHECKS: dict[str, Check] = {
    "int": _int,
    "uint": _uint,
    "float": _float,
    "bool": _switch,
    "json": _json,
}
_CHECKS_OLLAMA: dict[str, Check] = {"uint": _uint, "bool": _go_bool, "duration": _duration}
