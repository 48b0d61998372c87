"""`copilot sessions`: what was tried, and what came of it."""

from pathlib import Path
from typing import Annotated

import typer

from copilot.cli.options import Json, Lang, language

app = typer.Typer(help="What was tried, and what came of it.", no_args_is_help=True, rich_markup_mode=None)

Id = Annotated[str, typer.Argument(metavar="SESSION", help="Session id.")]


@app.command("list")
def list_(*, json: Json = False) -> int:
    """Show the sessions, newest first."""
    import json as jsons

    from copilot.app import sessions
    from copilot.render import visible

    store = sessions()
    records = [store.read(name) for name in store.ids()]
    if json:
        rows = [r.model_dump(mode="json", by_alias=True, exclude={"redactor"}) for r in records]
        print(jsons.dumps({"schema": "copilot.sessions/1", "sessions": rows}, ensure_ascii=False, indent=2))
        return 0
    for record in records:
        print(visible(f"{record.id}  {record.status:8}  {len(record.history)} tried  {record.title}"))
    return 0


@app.command()
def show(session: Id, *, lang: Lang = None, json: Json = False) -> int:
    """Show the timeline of a session and its last answer."""
    import json as jsons

    from copilot.app import sessions
    from copilot.render import console, render_answer
    from copilot.render.timeline import render_timeline

    store, chosen = sessions(), language(lang)
    record, answers = store.read(session), store.answers(session)
    if json:
        document = {
            "schema": "copilot.session/1",
            "session": record.model_dump(mode="json", by_alias=True, exclude={"redactor"}),
            "answers": [a.model_dump(mode="json", by_alias=True) for a in answers],
        }
        print(jsons.dumps(document, ensure_ascii=False, indent=2))
        return 0
    out = console()
    out.print(render_timeline(record, answers, chosen))
    if answers:
        out.print(render_answer(answers[-1], chosen))
    return 0


@app.command()
def delete(session: Id) -> int:
    """Delete a session from the disk."""
    from copilot.app import sessions

    sessions().delete(session)
    print(f"{session} is deleted.")
    return 0


@app.command("save-case")
def save_case(  # noqa: PLR0913 - one parameter per option
    session: Id,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="A new folder for the case.")],
    title: Annotated[str, typer.Option(prompt="Title, without the answer")],
    parameter: Annotated[list[str], typer.Option(help="Parameter that is right (repeat for several).")],
    cause: Annotated[str, typer.Option(help="Text of the decisive line (a part of it).")] = "",
    reference: Annotated[str, typer.Option(help="Where the facts come from.")] = "own server",
) -> int:
    """Make a case of a session: its rounds, redacted once more, and the facts that you state."""
    from copilot import app as composition
    from copilot.recorded import CaseFacts
    from copilot.recorded import save_case as write_case

    facts = CaseFacts(title=title, parameters=tuple(parameter), cause=cause, reference=reference)
    print(write_case(composition.sessions(), session, output, facts))
    return 0
