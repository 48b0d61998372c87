"""What `copilot fit` starts from: the model's shape and the card, by name, by file or as this machine has them."""

import json
from dataclasses import dataclass, replace
from pathlib import PurePath

from copilot.collect.gpu import read_gpus
from copilot.collect.modelconfig import read_config
from copilot.errors import NothingCollected, UsageError
from copilot.ledger import Card, architecture_of
from copilot.ledger.activation import context_gib
from copilot.ledger.cards import card_named
from copilot.model.architecture import Architecture
from copilot.ports import Files, Gpus, Host


@dataclass(frozen=True)
class CardRequest:
    """How the card was given; `name` may be `auto`, a name or a size."""

    name: str | None = None
    total: float | None = None
    free: float | None = None
    wsl: bool = False
    """Whether the engine will run under WSL2."""


@dataclass(frozen=True)
class ModelRequest:
    """How the model was given."""

    model: str | None = None
    """A repository id, an Ollama tag, or a folder."""
    config: str | None = None
    """A config.json, or the folder that holds it."""
    hub: str = ""
    """The hub client's cache on this machine; empty: not looked at."""


@dataclass(frozen=True)
class Shaped:
    """A model's shape, and the commit it was read at where it came from the hub's cache."""

    architecture: Architecture
    revision: str | None = None


def shape_of(files: Files, request: ModelRequest) -> Shaped:
    """The model's shape: from a config.json, a folder that holds one, the hub's cache, or the built-in table.

    UsageError where nothing tells it.
    """
    if request.config is not None:
        return Shaped(_read(files, request.config, request.model))
    if request.model is None:
        raise UsageError("No model was named.", "copilot fit MODEL, or copilot fit --config config.json")
    place = next(
        (path for path in (f"{request.model.rstrip('/')}/config.json", request.model) if files.exists(path)), None
    )
    if place is not None:
        return Shaped(_read(files, place, request.model))
    cached = _cached(files, request.hub, request.model)
    if cached is not None:
        return cached
    known = architecture_of(request.model)
    if known is None:
        raise UsageError(
            f"The shape of {request.model!r} is not known here.",
            "Give its config.json: copilot fit --config config.json",
        )
    return Shaped(known)


def _read(files: Files, path: str, model: str | None) -> Architecture:
    """The shape of a config.json, with the size of the weights that lie beside it."""
    if PurePath(path).suffix != ".json":
        path = f"{path.rstrip('/')}/config.json"
    name = model or PurePath(path).parent.name or "model"
    found = read_config(files.read(path).decode("utf-8", "replace"), name)
    if found is None:
        raise UsageError(f"{files.show(path)} is no config.json of a language model.", "Give the model's own file.")
    size = _weight_bytes(files, str(PurePath(path).parent / "model.safetensors.index.json"))
    return found.model_copy(update={"weight_bytes": size}) if size else found


def _weight_bytes(files: Files, index: str) -> int | None:
    """The total that the index of a sharded checkpoint states."""
    if not files.exists(index):
        return None
    try:
        total = json.loads(files.read(index)).get("metadata", {}).get("total_size")
    except (ValueError, AttributeError):
        return None
    return int(total) if isinstance(total, int | float) and total > 0 else None


def _cached(files: Files, hub: str, model: str) -> Shaped | None:
    """The model as the hub client downloaded it: `models--OWNER--NAME/snapshots/COMMIT/config.json`."""
    folder = f"{hub}/models--{model.replace('/', '--')}"
    if not hub or model.count("/") != 1 or not files.exists(f"{folder}/refs/main"):
        return None
    revision = files.read(f"{folder}/refs/main").decode("utf-8", "replace").strip()
    place = f"{folder}/snapshots/{revision}/config.json"
    return Shaped(_read(files, place, model), revision) if files.exists(place) else None


def card_of(request: CardRequest, gpus: Gpus, host: Host) -> Card:
    """The card: figures given win over a name, a name over the GPU of this machine, which knows whether it is WSL2."""
    if request.total is not None:
        named = _named(request.name)
        name, capability = (named.name, named.compute_capability) if named else ("", None)
        return Card(request.total, request.free, name, capability, wsl=request.wsl)
    if request.name is not None and request.name != "auto":
        return replace(card_named(request.name), free=request.free, wsl=request.wsl)
    return replace(_own(gpus), wsl=request.wsl or json.loads(host.read()).get("system") == "wsl2")


def _named(name: str | None) -> Card | None:
    return card_named(name) if name and name != "auto" else None


_NAME_ONE = "Name a card: --gpu 'RTX 3090', or a size: --gpu 8GiB."


def _own(gpus: Gpus) -> Card:
    try:
        report = read_gpus(gpus.read())
    except NothingCollected as error:
        raise NothingCollected(error.message, _NAME_ONE) from error
    if not report.gpus:
        raise NothingCollected(f"No GPU could be read: {report.problem}.", _NAME_ONE)
    gpu = report.gpus[0]
    try:
        total = min(gpu.total_mib / 1024, card_named(gpu.name).total)
    except UsageError:
        total = gpu.total_mib / 1024
    card = Card(total, None, gpu.name, gpu.compute_capability, count=len(report.gpus))
    if gpu.free_mib is None:
        return card
    return replace(card, free=min(total, gpu.free_mib / 1024) - context_gib(card))
