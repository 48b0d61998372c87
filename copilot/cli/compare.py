"""`copilot compare A.log B.log`: two boots side by side."""

from typing import Annotated

import typer

from copilot.cli.options import EngineName, Json, Lang, language

Earlier = Annotated[str, typer.Argument(metavar="A.log", help="The log of the earlier start.")]
Later = Annotated[str, typer.Argument(metavar="B.log", help="The log of the later start.")]
Parameter = Annotated[
    str | None, typer.Option(metavar="P", help="The switch that differs: env:NAME or --flag. Did it change anything?")
]


def compare(  # noqa: PLR0913 - one parameter per option of the contract
    a: Earlier,
    b: Later,
    *,
    parameter: Parameter = None,
    engine: EngineName = None,
    lang: Lang = None,
    json: Json = False,
) -> int:
    """Say what is gone, new and changed between two starts, and whether a switch had any effect."""
    from copilot.adapters.files import UserFiles
    from copilot.comparing import compare_logs
    from copilot.render import console
    from copilot.render.comparison import render_comparison

    chosen = language(lang)
    found = compare_logs(UserFiles(), (a, b), parameter, engine, chosen)
    if json:
        print(found.model_dump_json(by_alias=True, indent=2))
    else:
        console().print(render_comparison(found, chosen))
    return 0
