"""A person's compose file: read with the line of every setting, and changed by one value with nothing else touched."""

from copilot.compose.change import change, change_env
from copilot.compose.command_line import command_change
from copilot.compose.interpolate import env_settings, read_env
from copilot.compose.reader import read
from copilot.compose.several import read_all
from copilot.compose.target import ComposeChange, ComposeFile

__all__ = [
    "ComposeChange",
    "ComposeFile",
    "change",
    "change_env",
    "command_change",
    "env_settings",
    "read",
    "read_all",
    "read_env",
]
