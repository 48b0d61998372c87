"""The command line: one file per command, found in `COMMANDS`; one place where errors become sentences."""

import contextlib
import os
import sys
from typing import NoReturn


def run() -> NoReturn:
    """The command as a process: what was said is out, and the process ends there.

    Taking the interpreter apart object by object costs a fifth of the time of a short command, and would wait for a
    source that never answered. An evaluation ends the slow way: its libraries have work of their own to finish.
    """
    try:
        from copilot.cli.main import main  # Ctrl-C may come while this still loads

        code = main()
    except KeyboardInterrupt:
        from copilot.cli.spoken import interrupted

        code = interrupted()
    if "inspect_ai" in sys.modules:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or never there
            stream.flush()
    os._exit(code)
