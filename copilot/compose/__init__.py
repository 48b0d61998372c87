"""A person's compose file: read with the line of every setting, and changed by one value with nothing else touched."""

from copilot.compose.interpolate import env_settings, read_env
from copilot.compose.reader import read

__all__ = ["env_settings", "read", "read_env"]
