"""Readers of what describes a start: container JSON, commands, GPU counters, host facts. Pure: text in, values out."""

from copilot.collect.arguments import Where, parse_args
from copilot.collect.command import CommandReading, read_command
from copilot.collect.container import InspectReading, read_inspect
from copilot.collect.gpu import read_gpus
from copilot.collect.host import read_host
from copilot.collect.vocabulary import Dialect

__all__ = [
    "CommandReading",
    "Dialect",
    "InspectReading",
    "Where",
    "parse_args",
    "read_command",
    "read_gpus",
    "read_host",
    "read_inspect",
]
