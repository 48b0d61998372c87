"""Environment variables of Ollama's server per release tag, from a git clone. Go source is read as text."""

import re
import subprocess
from pathlib import Path
from typing import Any

from parameter_sources.annotations import Description

_TAG = re.compile(r"v(\d+)\.(\d+)\.(\d+)")
_NAME = re.compile(r'"((?:OLLAMA|LLAMA_ARG)_[A-Z0-9_]+)"')
_ACCESSOR = re.compile(r'=\s*(BoolWithDefault|Bool|String|Uint64|Uint)\("([A-Z0-9_]+)"(?:,\s*(\d+))?\)')
_KINDS = {"BoolWithDefault": "bool", "Bool": "bool", "String": "str", "Uint": "uint", "Uint64": "uint"}
_PLAIN: dict[str, Any] = {"Bool": False, "String": ""}
_CACHE_TYPES = ["f16", "q8_0", "q4_0"]
_BY_HAND: dict[str, tuple[tuple[str, Description], ...]] = {
    "OLLAMA_KEEP_ALIVE": (("0.0.0", {"kind": "duration", "default": "5m"}),),
    "OLLAMA_LOAD_TIMEOUT": (("0.0.0", {"kind": "duration", "default": "5m"}),),
    "OLLAMA_HOST": (("0.0.0", {"kind": "address", "default": "127.0.0.1:11434"}),),
    "OLLAMA_MODELS": (("0.0.0", {"kind": "path", "default": "~/.ollama/models"}),),
    "OLLAMA_ORIGINS": (("0.0.0", {"kind": "list", "default": ""}),),
    "OLLAMA_REMOTES": (("0.0.0", {"kind": "list", "default": "ollama.com"}),),
    "OLLAMA_DEBUG": (("0.0.0", {"kind": "level", "default": "0"}),),
    "OLLAMA_GO_TEMPLATE": (("0.0.0", {"kind": "bool", "default": True}),),
    "OLLAMA_LLM_LIBRARY": (("0.0.0", {"kind": "str", "default": ""}),),
    "OLLAMA_EXPERIMENT": (("0.0.0", {"kind": "list"}),),
    "OLLAMA_LIBRARY_PATH": (("0.0.0", {"kind": "path"}),),
    "OLLAMA_SKILLS": (("0.0.0", {"kind": "path"}),),
    "OLLAMA_VULKAN": (("0.0.0", {"kind": "bool", "default": False}), ("0.30.0", {"kind": "bool", "default": True})),
    "OLLAMA_NUM_PARALLEL": (("0.0.0", {"kind": "uint", "default": 1}), ("0.2.0", {"kind": "uint", "default": 0})),
    "OLLAMA_MAX_LOADED_MODELS": (("0.0.0", {"kind": "uint", "default": 1}), ("0.2.0", {"kind": "uint", "default": 0})),
    "OLLAMA_MAX_QUEUE": (("0.0.0", {"kind": "uint", "default": 512}),),
    # until the runners were replaced, another type was refused with a warning; llama.cpp takes more
    "OLLAMA_KV_CACHE_TYPE": (
        ("0.0.0", {"kind": "choice", "default": "f16", "choices": _CACHE_TYPES}),
        ("0.30.0", {"kind": "str", "default": "f16"}),
    ),
    "LLAMA_ARG_FIT": (("0.0.0", {"kind": "choice", "default": "on", "choices": ["on", "off"]}),),
}
"""Kinds and defaults that the source computes in functions or keeps in other files: read by a person."""


def read(clone: Path) -> tuple[list[str], dict[str, dict[str, Description]]]:
    """(releases oldest first, release -> name -> facts)."""
    tags = sorted((t for t in _git(clone, "tag").split() if _TAG.fullmatch(t)), key=_number)
    return [tag[1:] for tag in tags], {tag[1:]: _variables(clone, tag) for tag in tags}


def _variables(clone: Path, tag: str) -> dict[str, Description]:
    config = _git(clone, "show", f"{tag}:envconfig/config.go")
    elsewhere = _git(
        clone,
        "grep",
        "-hoE",
        '"(OLLAMA|LLAMA_ARG)_[A-Z0-9_]+"',
        tag,
        "--",
        "*.go",
        ":!*_test.go",
        ":!integration",
        ":!app",
    )
    accessors = {name: (kind, default) for kind, name, default in _ACCESSOR.findall(config)}
    names = {*_NAME.findall(config), *_NAME.findall(elsewhere)}
    return {name: _facts(name, tag, accessors.get(name)) for name in sorted(names)}


def _facts(name: str, tag: str, accessor: tuple[str, str] | None) -> Description:
    if accessor and accessor[1]:
        return {"kind": _KINDS[accessor[0]], "default": int(accessor[1])}
    steps = [facts for since, facts in _BY_HAND.get(name, ()) if _number("v" + since) <= _number(tag)]
    if steps:
        return steps[-1]
    if accessor is None:
        return {"kind": "str"}
    default = {"default": _PLAIN[accessor[0]]} if accessor[0] in _PLAIN else {}
    return {"kind": _KINDS[accessor[0]], **default}


def _number(tag: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", tag))


def _git(clone: Path, *arguments: str) -> str:
    """Output of a git command; empty where git finds nothing."""
    done = subprocess.run(["git", "-C", str(clone), *arguments], capture_output=True, text=True, check=False)  # noqa: S603, S607
    return done.stdout
