"""`copilot check`: the chain copilot → provider → engine, and the first link that is broken."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from copilot.cli.options import Json, Lang, LangCode, language

if TYPE_CHECKING:
    from copilot.model.check import CheckDocument

Named = Annotated[str | None, typer.Argument(metavar="[CONTAINER]", help="The engine's container, to look at too.")]
Name = Annotated[str | None, typer.Option("--provider", metavar="NAME", help="A configured provider.")]
ModelId = Annotated[str | None, typer.Option("--model", metavar="ID", help="The model to ask for.")]
Base = Annotated[str | None, typer.Option("--base-url", metavar="URL", help="Check this address instead.")]
Wire = Annotated[Literal["chat", "responses"] | None, typer.Option(help="The protocol to use.")]
Client = Annotated[
    Path | None,
    typer.Option("--client-config", metavar="FILE", help="Codex's config.toml or a .env: is it right?"),
]
Seconds = Annotated[float, typer.Option(metavar="S", min=1.0, help="Time limit of one request.")]
ExitCode = Annotated[bool, typer.Option("--exit-code", help="End with 4 when a link is broken (for scripts).")]

_SIGNS = {"ok": "✓", "broken": "✗", "warning": "!", "skipped": "·"}


def check(  # noqa: PLR0913 - one parameter per option
    container: Named = None,
    *,
    provider: Name = None,
    model: ModelId = None,
    base_url: Base = None,
    wire_api: Wire = None,
    client_config: Client = None,
    timeout: Seconds = 30.0,
    exit_code: ExitCode = False,
    lang: Lang = None,
    json: Json = False,
) -> int:
    """Walk from the configuration to a streamed answer, and stop at the first broken link."""
    return run_and_print(
        lang=language(lang),
        json=json,
        exit_code=exit_code,
        container=container,
        provider=provider,
        model=model,
        base_url=base_url,
        wire_api=wire_api,
        client_config=client_config,
        seconds=timeout,
    )


def run_and_print(*, lang: LangCode, json: bool, exit_code: bool, **wanted: Any) -> int:
    """Walk the chain on this machine and print the document; 4 where a link is broken and `exit_code` is asked for."""
    from copilot import checking, config, places
    from copilot.adapters.docker import DockerContainers
    from copilot.adapters.keyring import KeyringVault

    environ = config.environment()
    settings = config.load(environ, Path.cwd(), places.config_file())
    tools = checking.Tools(settings, environ, KeyringVault(), DockerContainers())
    document = checking.check(checking.Asked(lang=lang, **wanted), tools)
    if json:
        print(document.model_dump_json(by_alias=True, indent=2))
    else:
        print("\n".join(lines_of(document, lang)))
    return 4 if exit_code and document.broken else 0


def lines_of(document: "CheckDocument", lang: LangCode) -> list[str]:
    """The links, one a line; then what is broken and the one thing to change."""
    from copilot.render.console import visible
    from copilot.text.check import LINKS, WORDS

    rows = []
    for link in document.links:
        detail = WORDS["skipped"].in_(lang) if link.status == "skipped" else link.detail
        rows.append(f"{_SIGNS[link.status]} {LINKS[link.link].in_(lang)}: {detail}")
    for found in document.faults:
        names = ", ".join(found.parameters)
        rows += ["", f"{found.title}" + (f"  [{names}]" if names else ""), f"  {found.cause}"]
    experiment = document.experiment
    if experiment is None:
        return [visible(row) for row in [*rows, "", WORDS["whole"].in_(lang)]]
    if experiment.change is not None:
        change = experiment.change
        told = WORDS["change"].fill(parameter=change.parameter, to=change.to, before=change.before or "–").in_(lang)
        rows += ["", told]
    elif experiment.observe:
        rows += ["", WORDS["do"].fill(what=experiment.observe).in_(lang)]
    return [visible(row) for row in rows]
