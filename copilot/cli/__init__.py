"""The command line: one file per command, found in `COMMANDS`; one place where errors become sentences."""

from copilot.cli.main import main, run

__all__ = ["main", "run"]
