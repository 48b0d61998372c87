"""Read a collected folder: a case, a session's record, or one of their rounds (contract §5)."""

import tomllib
from typing import Protocol

from copilot.errors import UsageError
from copilot.logs import decode
from copilot.model.architecture import Architecture
from copilot.model.words import SourceName
from copilot.ports import Files

LOGS = ("server.log", "log.txt")
COMPOSE = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
COMMANDS = ("command.txt", "launch.txt")
GPUS = ("gpus.csv", "gpus.txt", "gpus.xml", "nvidia-smi.txt")


class Bundle(Protocol):
    """The part of the raw bundle that a folder fills."""

    engine: str | None
    version: str | None
    image: str | None
    service: str | None
    host: str
    model_config: str
    architecture: Architecture | None
    resolved: str | None

    def add(self, source: SourceName, file: str, text: str) -> None:
        """Keep a text."""
        ...


def read_folder(files: Files, directory: str, bundle: Bundle) -> None:
    """Fill the bundle from a folder; UsageError when it holds nothing of the format."""
    root = directory.rstrip("/") or "/"
    base = root
    if files.exists(f"{root}/case.toml"):
        _case(decode(files.read(f"{root}/case.toml")), root, bundle)
        base = f"{root}/round-1"
    elif any(files.exists(f"{root}/round-1/{name}") for name in (*LOGS, "inspect.json", *COMMANDS)):
        base = f"{root}/round-1"
    elif files.exists(f"{root}/../case.toml"):
        _case(decode(files.read(f"{root}/../case.toml")), root, bundle)
    if not _round(files, base, bundle):
        raise UsageError(
            f"{files.show(directory)} holds no server.log and nothing else of a collected folder.",
            "Give the folder that `copilot collect -o DIR` wrote, or a case's round.",
        )


def _case(text: str, name: str, bundle: Bundle) -> None:
    """Engine, version and image of a case file; `expect` is never read here."""
    try:
        case = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"case.toml of {name} is not valid TOML: {error}.", "Mend the file.") from error
    engine = case.get("engine")
    bundle.engine = bundle.engine or (engine if engine in ("vllm", "ollama") else None)
    version = str(case.get("version") or "")
    if version[:1].isdigit() and version.replace(".", "").replace("post", "").isalnum() and " " not in version:
        bundle.version = bundle.version or version
    bundle.image = bundle.image or (case.get("image") or None)
    bundle.service = bundle.service or (case.get("service") or None)


def _round(files: Files, base: str, bundle: Bundle) -> bool:
    """Read one round's files; whether there was any."""
    groups: tuple[tuple[SourceName, tuple[str, ...]], ...] = (
        ("log", LOGS),
        ("compose", COMPOSE),
        ("command", COMMANDS),
        ("inspect", ("inspect.json",)),
        ("gpu", GPUS),
        ("request", ("request.txt",)),
    )
    seen = False
    for source, names in groups:
        for name in names:
            if files.exists(f"{base}/{name}"):
                bundle.add(source, name, decode(files.read(f"{base}/{name}")))
                seen = True
    seen = _composes(files, base, bundle) or seen
    if files.exists(f"{base}/host.json"):
        bundle.host = decode(files.read(f"{base}/host.json"))
    if files.exists(f"{base}/architecture.json"):
        bundle.architecture = Architecture.model_validate_json(files.read(f"{base}/architecture.json"))
    if files.exists(f"{base}/compose/resolved.json"):
        bundle.resolved = decode(files.read(f"{base}/compose/resolved.json"))
    if files.exists(f"{base}/model.json"):
        bundle.model_config = decode(files.read(f"{base}/model.json"))
    return seen


def _composes(files: Files, base: str, bundle: Bundle) -> bool:
    """The files of `compose/` in their order, by the names that they had where they were collected."""
    names = [(name, name) for name in COMPOSE]
    if files.exists(f"{base}/compose/order.txt"):
        lines = decode(files.read(f"{base}/compose/order.txt")).splitlines()
        names = [(stored, shown) for stored, _, shown in (line.partition("\t") for line in lines) if shown]
    elif files.exists(f"{base}/.env"):
        names.append((".env", ".env"))
    seen = False
    for stored, shown in names:
        env = shown.endswith(".env")
        path = f"{base}/.env" if env else f"{base}/compose/{stored.rpartition('/')[2]}"
        if files.exists(path):
            bundle.add("compose", shown, decode(files.read(path)))
            seen = seen or not env
    return seen
