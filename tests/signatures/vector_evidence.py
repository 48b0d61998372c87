"""Builds the evidence that a test vector describes, through the same readers as the product."""

from typing import Any

from copilot.model.evidence import (
    ContainerFacts,
    Evidence,
    Gpu,
    GpuReport,
    HostFacts,
    Service,
    Setting,
    SourceText,
)
from copilot.model.log import Boot, Line, Log
from copilot.model.text import RedactedText
from copilot.signatures import Facts
from copilot.signatures.signature import Signature, Vector

SOURCES = ("compose", "command", "inspect", "gpu", "request")


def facts_of(vector: Vector, signature: Signature) -> Facts:
    """The vector as evidence of the signature's engine."""
    engine = signature.folder if signature.folder in ("vllm", "ollama") else next(iter(signature.engine), None)
    evidence = _evidence(vector, engine)
    log, read = _read(vector, engine)
    return Facts(evidence, log, read)


def _evidence(vector: Vector, engine: str | None) -> Evidence:
    texts = [SourceText(source="log", file="server.log", text=RedactedText(vector.text))] if vector.text else []
    texts += [
        SourceText(source=name, file=name, text=RedactedText(getattr(vector, name)))
        for name in SOURCES
        if getattr(vector, name)
    ]
    written = [Setting(parameter=p, value=v, source="compose") for p, v in vector.settings.items()]
    inside = [Setting(parameter=p, value=v, source="inspect") for p, v in vector.inspected.items()]
    given: dict[str, Any] = dict(vector.facts)
    report = {"driver": "driver", "cuda": "cuda", "problem": "gpu_problem"}
    gpu = {name: given.pop(key) for name, key in report.items() if key in given}
    card = {k: given.pop(k) for k in ("compute_capability", "free_mib", "total_mib") if k in given}
    count = given.pop("gpu_count", 1 if card else 0)
    cards = [Gpu(**{"index": i, "name": "GPU", "total_mib": 8192, **card}) for i in range(count)]
    host = {k: given.pop(k) for k in tuple(given) if k in HostFacts.model_fields}
    if given.pop("wsl", False):
        host["system"] = "wsl2"
    if "state_error" in given:
        given["error"] = given.pop("state_error")
    image = given.pop("image", None)
    container = ContainerFacts(**given) if given.pop("inspected", False) or given or inside else None
    return Evidence(
        texts=tuple(texts),
        engine=engine,
        image=image,
        version_option=vector.version,
        service=Service(image=image, settings=(*written, *inside)),
        container=container,
        gpu=GpuReport(gpus=tuple(cards), **gpu) if cards or gpu else None,
        host=HostFacts(**host),
    )


def _read(vector: Vector, engine: str | None) -> tuple[Log, Any]:
    try:
        from copilot.engines import read
        from copilot.logs import parse
    except ImportError:
        return _plain(vector, engine)
    log = parse(vector.text)
    facts = read(log, engine, None, vector.version)
    return Log(log.lines, facts.boots, log.service), facts


def _plain(vector: Vector, engine: str | None) -> tuple[Log, Any]:
    from types import SimpleNamespace

    lines = tuple(Line(n, t, t) for n, t in enumerate(vector.text.split("\n"), 1))
    boots = (Boot(0, 1, len(lines)),)
    read = SimpleNamespace(name=engine, version=vector.version, settings=(), wsl=None, gpu_name=None, model=None)
    read.healthy, read.failed, read.capability = False, True, None
    read.readings = SimpleNamespace(values={}, lines={})
    return Log(lines, boots), read
