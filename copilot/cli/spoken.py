"""What the command says besides its results, on standard error and in the person's language: errors, usage, Ctrl-C."""

import io
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise

from copilot.cli.options import LangCode, language, of_locale
from copilot.errors import CopilotError, Interrupted, UsageError

Arguments = Sequence[str] | None
"""The command line; None: that of the process."""


def spoken(arguments: Arguments = None) -> LangCode:
    """The language of a command line that may be wrong: its `--lang` where it has one, else as for every command."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    given = [word.partition("=")[2] for word in words if word.startswith("--lang=")]
    given += [value for word, value in pairwise(words) if word == "--lang"]
    try:
        return language(next((one for one in reversed(given) if one in ("en", "zh")), None))
    except UsageError:  # `COPILOT_LANG` itself is wrong
        return of_locale()


def in_language(text: str, lang: LangCode) -> str:
    """An English error or note in this language; the catalogue is read for Chinese alone."""
    if lang == "en":
        return text
    from copilot.text.errors import translated

    return translated(text, lang)


def say_error(error: CopilotError, arguments: Arguments = None) -> int:
    """One sentence what happened, one what to do; the exit code."""
    from copilot.render.console import visible

    lang = spoken(arguments)
    print(f"copilot: {visible(in_language(error.message, lang))}", file=sys.stderr)
    if error.hint:
        print(f"  {visible(in_language(error.hint, lang))}", file=sys.stderr)
    return error.exit_code


def interrupted(arguments: Arguments = None) -> int:
    """Say that Ctrl-C was heard; the exit code."""
    print(in_language("Interrupted.", spoken(arguments)), file=sys.stderr)
    return Interrupted.exit_code


def say_usage(show: Callable[..., None], arguments: Arguments = None) -> None:
    """What Typer says of a command line, line by line; a page of help (no word was given) stays as it is."""
    lang, shown = spoken(arguments), io.StringIO()
    if lang == "en":
        show(file=sys.stderr)
        return
    show(file=shown)
    lines = shown.getvalue().splitlines()
    wrong = any(line.startswith("Error: ") for line in lines)
    for line in lines:
        print(in_language(line, lang) if wrong else line, file=sys.stderr)
