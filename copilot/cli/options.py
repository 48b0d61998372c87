"""The options that several commands share."""

import locale
import os
from typing import Annotated, Literal

import typer

from copilot.errors import UsageError

Container = Annotated[str | None, typer.Argument(help="Container name or id; left out: the newest ill one.")]
From = Annotated[str | None, typer.Option("--from", metavar="DIR", help="A collected folder or a recorded case.")]
Log = Annotated[
    str | None, typer.Option("--log", metavar="FILE|-", help="The container's log; - reads standard input.")
]
Compose = Annotated[str | None, typer.Option(metavar="FILE", help="The compose file.")]
Service = Annotated[str | None, typer.Option(metavar="NAME", help="The service in the compose file.")]
Inspect = Annotated[str | None, typer.Option(metavar="FILE", help="JSON of `docker inspect`.")]
GpuFile = Annotated[str | None, typer.Option("--gpu", metavar="FILE", help="Text, XML or CSV of nvidia-smi.")]
Command = Annotated[
    str | None, typer.Option(metavar="TEXT|FILE", help="The `docker run` or `vllm serve` line, or text that holds it.")
]
Image = Annotated[str | None, typer.Option(metavar="TAG", help="The image with its tag.")]
EngineName = Annotated[str | None, typer.Option("--engine", metavar="NAME", help="vllm or ollama.")]
Tail = Annotated[int, typer.Option(metavar="N", min=1, help="Lines read from the end of a container's log.")]
Lang = Annotated[str | None, typer.Option(metavar="en|zh", help="Language (default: from the locale).")]
Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document.")]

LangCode = Literal["en", "zh"]


def language(given: str | None) -> LangCode:
    """`en` or `zh`: the option, `COPILOT_LANG`, or the locale."""
    chosen = given or os.environ.get("COPILOT_LANG")
    if chosen is not None:
        if chosen not in ("en", "zh"):
            raise UsageError(f"{chosen!r} is no language of copilot.", "Use --lang en or --lang zh.")
        return "zh" if chosen == "zh" else "en"
    return of_locale()


def of_locale() -> LangCode:
    """What the person's system speaks."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "zh" if (locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"
