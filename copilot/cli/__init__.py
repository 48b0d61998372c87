"""The command line: one file per command, found in `COMMANDS`; one place where errors become sentences."""

import sys

from copilot.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
