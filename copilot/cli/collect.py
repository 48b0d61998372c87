"""`copilot collect`: only the redacted evidence, as one folder to review and carry elsewhere."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from copilot.cli.options import (
    Command,
    Compose,
    Container,
    EngineName,
    From,
    GpuFile,
    Image,
    Inspect,
    Log,
    Service,
    Tail,
)
from copilot.cli.spoken import in_language, spoken

Output = Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="A new folder.")]


def collect(  # noqa: PLR0913 - one parameter per option of the contract
    container: Container = None,
    *,
    output: Output,
    from_: From = None,
    log: Log = None,
    compose: Compose = None,
    service: Service = None,
    inspect: Inspect = None,
    gpu: GpuFile = None,
    command: Command = None,
    image: Image = None,
    engine: EngineName = None,
    tail: Tail = 4000,
) -> int:
    """Write the redacted evidence to a folder; `copilot ask --from DIR` reads it anywhere."""
    from copilot import app
    from copilot.cli.known import known
    from copilot.cli.retests import Once
    from copilot.model.request import Sources

    sources = Sources(
        container=container,
        directory=from_,
        log=log,
        compose=compose,
        service=service,
        inspect=inspect,
        gpu=gpu,
        command=command,
        image=image,
        engine=engine,
        tail=tail,
    )
    evidence = app.collect(app.ports_for(Once(), known=known()), sources, output)
    for path in sorted(p for p in output.rglob("*") if p.is_file()):
        print(path)
    replaced = sum(evidence.redactions.values())
    said = [f"{replaced} secrets and names were replaced. Read the folder before you share it."]
    said += [f"left out: {reason}" for reason in evidence.left_out]
    for one in said:
        print(in_language(one, spoken()), file=sys.stderr)
    return 0
