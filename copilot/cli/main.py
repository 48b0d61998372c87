"""Build the Typer app, run it, and turn what it raises into an exit code."""

import contextlib
import errno
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import copilot
from copilot.cli.spoken import interrupted, say_error, say_usage
from copilot.errors import CopilotError, Interrupted, UsageError

COMMANDS: dict[str, str] = {
    "ask": "copilot.cli.ask:ask",
    "next": "copilot.cli.next:next_",
    "compare": "copilot.cli.compare:compare",
    "collect": "copilot.cli.collect:collect",
    "redact": "copilot.cli.redact:redact",
    "sessions": "copilot.cli.sessions:app",
    "explain": "copilot.cli.explain:explain",
    "fit": "copilot.cli.fit:fit",
    "measure": "copilot.cli.measure:app",
    "check": "copilot.cli.check:check",
    "usage": "copilot.cli.usage:usage",
    "provider": "copilot.cli.provider:app",
    "eval": "copilot.cli.eval:app",
}
"""Command -> where it is. A module imports only what its options need; the rest when it runs.

`CONTEXT` in a module is how its command line is read, where that is not the usual way.
"""


SELDOM = (50_000, 20, 100)
"""Thresholds of the collector of cycles: a short-lived command makes many objects and drops few (0.4 s of 3 s)."""


def _version(value: bool) -> None:
    """Print the version and stop."""
    if value:
        print(f"copilot (log2fix) {copilot.__version__}")
        raise typer.Exit


def build() -> typer.Typer:
    """The whole app."""
    app = typer.Typer(
        name="copilot",
        help="From the log of a crashed LLM server (vLLM, Ollama) to the next single thing to try.",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )

    @app.callback()
    def root(
        version: Annotated[
            bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
        ] = False,
    ) -> None:
        """From the log of a crashed LLM server (vLLM, Ollama) to the next single thing to try."""

    for name, place in COMMANDS.items():
        module, _, attribute = place.partition(":")
        found = importlib.import_module(module)
        command = getattr(found, attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name, context_settings=getattr(found, "CONTEXT", None))(command)
    return app


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit codes are the contract's."""
    gc.set_threshold(*SELDOM)
    try:
        result = build()(args=arguments, prog_name="copilot", standalone_mode=False)
        if result == Interrupted.exit_code:  # Typer makes this of Ctrl-C, without a word
            interrupted(arguments)
        sys.stdout.flush()
    except CopilotError as error:
        return say_error(error, arguments)
    except KeyboardInterrupt:
        return interrupted(arguments)
    except (BrokenPipeError, SystemExit):  # Typer turns the first into the second
        _unplug()
        return 0
    except OSError as error:
        return _full(error, arguments) if error.errno in NO_ROOM else _click(error, arguments)
    except Exception as error:  # noqa: BLE001 - the last line of defence: a redacted traceback instead of a raw one
        return _click(error, arguments)
    return result if isinstance(result, int) else 0


FAULT = "this is a fault of copilot itself; nothing that was shown is lost."
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What a write answers when the disk, a quota or a limit on the size of files is full."""


def _full(error: OSError, arguments: Sequence[str] | None) -> int:
    """The output could not be written: nobody's fault but the disk's."""
    _unplug()
    place = f" to {error.filename}" if error.filename else ""
    message = f"The output cannot be written{place}: {error.strerror}."
    return say_error(UsageError(message, "Free some space, or name another place."), arguments)


def _unplug() -> None:
    """Standard output leads nowhere from here on: what is still in its buffer must not fail again at the exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _click(error: Exception, arguments: Sequence[str] | None) -> int:
    """Usage errors of the command line; anything else is a fault of ours and keeps its (redacted) traceback."""
    code = getattr(error, "exit_code", None)
    show = getattr(error, "show", None)
    if callable(show):
        say_usage(show, arguments)
        return 2
    if type(error).__name__ == "Abort":
        return interrupted(arguments)
    if isinstance(code, int):
        return code
    _crash(error, arguments)
    return 1


def _crash(error: Exception, arguments: Sequence[str] | None) -> None:
    """Our own fault: the traceback, redacted, and where to report it."""
    import traceback

    from copilot.cli.known import known
    from copilot.redaction import redact

    text = "".join(traceback.format_exception(error))
    print(redact(text, known()).text, file=sys.stderr)
    say_error(CopilotError(FAULT, "Please report the lines above (they are redacted)."), arguments)
