"""Collect and redact, in one node: what a node returns can be stored, so nothing raw may leave this file."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from copilot.collect import read_command, read_gpus, read_host, read_inspect
from copilot.collect.modelconfig import read_config
from copilot.compose import read_all
from copilot.errors import CopilotError, NothingCollected
from copilot.ledger import architecture_of
from copilot.logs import clean
from copilot.model.architecture import Architecture
from copilot.model.evidence import ContainerFacts, Evidence, HostFacts, Service, Setting, SourceText
from copilot.model.request import Sources
from copilot.model.text import RedactedText
from copilot.model.words import SourceName
from copilot.redaction import Redactor
from copilot.workflow.raw import RawBundle, RawTextOf, collect
from copilot.workflow.state import Ports, State


def gather(ports: Ports, state: State) -> State:
    """Read every source of this round and give back redacted evidence.

    Raises NothingCollected when no source gave anything, UsageError for an input that cannot be read.
    """
    sources = state["sources"]
    bundle = collect(ports, sources)
    if not bundle.texts:
        raise NothingCollected(_nothing(bundle.left_out), "Name a log with --log FILE, or a container.")
    redactor = Redactor(known=ports.secrets, state=state.get("redactor"))
    evidence = redacted(bundle, sources, redactor)
    return {
        "round": state.get("round", 0) + 1,
        "evidence": evidence,
        "previous": state.get("evidence"),
        "redactor": redactor.state(),
    }


def _nothing(left_out: Iterable[str]) -> str:
    """One sentence on why nothing was collected."""
    reasons = "; ".join(left_out)
    return f"Nothing could be collected: {reasons}." if reasons else "Nothing could be collected."


@dataclass
class _Read:
    """Evidence in the making, from redacted texts only."""

    texts: list[SourceText] = field(default_factory=list)
    settings: list[Setting] = field(default_factory=list)
    container: ContainerFacts | None = None
    service: Service = field(default_factory=Service)
    resolved: RedactedText | None = None
    image: str | None = None
    notes: list[str] = field(default_factory=list)


def redacted(bundle: RawBundle, sources: Sources, redactor: Redactor) -> Evidence:
    """The bundle without its secrets, read into evidence."""
    redactor.learn(bundle.secrets)
    # The texts with structure (.env, compose, inspect) go first: a value found there is then known in the log as well.
    ordered = sorted(bundle.texts, key=lambda raw: raw.source == "log")
    clean_texts = {id(raw): RedactedText(redactor.redact(_readable(raw)).text) for raw in ordered}
    read = _Read()
    for raw in bundle.texts:
        read.texts.append(SourceText(source=raw.source, file=raw.file, text=clean_texts[id(raw)]))
    _structure(read, bundle, sources, redactor)
    return _evidence(read, bundle, sources, redactor)


def _evidence(read: _Read, bundle: RawBundle, sources: Sources, redactor: Redactor) -> Evidence:
    """What was read, as one value."""
    service = read.service.model_copy(
        update={
            "settings": (*read.service.settings, *read.settings),
            "image": read.service.image or read.image,
            "notes": (*read.service.notes, *read.notes),
        }
    )
    gpu = _first(read.texts, "gpu")
    return Evidence(
        texts=tuple(read.texts),
        engine=sources.engine or bundle.engine,
        image=sources.image or bundle.image or (read.container.image if read.container else None) or service.image,
        version_option=bundle.version,
        service=service,
        resolved=_of_service(read.resolved, service.name),
        container=read.container,
        gpu=read_gpus(gpu.text) if gpu else None,
        host=_host(bundle, redactor),
        architecture=bundle.architecture or _architecture(bundle, service),
        redactions=dict(redactor.found),
        left_out=tuple(redactor.redact(reason).text for reason in bundle.left_out),
    )


def _of_service(resolved: RedactedText | None, name: str | None) -> RedactedText | None:
    """The one service of a resolved project: the others are nobody's business."""
    if resolved is None:
        return None
    try:
        one = json.loads(resolved)["services"][name]
    except (json.JSONDecodeError, KeyError, TypeError):
        return None
    return RedactedText(json.dumps({"services": {name: one}}, ensure_ascii=False, indent=1))


def _readable(raw: RawTextOf) -> str:
    """Log text loses its control characters before anything else; other sources keep their bytes."""
    return clean(raw.text) if raw.source in ("log", "request") else raw.text


def _first(texts: Iterable[SourceText], source: SourceName) -> SourceText | None:
    """The first text of a source that is no side file."""
    return next((text for text in texts if text.source == source), None)


def _structure(read: _Read, bundle: RawBundle, sources: Sources, redactor: Redactor) -> None:
    """Read the structured sources out of their redacted texts."""
    for text in tuple(read.texts):
        if text.source == "inspect":
            inspect = read_inspect(text.text)
            read.container = inspect.facts
            read.settings.extend(inspect.settings)
        elif text.source == "command":
            command = read_command(text.text, sources.engine or bundle.engine, None)
            read.settings.extend(command.settings)
            read.image = read.image or command.image
    compose = [text for text in read.texts if text.source == "compose" and not text.file.endswith(".env")]
    if not compose:
        return
    env = _env(text.text for text in read.texts if text.source == "compose" and text.file.endswith(".env"))
    read.resolved = redactor.redact(bundle.resolved).text if bundle.resolved else None
    service = sources.service or bundle.service or (read.container.compose_service if read.container else None)
    read.service = read_all([(text.file, text.text) for text in compose], service, env, read.resolved)


def _env(texts: Iterable[str]) -> dict[str, str]:
    """`NAME=value` lines of redacted .env files."""
    found: dict[str, str] = {}
    for text in texts:
        for line in text.split("\n"):
            name, separator, value = line.strip().removeprefix("export ").partition("=")
            if separator and not name.startswith("#"):
                found[name.strip()] = value.strip().strip("'\"")
    return found


def _host(bundle: RawBundle, redactor: Redactor) -> HostFacts:
    """Facts of the host; an unreadable file is left out, it is never decisive."""
    if not bundle.host:
        return HostFacts()
    try:
        return read_host(redactor.redact(bundle.host).text)
    except (CopilotError, json.JSONDecodeError):
        return HostFacts()


def _architecture(bundle: RawBundle, service: Service) -> Architecture | None:
    """From a config.json at hand, else from the shipped table by the model's name."""
    named = service.effective("--model")
    name = named.value if named and named.value else ""
    if bundle.model_config:
        return read_config(bundle.model_config, name or "model")
    return architecture_of(name) if name else None
