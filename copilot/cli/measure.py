"""`copilot measure`: how fast a running server is, kept so that it can be compared."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from copilot.cli.options import Json, Lang, language

if TYPE_CHECKING:
    from copilot.measuring import Target
    from copilot.model.measurement import Measurement, Shape
    from copilot.model.text import Lang as Code


class _RunUnlessNamed(TyperGroup):
    """`copilot measure vllm` and `copilot measure --base-url …` run; `list`, `show` and `compare` are commands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `run` before arguments that name no command."""
        named = bool(args) and (args[0] in self.commands or args[0] in ("--help", "-h"))
        return super().parse_args(ctx, args if named else ["run", *args])


app = typer.Typer(
    help="Measure a running server (first token, tokens per second, GPU memory), and compare measurements.",
    cls=_RunUnlessNamed,
    rich_markup_mode=None,
)
Named = Annotated[str | None, typer.Argument(metavar="[CONTAINER]", help="The server's container.")]
Base = Annotated[str | None, typer.Option("--base-url", metavar="URL", help="The server's address.")]
ModelId = Annotated[str | None, typer.Option("--model", metavar="ID", help="Left out: the server's only model.")]
KeyName = Annotated[str | None, typer.Option("--env-key", metavar="NAME", help="Variable that holds the server's key.")]
SessionId = Annotated[str | None, typer.Option("--session", metavar="ID", help="Take the settings of this session.")]
Prompt = Annotated[int, typer.Option(metavar="N", min=1, help="Tokens of each prompt, about.")]
Output = Annotated[int, typer.Option(metavar="N", min=2, help="Tokens of each answer.")]
Width = Annotated[int, typer.Option(metavar="N", min=1, help="Requests at once.")]
Repeats = Annotated[int, typer.Option(metavar="N", min=1, help="Times that each figure is taken.")]
Write = Annotated[Path | None, typer.Option(metavar="DIR", help="Also write the environment for another machine.")]
AllowInsecure = Annotated[bool, typer.Option("--allow-insecure", help="Allow plain http to a public address.")]
Drawing = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Draw the table and chart as SVG.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="A measurement, or how its id begins.")]


@app.command("run", hidden=True)
def run(  # noqa: PLR0913 - one parameter per option
    container: Named = None,
    *,
    base_url: Base = None,
    model: ModelId = None,
    env_key: KeyName = None,
    session: SessionId = None,
    prompt_tokens: Prompt = 256,
    output_tokens: Output = 128,
    concurrency: Width = 4,
    repeats: Repeats = 5,
    write: Write = None,
    allow_insecure: AllowInsecure = False,
    lang: Lang = None,
    json: Json = False,
) -> int:
    """Measure a server: the first request, one at a time, several at once."""
    import os

    from copilot.measuring import Access
    from copilot.model.measurement import Shape

    access = Access(base_url, model, env_key, os.environ, allow_insecure)
    shape = Shape(prompt_tokens=prompt_tokens, output_tokens=output_tokens, concurrency=concurrency, repeats=repeats)
    target = _target(access, container, session)
    found = _measured(target, shape, language(lang))
    _keep(found, target, write, language(lang))
    _show(found, language(lang), json=json)
    return 0 if found.complete else 130


def _target(access: Any, container: str | None, session: str | None) -> "Target":
    """The server, with what its container or session tells."""
    from dataclasses import replace

    from copilot import app as composition
    from copilot.adapters.keyring import KeyringVault
    from copilot.measuring import evidence_of, open_target

    evidence = None
    if session is not None:
        store = composition.sessions()
        rounds = store.answers(session)
        evidence = composition.stored_evidence(store.folder(session) / f"round-{len(rounds)}", store.read(session))
        container = container or (evidence.container.name if evidence.container and not access.base_url else None)
    if container is not None:
        evidence, published = evidence_of(container)
        access = replace(access, base_url=access.base_url or published)
    return open_target(access, KeyringVault(), evidence, session)


def _measured(target: "Target", shape: "Shape", lang: "Code") -> "Measurement":
    """Run the load behind a progress bar on standard error."""
    import sys
    from contextlib import closing

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from copilot.adapters.nvml_sampler import NvmlSampler
    from copilot.adapters.openai_stream import TimedChat
    from copilot.measuring import Running, record
    from copilot.render import console
    from copilot.text import say

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(sys.stderr), transient=True) as bar:
        task = bar.add_task("", total=1)

        def show(phase: str, done: int, of: int) -> None:
            bar.update(task, description=say(f"measure.{phase}", lang), completed=done, total=of)

        with closing(TimedChat(target.endpoint)) as sender:
            return record(target, shape, Running(sender, NvmlSampler(), show))


def _keep(found: "Measurement", target: "Target", folder: Path | None, lang: "Code") -> None:
    """Store the record, and write the environment where that is asked for."""
    from copilot.measuring import store, write_environment

    if any(phase.requests > phase.failed for phase in found.phases):
        store().save(found)
    if folder is not None:
        write_environment(found, target.evidence, folder, lang)


def _show(found: "Measurement", lang: "Code", *, json: bool, svg: Path | None = None) -> None:
    from copilot.render import console, render_measurement, save_svg

    if json:
        print(found.model_dump_json(by_alias=True, indent=2))
    else:
        console().print(render_measurement(found, lang))
    if svg is not None:
        save_svg(render_measurement(found, lang), svg)


@app.command("list")
def list_(*, json: Json = False) -> int:
    """Show the measurements, newest first."""
    import json as jsons

    from copilot.measuring import store
    from copilot.render import console, render_measurements

    kept = store()
    records = [kept.read(name) for name in kept.ids()]
    if json:
        rows = [one.model_dump(mode="json", by_alias=True) for one in records]
        print(jsons.dumps({"schema": "copilot.measurement-list/1", "measurements": rows}, ensure_ascii=False, indent=2))
        return 0
    console().print(render_measurements(records))
    return 0


@app.command()
def show(name: Id, *, svg: Drawing = None, lang: Lang = None, json: Json = False) -> int:
    """Show a measurement."""
    from copilot.measuring import store

    _show(store().read(name), language(lang), json=json, svg=svg)
    return 0


@app.command()
def compare(
    a: Id,
    b: Id,
    *,
    svg: Drawing = None,
    lang: Lang = None,
    json: Json = False,
) -> int:
    """Compare two measurements: what differs by more than the spread, and which settings differ."""
    from copilot.measure import compare as against
    from copilot.measuring import store
    from copilot.render import console, render_measured_difference, save_svg

    kept, chosen = store(), language(lang)
    found = against(kept.read(a), kept.read(b))
    if json:
        print(found.model_dump_json(by_alias=True, indent=2))
    else:
        console().print(render_measured_difference(found, chosen))
    if svg is not None:
        save_svg(render_measured_difference(found, chosen), svg)
    return 0
