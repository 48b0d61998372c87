"""What vLLM says it was given: `non-default args` (0.9.0+), the Namespace of older versions, the engine's config.

A start that is refused for its command line prints none of these, only the words that it refuses.
"""

import re
import shlex
from collections.abc import Iterator, Sequence

from copilot.engines.pairs import plain, python_pairs
from copilot.model.evidence import Setting
from copilot.model.log import Line

_ARGS = re.compile(r"non-default args: \{(?P<pairs>.*)")
_NAMESPACE = re.compile(r"(?:\[\S+\] )?args: Namespace\((?P<pairs>.*)")
_CONFIG = re.compile(r"Initializing an? (?:V\d )?LLM engine .*?with config: (?P<pairs>.*)")
_REFUSED = re.compile(r"error: unrecognized arguments: (?P<words>\S.*)")
_NOT_FLAGS = frozenset({"model_tag", "subparser", "dispatch_function", "config", "func"})
_TOLD_BY_CONFIG = {
    "model": None,
    "revision": None,
    "tokenizer_mode": "auto",
    "trust_remote_code": "false",
    "load_format": "auto",
    "tensor_parallel_size": "1",
    "pipeline_parallel_size": "1",
    "data_parallel_size": "1",
    "disable_custom_all_reduce": "false",
    "quantization": None,
    "enforce_eager": "false",
    "kv_cache_dtype": "auto",
}
"""Values of the engine's config that are as they were given, and their defaults. Others (dtype, lengths) are resolved:
a retest would look as if the old setting were still in force."""


def read_settings(lines: Sequence[Line]) -> tuple[Setting, ...]:
    """The settings of one boot; the engine's config only where no arguments were printed."""
    for line in lines:
        found = _ARGS.match(line.message)
        if found:
            return tuple(_settings(python_pairs(found["pairs"], ":"), line.number))
    for line in lines:
        found = _NAMESPACE.search(line.message)
        if found:
            return tuple(_settings(python_pairs(found["pairs"], "="), line.number))
    for line in lines:
        found = _CONFIG.match(line.message)
        if found:
            given = [pair for pair in python_pairs(found["pairs"], "=") if _is_given(*pair)]
            return tuple(_settings(iter(given), line.number))
    return tuple(
        setting
        for line in lines
        if (found := _REFUSED.search(line.message))
        for setting in _refused(found["words"], line.number)
    )


def _refused(words: str, line: int) -> Iterator[Setting]:
    """The flags that the parser refused, each with the word behind it; as spelled, because no version is known."""
    try:
        parts = shlex.split(words)
    except ValueError:
        parts = words.split()
    for index, part in enumerate(parts):
        if not part.startswith("--"):
            continue
        flag, equals, glued = part.partition("=")
        following = parts[index + 1] if index + 1 < len(parts) else "-"
        value = glued if equals else None if following.startswith("-") else following
        yield Setting(parameter=flag.replace("_", "-"), value=value, source="log", line=line, spelled=flag)


def config_values(lines: Sequence[Line]) -> dict[str, str]:
    """The engine's config as printed: key to value, unquoted."""
    for line in lines:
        found = _CONFIG.match(line.message)
        if found:
            return {key: value for key, text in python_pairs(found["pairs"], "=") if (value := plain(text)) is not None}
    return {}


def _is_given(key: str, printed: str) -> bool:
    return key in _TOLD_BY_CONFIG and plain(printed) != _TOLD_BY_CONFIG[key]


def _settings(pairs: Iterator[tuple[str, str]], line: int) -> Iterator[Setting]:
    for key, printed in pairs:
        value = plain(printed)
        if value is None or key in _NOT_FLAGS or not re.fullmatch(r"[A-Za-z]\w*", key) or _said_nothing(printed):
            continue
        name = "--" + key.replace("_", "-")
        yield Setting(parameter=name, value=None if printed == "True" else value, source="log", line=line)


def _said_nothing(printed: str) -> bool:
    return printed in ("[]", "{}", "''", '""') or "characters left out" in printed
