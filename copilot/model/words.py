"""The closed vocabularies of the contract (`copilot.answer/1`)."""

from typing import Literal

Engine = Literal["vllm", "ollama"]
Status = Literal["diagnosed", "partial", "unknown", "healthy"]
Category = Literal["environment", "resource", "auth", "network", "config", "compatibility", "model", "client"]
Confidence = Literal["high", "medium", "low"]
Role = Literal["cause", "symptom", "context", "noise"]
SourceName = Literal["log", "compose", "command", "inspect", "gpu", "request"]
Topic = Literal[
    "memory path",
    "memory budget",
    "device",
    "attention",
    "download",
    "access",
    "network",
    "model",
    "parallelism",
    "request",
    "other",
]
Verdict = Literal["fixed", "moved", "same", "worse", "unclear"]
Phase = Literal["none", "config", "download", "device", "weights", "profiling", "kv_cache", "graphs", "serving"]
"""How far a boot got, in the order of this list."""
Origin = Literal["log", "gpu", "derived", "estimated"]
VersionFrom = Literal["log", "image", "label", "option"]
