"""Settings that a message names in its own words: `--max-num-seqs`, `max_num_seqs`, `VLLM_USE_V1`."""

import re

from copilot.parameters import registry

_SPELLED = re.compile(r"(?<![\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)+|\bVLLM_[A-Z][A-Z0-9_]+\b|\b[a-z]+(?:_[a-z0-9]+)+\b")
_ECHO = re.compile(r"\[type=\w+, input_value=.*|\(?For further information visit .*")
"""What pydantic appends: a print of all arguments, not the one that is wrong."""


def named_settings(message: str, version: str | None) -> tuple[str, ...]:
    """The vLLM settings that a message names, as parameters, in order; names that no version has are left out."""
    found = (_parameter(m.group()) for m in _SPELLED.finditer(_ECHO.sub("", message)))
    return tuple(dict.fromkeys(name for name in found if registry().exists(name, "vllm", version)))


def _parameter(spelled: str) -> str:
    if spelled.startswith("--"):
        return spelled
    return f"env:{spelled}" if spelled.isupper() else f"--{spelled.replace('_', '-')}"
