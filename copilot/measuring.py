"""`copilot measure` put together: which server, what runs there, the load, the record. Part of the composition root."""

import datetime as dt
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from copilot import ledger as ledgers
from copilot import measure, places
from copilot.adapters.probe import Http, NoAnswer, is_api
from copilot.connect import Connections, open_endpoint
from copilot.errors import UsageError
from copilot.model.evidence import Evidence, Service
from copilot.model.measurement import GpuUse, Measurement, Shape, Surroundings
from copilot.model.provider import Provider
from copilot.model.text import Lang
from copilot.ports import GpuSample, Sampler, Sender, Vault
from copilot.providers.address import normalise
from copilot.providers.endpoint import Endpoint
from copilot.redaction import redact

USUAL = ("http://127.0.0.1:8000/v1", "http://127.0.0.1:11434/v1", "http://127.0.0.1:8080/v1")
"""Where vLLM, Ollama and llama.cpp's server listen unless told otherwise."""
SECONDS = 5.0
"""Limit of one look at the server before the load."""
_BLOCKS = re.compile(r'vllm:cache_config_info\{[^}]*block_size="(?P<size>\d+)"[^}]*num_gpu_blocks="(?P<count>\d+)"')


@dataclass(frozen=True)
class Target:
    """The server to measure, and what is known of it from outside."""

    endpoint: Endpoint
    evidence: Evidence | None = None
    """Of its container or session: settings, image, GPU."""
    session: str | None = None


@dataclass(frozen=True)
class Access:
    """How the server is reached."""

    base_url: str | None = None
    model: str | None = None
    env_key: str | None = None
    environ: Mapping[str, str] = field(default_factory=dict)
    allow_insecure: bool = False


def store() -> measure.Store:
    """The measurements of this user."""
    return measure.Store(places.data_folder() / "measurements")


def open_target(access: Access, vault: Vault, evidence: Evidence | None = None, session: str | None = None) -> Target:
    """The server named, or the one that answers at the usual ports of this machine.

    UsageError where none answers or the model has to be named; the kinds of ProviderError where it refuses.
    """
    base = _answering([normalise(access.base_url)] if access.base_url else list(USUAL))
    provider = Provider(
        name=base,
        base_url=base,
        model=access.model,
        env_key=access.env_key,
        allow_insecure=access.allow_insecure,
    )
    shared = Connections(environ=access.environ, vault=vault)
    return Target(open_endpoint(provider, shared), evidence, session)


def _answering(bases: Sequence[str]) -> str:
    """The first base URL whose list of models answers, with `/v1` added where that is what is missing."""
    http = Http(SECONDS)
    for base in bases:
        for url in (base, f"{base}/v1") if not base.endswith("/v1") else (base,):
            try:
                if is_api(http.get(f"{url}/models")):
                    return url
            except NoAnswer:
                break
    tried = ", ".join(bases)
    raise UsageError(f"No server answers at {tried}.", "Start it, or name it: --base-url http://HOST:PORT/v1.")


def record(target: Target, shape: Shape, run: "Running") -> Measurement:
    """Load the server and make the record of it; Ctrl-C leaves a record of what was measured."""
    with run.sampler as sampler:
        results = measure.run(run.sender, shape, run.progress)
        looks = sampler.samples()
    now = dt.datetime.now(dt.UTC)
    return Measurement(
        id=f"{now:%Y-%m-%d}-{secrets.token_hex(2)}",
        taken=now.isoformat(timespec="seconds"),
        base_url=redact(target.endpoint.provider.base_url).text,
        surroundings=surroundings(target),
        shape=shape,
        phases=results.phases(),
        gpus=gpu_use(looks),
        counted="usage" if results.counted() == "usage" else "pieces",
        complete=results.complete,
        reload_s=results.reload_seconds(),
        session=target.session,
    )


@dataclass(frozen=True)
class Running:
    """What a run uses."""

    sender: Sender
    sampler: Sampler
    progress: measure.Progress


def gpu_use(looks: Sequence[Sequence[GpuSample]]) -> tuple[GpuUse, ...]:
    """Each GPU over all looks: memory before and at most, mean utilisation while the load ran."""
    used = []
    for index, first in enumerate(looks[0] if looks else ()):
        seen = [look[index] for look in looks]
        busy = [sample.utilization for sample in seen[1:] if sample.utilization is not None]
        used.append(
            GpuUse(
                name=first.name,
                total_mib=first.total_mib,
                used_before_mib=first.used_mib,
                used_most_mib=max(sample.used_mib for sample in seen),
                utilization_mean=sum(busy) / len(busy) if busy else None,
            )
        )
    return tuple(used)


def surroundings(target: Target) -> Surroundings:
    """Engine and version as the server tells; image, settings and GPU from the container, where one is known."""
    engine, version = _told(target.endpoint)
    evidence = target.evidence
    service = evidence.service if evidence else Service()
    settings = {s.parameter: "" if s.value is None else s.value for s in service.settings if s.source != "log"}
    return Surroundings(
        engine=engine or (evidence.engine if evidence else None),
        version=version,
        model=redact(target.endpoint.model).text,
        revision=settings.get("--revision"),
        quantization=settings.get("--quantization"),
        image=evidence.image if evidence else None,
        image_digest=evidence.container.image_digest if evidence and evidence.container else None,
        settings=settings,
        driver=evidence.gpu.driver if evidence and evidence.gpu else None,
        system=evidence.host.system if evidence else None,
        kv_tokens=_kv_tokens(target.endpoint),
        kv_tokens_predicted=_predicted(evidence, version),
    )


def _told(endpoint: Endpoint) -> tuple[str | None, str | None]:
    """Engine and version: vLLM's `/version`, Ollama's `/api/version`, llama.cpp's `/props`."""
    for path, engine, key in (
        ("/version", "vllm", "version"),
        ("/api/version", "ollama", "version"),
        ("/props", "llama.cpp", "build_info"),
    ):
        document = _document(endpoint, path)
        if isinstance(document.get(key), str):
            return engine, str(document[key])
    return None, None


def _document(endpoint: Endpoint, path: str) -> dict[str, object]:
    """The JSON object that the server has at a path outside `/v1`; empty where it has none."""
    try:
        document = json.loads(_text(endpoint, path))
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _text(endpoint: Endpoint, path: str) -> str:
    root = endpoint.provider.base_url.removesuffix("/v1")
    try:
        answer = Http(SECONDS).get(f"{root}{path}")
    except NoAnswer:
        return ""
    return answer.body if answer.status == 200 else ""  # noqa: PLR2004 - HTTP's OK


def _kv_tokens(endpoint: Endpoint) -> int | None:
    """Blocks times block size, from vLLM's /metrics."""
    found = _BLOCKS.search(_text(endpoint, "/metrics"))
    return int(found["size"]) * int(found["count"]) if found else None


def _predicted(evidence: Evidence | None, version: str | None) -> int | None:
    """The tokens that the forecast gives these settings on this card, where model and card are known."""
    if evidence is None or evidence.architecture is None or evidence.gpu is None or not evidence.gpu.gpus:
        return None
    gpu = evidence.gpu.gpus[0]
    card = ledgers.Card(gpu.total_mib / 1024, name=gpu.name, compute_capability=gpu.compute_capability)
    found = ledgers.predict(evidence.architecture, card, ledgers.plan_of(evidence.service, version))
    return found.kv_tokens.value


def evidence_of(container: str) -> tuple[Evidence, str | None]:
    """What is known of a container (redacted), and the address under which this machine reaches it."""
    from copilot import app
    from copilot.chain.engine import base_of
    from copilot.cli.retests import Once
    from copilot.model.request import Options, Sources
    from copilot.workflow.gather import gather

    ports = app.ports_for(Once())
    state = gather(ports, {"session": "measure", "options": Options(), "sources": Sources(container=container)})
    return state["evidence"], base_of(ports.containers.read(container, 1))


def write_environment(found: Measurement, evidence: Evidence | None, folder: Path, lang: Lang) -> None:
    """Write the environment into a new or empty folder; UsageError where the container or session is not known."""
    if evidence is None:
        raise UsageError(
            "Only the address of this server is known, not how it was started.",
            "Name its container, or a session: copilot measure CONTAINER --write DIR.",
        )
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty.", "Name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in measure.environment(found, evidence, lang).items():
        (folder / name).write_text(text, encoding="utf-8")
