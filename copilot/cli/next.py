"""`copilot next`: the loop without a terminal."""

from typing import Annotated

import typer

from copilot.cli.ask import AllowInsecure, DryRun, ModelId, NoFallback, Offline, Provider
from copilot.cli.options import (
    Command,
    Compose,
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

Session = Annotated[str | None, typer.Argument(help="Session id; left out: the newest open one.")]
Wait = Annotated[bool, typer.Option("--wait", help="Wait until the container starts anew.")]


def next_(  # noqa: PLR0913 - one parameter per option of the contract
    session: Session = None,
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
    dry_run: DryRun = False,
    no_fallback: NoFallback = False,
    allow_insecure: AllowInsecure = False,
    wait: Wait = False,
) -> int:
    """Collect the new logs of a session, compare with the last round, and answer again."""
    from copilot.cli.conversation import Conversation, Wanted
    from copilot.model.request import Sources

    sources = Sources(
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
        loop=False,
        session=session,
        allow_insecure=allow_insecure,
        dry_run=dry_run,
    )
    conversation = Conversation(wanted)
    if dry_run:
        return conversation.dry_run(sources)
    return conversation.next(sources, wait=wait)
