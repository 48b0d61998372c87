"""Which engine a container or a log belongs to, by the names that images, programs and logs carry."""

import re
from collections.abc import Iterable

from copilot.model.words import Engine

_PROGRAM: tuple[tuple[Engine, re.Pattern[str]], ...] = (
    ("vllm", re.compile(r"(?:^|[\s/'\"])vllm\s+serve\b|\bvllm[./]entrypoints\b|(?:^|/)vllm$|\bvllm-openai\b")),
    ("ollama", re.compile(r"(?:^|[\s/'\"])ollama\s+(?:serve|runner)\b|(?:^|/)ollama$")),
)
_LOG: tuple[tuple[Engine, re.Pattern[str]], ...] = (
    (
        "vllm",
        re.compile(
            r"vLLM API server version|Initializing a V\d LLM engine|\((?:EngineCore|APIServer)[ _)]|"
            r"vllm[./](?:entrypoints|engine|v1|config|platforms)|\bvllm(?: serve)?: error:|VLLM_[A-Z_]{4,}"
        ),
    ),
    (
        "ollama",
        re.compile(r"OLLAMA_[A-Z_]{4,}|source=(?:routes|server|sched|runner)\.go|\[GIN\].*/api/(?:chat|generate|tags)"),
    ),
)
_CLIENTS = re.compile(r"webui|litellm|proxy|exporter|prometheus|grafana|anythingllm|librechat", re.IGNORECASE)
"""Programs that talk to an engine and carry its name in theirs."""
_OTHER_SERVERS = re.compile(
    r"lmdeploy|sglang|litellm|fastchat|xinference|llama[-_.]cpp|llama-server|text-generation|localai|koboldcpp|tabby|"
    r"triton-inference|tritonserver|mlc[-_]llm|lmstudio|aphrodite"
)
"""Servers and gateways with flags of their own, by the names of their images, programs and Python packages."""


def engine_of_image(image: str) -> Engine | None:
    """The engine that an image's name states; None for clients of an engine and for names that say nothing."""
    path, _, tag = image.partition("@")[0].rpartition(":")
    if "/" in tag or not path:
        path, tag = image, ""
    if _CLIENTS.search(path):
        return None
    for text in (path.lower(), tag.lower()):
        if "vllm" in text:
            return "vllm"
        if "ollama" in text:
            return "ollama"
    return None


def is_other_program(name: str) -> bool:
    """Whether a program, a Python module or an image is a client of an engine, or another server.

    Its flags and variables mean nothing to the engine, whatever they are called.
    """
    lowered = name.lower()
    return bool(_CLIENTS.search(lowered) or _OTHER_SERVERS.search(lowered)) and "vllm-openai" not in lowered


def engine_of_program(words: Iterable[str]) -> Engine | None:
    """The engine that a container's entrypoint and command start."""
    line = " ".join(words)
    for engine, pattern in _PROGRAM:
        if pattern.search(line):
            return engine
    return None


def engine_of_log(text: str) -> Engine | None:
    """The engine whose messages a log holds: the one that is named more often."""
    counts = {engine: len(pattern.findall(text)) for engine, pattern in _LOG}
    best = max(counts, key=lambda engine: counts[engine])
    return best if counts[best] else None
