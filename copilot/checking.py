"""`copilot check` put together: what is wanted, which links are walked, and with what. Part of the composition root."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from copilot.adapters.probe import Http
from copilot.chain import api, client, engine, links, local, proxies, tls
from copilot.chain.links import Broken, Found, Step
from copilot.config import Config
from copilot.errors import CopilotError
from copilot.model.check import CheckDocument, LinkName
from copilot.model.provider import Provider, WireApi
from copilot.model.text import Lang, Text
from copilot.ports import Containers, MemoryVault, Vault
from copilot.providers.address import normalise
from copilot.providers.choice import choose_provider
from copilot.providers.imports import providers_of, read_client_file

OPENAI = "https://api.openai.com/v1"
"""Whose key OPENAI_API_KEY is where no other base URL is named."""
SECONDS = 30.0
"""Limit of one request: a small local model answers a short question within it, once it is loaded."""
_MARKS = ("/.dockerenv", "/run/.containerenv")


@dataclass(frozen=True)
class Asked:
    """What the options of `copilot check` come to."""

    lang: Lang = "en"
    provider: str | None = None
    model: str | None = None
    base_url: str | None = None
    wire_api: WireApi | None = None
    container: str | None = None
    client_config: Path | None = None
    seconds: float = SECONDS


def inside() -> bool:
    """Whether this program runs in a container, where localhost is not the host."""
    return any(Path(mark).exists() for mark in _MARKS)


@dataclass(frozen=True)
class Tools:
    """What the links may use."""

    config: Config
    environ: Mapping[str, str]
    vault: Vault
    containers: Containers | None = None
    in_container: bool = field(default_factory=inside)


def check(asked: Asked, tools: Tools) -> CheckDocument:
    """Walk the links that apply. UsageError for a provider nobody configured and for files that cannot be read."""
    found = Found(
        environ=tools.environ,
        lang=asked.lang,
        http=Http(asked.seconds),
        containers=tools.containers,
        in_container=tools.in_container,
    )
    before: list[tuple[LinkName, Step]] = []
    if asked.client_config is not None:
        before.append(("client-config", _client(asked, asked.client_config, tools, found)))
    else:
        found.provider = _chosen(asked, tools)
    if asked.container is not None and tools.containers is not None:
        found.container = tools.containers.read(asked.container, 5)
        if found.provider is None:
            base = engine.base_of(found.container) or "http://127.0.0.1:8000/v1"
            found.provider = Provider(name=found.container.name, base_url=base, model=asked.model)
    walked = [] if before and found.provider is None else _steps(found, tools)
    return links.run([*before, *walked], found)


def ask_server(container: str, containers: Containers, lang: Lang) -> CheckDocument:
    """Whether the server in a container of this machine answers a chat; no configured provider is involved."""
    nothing = Tools(Config(), {}, MemoryVault(), containers)
    return check(Asked(lang=lang, container=container), nothing)


def _chosen(asked: Asked, tools: Tools) -> Provider | None:
    """The provider that is meant: an address given here, or the one of the configuration."""
    if asked.base_url is not None:
        made = Provider(name="option", base_url=normalise(asked.base_url), model=asked.model)
        made = made.model_copy(update={"env_key": _own_key(made.base_url, tools.environ)})
    else:
        chosen = choose_provider(tools.config, tools.environ, asked.provider, asked.model)
        if chosen is None:
            return None
        made = chosen
    return made.model_copy(update={"wire_api": asked.wire_api}) if asked.wire_api else made


def _own_key(base_url: str, environ: Mapping[str, str]) -> str | None:
    """The name of the environment's key where it belongs to this host; a key is sent to no other."""
    owner = normalise(environ.get("OPENAI_BASE_URL") or OPENAI)
    same = urlsplit(owner).netloc == urlsplit(base_url).netloc
    return "OPENAI_API_KEY" if same and environ.get("OPENAI_API_KEY") else None


def _steps(found: Found, tools: Tools) -> list[tuple[LinkName, Step]]:
    """The links in order; without a provider only the first."""
    first: list[tuple[LinkName, Step]] = [("configuration", local.configuration)]
    if found.provider is None:
        return first
    behind: list[tuple[LinkName, Step]] = [("container", engine.container), ("port", engine.port)]
    rest: list[tuple[LinkName, Step]] = [
        ("key", partial(local.key_link, tools.vault)),
        ("proxy", proxies.proxy),
        ("name", local.name),
        ("tcp", local.tcp),
        ("tls", tls.tls),
        ("path", api.path),
        ("auth", api.auth),
        ("model", api.model),
        ("completion", api.completion),
        ("stream", api.stream),
        ("health", engine.health),
    ]
    return [*first, *behind, *rest]


def _client(asked: Asked, file: Path, tools: Tools, found: Found) -> Step:
    """The link of a client's own configuration; what it says is then checked like our own."""
    content = read_client_file(file)
    variables = {str(k): str(v) for k, v in content.content.items()} if content.kind == "env" else {}
    environ = {**tools.environ, **variables}
    found.environ = environ
    found.codex = content.kind == "codex"
    faults = client.faults_of(content, environ)
    try:
        provider = providers_of(content)[0]
    except CopilotError:
        if not faults:
            raise
    else:
        own: WireApi = "responses" if found.codex else provider.wire_api
        changes = {"model": asked.model or provider.model, "wire_api": asked.wire_api or own}
        found.provider = provider.model_copy(update=changes)

    def judge(found: Found) -> Broken | Text:
        grave = [one for one in faults if not one.warning]
        found.warnings += [("client-config", one) for one in faults if one.warning]
        found.warnings += [("client-config", replace(one, warning=True)) for one in grave[1:]]
        return grave[0] if grave else Text(en=f"{file.name} holds no known error", zh=f"{file.name} 中没有已知错误")

    return judge
