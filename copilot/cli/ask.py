"""`copilot ask`: collect, redact, diagnose, propose one experiment; on a terminal, loop."""

import sys
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
    Json,
    Lang,
    Log,
    Service,
    Tail,
    language,
)

Provider = Annotated[str | None, typer.Option(metavar="NAME", help="Provider; `playbook` is built in and offline.")]
ModelId = Annotated[str | None, typer.Option("--model", metavar="ID", help="Model id at the provider.")]
Offline = Annotated[bool, typer.Option("--offline", help="Same as --provider playbook.")]
NoLoop = Annotated[bool, typer.Option("--no-loop", help="Answer once, do not wait for the retest.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print exactly what would be sent; send nothing.")]
NoFallback = Annotated[bool, typer.Option("--no-fallback", help="Fail (exit 4) when the provider fails.")]
SessionId = Annotated[str | None, typer.Option("--session", metavar="ID", help="Go on in this session.")]
AllowInsecure = Annotated[bool, typer.Option("--allow-insecure", help="Allow plain http to a public address.")]


def ask(  # noqa: PLR0913 - one parameter per option of the contract
    container: Container = None,
    *,
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
    provider: Provider = None,
    model: ModelId = None,
    offline: Offline = False,
    lang: Lang = None,
    json: Json = False,
    no_loop: NoLoop = False,
    dry_run: DryRun = False,
    no_fallback: NoFallback = False,
    session: SessionId = None,
    allow_insecure: AllowInsecure = False,
) -> int:
    """Read a crashed server's evidence, name the faults, and propose ONE experiment."""
    from copilot.cli.conversation import Conversation, Wanted
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
    wanted = Wanted(
        provider="playbook" if offline else provider,
        model=model,
        lang=language(lang),
        fallback=not no_fallback,
        json=json,
        loop=not no_loop and not json and sys.stdin.isatty() and sys.stdout.isatty() and log != "-",
        session=session,
        allow_insecure=allow_insecure,
        dry_run=dry_run,
    )
    conversation = Conversation(wanted)
    return conversation.dry_run(sources) if dry_run else conversation.ask(sources)
