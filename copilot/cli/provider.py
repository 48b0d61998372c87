"""`copilot provider`: endpoints. Keys are typed hidden, into the keyring, or stay in a variable; never in a file."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from copilot.cli.options import Json, Lang, LangCode, language
from copilot.errors import UsageError

if TYPE_CHECKING:
    from copilot.config import Config
    from copilot.model.provider import Provider

app = typer.Typer(help="Endpoints that may be asked.", no_args_is_help=True, rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The provider's name.")]
Base = Annotated[str, typer.Option("--base-url", metavar="URL", help="As you have it; what answers is stored.")]
ModelId = Annotated[str | None, typer.Option("--model", metavar="ID", help="Left out: the endpoint's only model.")]
EnvKey = Annotated[str | None, typer.Option("--env-key", metavar="VAR", help="The variable that holds the key.")]
Wire = Annotated[Literal["chat", "responses"], typer.Option(help="The protocol.")]
NoKey = Annotated[bool, typer.Option("--no-key", help="The endpoint wants no key: do not ask for one.")]
Default = Annotated[bool, typer.Option("--default", help="Use it where no provider is named.")]
NoProbe = Annotated[bool, typer.Option("--no-probe", help="Store the address as typed, send nothing.")]
Insecure = Annotated[bool, typer.Option("--allow-insecure", help="Plain http to a public host.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="Codex's config.toml, or a .env.")]


@app.command()
def add(  # noqa: PLR0913 - one parameter per option
    name: Name,
    *,
    base_url: Base,
    model: ModelId = None,
    env_key: EnvKey = None,
    wire_api: Wire = "chat",
    no_key: NoKey = False,
    default: Default = False,
    no_probe: NoProbe = False,
    allow_insecure: Insecure = False,
    lang: Lang = None,
) -> int:
    """Describe an endpoint, and store its key in the keyring (typed hidden, or from standard input)."""
    from copilot import places
    from copilot.config import provider as validated
    from copilot.providers.address import check_plain

    chosen, file = language(lang), places.config_file()
    table: dict[str, object] = {"base_url": base_url, "model": model, "env_key": env_key, "wire_api": wire_api}
    table |= {"allow_insecure": True} if allow_insecure else {}
    made = validated(_plain(name), {k: v for k, v in table.items() if v is not None}, "the command line")
    check_plain(made.base_url, allowed=allow_insecure)
    key = None if env_key or no_key else _typed_key(name, chosen)
    if not no_probe:
        made = made.model_copy(update={"base_url": _probed(made, key, chosen)})
    _store(made, key, file)
    if default:
        from copilot.providers.editing import set_default

        set_default(file, name)
    _say("provider.added", chosen, name=name, path=file)
    _say("provider.default" if default else "provider.use", chosen, name=name)
    return 0


def _plain(name: str) -> str:
    """A name that stands in TOML, in commands and in the keyring."""
    from copilot.providers.choice import ENVIRONMENT, PLAYBOOK

    if name in (PLAYBOOK, ENVIRONMENT) or not name.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise UsageError(f"{name!r} cannot be a provider's name.", "Use letters, digits, - and _; playbook is taken.")
    return name


def _typed_key(name: str, lang: LangCode) -> str | None:
    """The key: hidden on a terminal, the first line of standard input elsewhere."""
    import getpass

    from copilot.text.providers import WORDS

    if sys.stdin.isatty():
        return getpass.getpass(WORDS["provider.key"].fill(name=name).in_(lang)).strip() or None
    return sys.stdin.readline().strip() or None


def _probed(provider: "Provider", key: str | None, lang: LangCode) -> str:
    """The address that answers, said where it differs from the typed one."""
    import os

    from copilot.connect import answering_base
    from copilot.providers.choice import headers

    sent = key or (os.environ.get(provider.env_key) if provider.env_key else None)
    base = answering_base(provider, sent, headers(provider, os.environ))
    if base is None:
        _say("provider.silent", lang, base=provider.base_url, name=provider.name)
        return provider.base_url
    if base != provider.base_url:
        _say("provider.probed", lang, base=base)
    return base


def _store(provider: "Provider", key: str | None, file: Path) -> None:
    """The key first: a keyring that keeps nothing says so before the file is changed."""
    from copilot.adapters.keyring import KeyringVault
    from copilot.providers.choice import vault_name
    from copilot.providers.editing import put

    if key is not None:
        KeyringVault().set(vault_name(provider), key)
    put(file, provider.name, provider.model_dump(exclude={"name", "origins"}, exclude_defaults=True))


@app.command("list")
def list_(*, lang: Lang = None, json: Json = False) -> int:
    """Show the providers, where each is described and where its key is. Keys are never shown."""
    import json as jsons

    from copilot.render.console import visible
    from copilot.text.providers import WORDS

    settings, chosen = _settings(), language(lang)
    rows = [_row(settings, one) for one in settings.providers.values()]
    if json:
        print(jsons.dumps({"schema": "copilot.providers/1", "providers": rows}, ensure_ascii=False, indent=2))
        return 0
    for row in rows:
        mark = "*" if row["default"] else " "
        place = WORDS[f"key.{row['key']}"].fill(name=row["env_key"]).in_(chosen)
        told = (mark, row["name"], row["base_url"], row["model"] or "–", row["wire_api"], place, f"({row['from']})")
        print(visible("  ".join(str(cell) for cell in told)))
    if not rows:
        print(WORDS["provider.none"].in_(chosen))
    return 0


def _row(settings: "Config", provider: "Provider") -> dict[str, object]:
    """One provider, without keys and without header values."""
    import os

    from copilot.adapters.keyring import KeyringVault
    from copilot.providers.choice import vault_name

    stored = KeyringVault().get(vault_name(provider)) is not None
    place = "keyring" if stored else "none"
    if provider.env_key:
        place = "variable" if os.environ.get(provider.env_key) else place if stored else "unset"
    return {
        "name": provider.name,
        "base_url": provider.base_url,
        "model": provider.model,
        "wire_api": provider.wire_api,
        "key": place,
        "env_key": provider.env_key,
        "headers": sorted({*provider.http_headers, *provider.env_http_headers}),
        "default": settings.default == provider.name,
        "from": provider.origins.get("base_url"),
    }


@app.command("test")
def try_(name: Name, *, model: ModelId = None, lang: Lang = None, json: Json = False) -> int:
    """Walk the chain to this provider and list its models; ends with 4 when a link is broken."""
    from copilot.cli.check import run_and_print

    return run_and_print(provider=name, model=model, lang=language(lang), json=json, exit_code=True)


@app.command()
def remove(name: Name, *, lang: Lang = None) -> int:
    """Remove a provider and its key from the keyring."""
    from copilot import places
    from copilot.adapters.keyring import KeyringVault
    from copilot.providers.choice import vault_name
    from copilot.providers.editing import remove as forget

    found = _settings().providers.get(name)
    forget(places.config_file(), name)
    if found is not None:
        KeyringVault().delete(vault_name(found))
    _say("provider.removed", language(lang), name=name)
    return 0


@app.command("import")
def import_(file: File, *, lang: Lang = None) -> int:
    """Take over the endpoints of a Codex config.toml or a .env. Keys stay where they are."""
    from copilot import places
    from copilot.providers.editing import put
    from copilot.providers.imports import providers_of, read_client_file

    chosen, place = language(lang), places.config_file()
    for found in providers_of(read_client_file(file)):
        put(place, found.name, found.model_dump(exclude={"name", "origins"}, exclude_defaults=True))
        _say("provider.added", chosen, name=found.name, path=place)
        if found.env_key:
            _say("imported.key", chosen, name=found.name, variable=found.env_key)
    return 0


def _settings() -> "Config":
    """The configuration of this person and this folder."""
    import os

    from copilot import config, places

    return config.load(os.environ, Path.cwd(), places.config_file())


def _say(key: str, lang: LangCode, **values: object) -> None:
    """One sentence for the person."""
    from copilot.render.console import visible
    from copilot.text.providers import WORDS

    print(visible(WORDS[key].fill(**values).in_(lang)))
