"""The engines: which one wrote a log, and what that log says about version, start, settings and memory."""

import re
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType

from copilot.engines import ollama, vllm, vllm_memory, vllm_settings
from copilot.engines.facts import EngineFacts
from copilot.logs import decisive
from copilot.logs.symptoms import STOP
from copilot.model.evidence import Setting
from copilot.model.ledger import Readings
from copilot.model.log import Boot, Line, Log
from copilot.model.words import VersionFrom

__all__ = ["EngineFacts", "identify", "read"]

_FAILURES = frozenset({"argparse", "pydantic", "daemon", "exception", "fatal", "signal"})
_TAG = re.compile(r":v?(?P<version>\d+\.\d+(?:\.\d+)*(?:\.?(?:rc|post|dev)\d+)?)(?:[-+][\w.-]+)?(?:@|$)")
_LIFESPAN = re.compile(r'File ".*uvicorn/lifespan/on\.py", line \d+, in receive')
_CANCELLED = re.compile(r"\s*asyncio\.exceptions\.CancelledError\b")
_ENGINES: dict[str, ModuleType] = {vllm.NAME: vllm, ollama.NAME: ollama}


def identify(log: Log, image: str | None, hint: str | None) -> str | None:
    """The engine's name, or None.

    The hint (an option) wins; then lines that only this engine prints; then the image's name; then words of its trade.
    """
    if hint in _ENGINES:
        return hint
    printed = _most_votes(log, {name: engine.IDENTITY for name, engine in _ENGINES.items()})
    named = next((name for name, engine in _ENGINES.items() if image and engine.IMAGE.search(image)), None)
    return printed or named or _most_votes(log, {name: engine.WORDS for name, engine in _ENGINES.items()})


def _most_votes(log: Log, patterns: dict[str, re.Pattern[str]]) -> str | None:
    votes = {name: sum(_speaks_of(line, pattern) for line in log.lines) for name, pattern in patterns.items()}
    best = max(votes, key=lambda name: votes[name])
    return best if votes[best] else None


def _speaks_of(line: Line, pattern: re.Pattern[str]) -> bool:
    return pattern.search(line.text) is not None or (
        line.message != line.text and pattern.match(line.message) is not None
    )


def read(log: Log, engine: str | None, image: str | None, option: str | None) -> EngineFacts:
    """Everything the log says.

    `option` is a version the person named: it wins over the log, the log over the image's tag.
    """
    module = _ENGINES.get(engine or "")
    if module is None:
        origin: VersionFrom | None = "option" if option else None
        return EngineFacts(
            name=engine, boots=log.boots, failed=_broken(log, unclear=True), version=option, version_from=origin
        )
    boots = tuple(_boot(log, boot, module) for boot in log.boots)
    lines = _own(log, boots[-1]) if boots else ()
    facts = _described(_own_all(log), lines, module)
    version, origin = _version(log, module, image, option)
    return _judged(replace(facts, version=version, version_from=origin, boots=boots), log, module)


def _broken(log: Log, *, unclear: bool) -> bool:
    """Whether the last boot holds a failure; `unclear`: words of trouble suffice, nothing says that it came up."""
    kinds = _FAILURES | {"hint", "http"} if unclear else _FAILURES
    first = log.boots[-1].first if log.boots else 1
    return any(one.kind in kinds for one in decisive(log) if one.number >= first)


def _interrupted(lines: Sequence[Line]) -> bool:
    """Whether Ctrl-C (SIGINT) ended the server.

    It reaches every process at once, so the engine dies before the server does, and the web server's own task is
    cancelled. A server whose engine died by itself ends without that.
    """
    waiting = next((n for n, line in enumerate(lines) if _LIFESPAN.search(line.message)), None)
    return waiting is not None and any(_CANCELLED.match(line.message) for line in lines[waiting:])


def _own(log: Log, boot: Boot) -> tuple[Line, ...]:
    lines = log.between(boot)
    return tuple(line for line in lines if log.service is None or line.service in (log.service, None))


def _own_all(log: Log) -> tuple[Line, ...]:
    return tuple(line for line in log.lines if log.service is None or line.service in (log.service, None))


def _boot(log: Log, boot: Boot, engine: ModuleType) -> Boot:
    lines = _own(log, boot)
    ready = any(engine.READY.search(line.message) for line in lines)
    return replace(boot, phase=engine.phase(lines), ready=ready)


def _described(everything: Sequence[Line], lines: tuple[Line, ...], engine: ModuleType) -> EngineFacts:
    """Settings and figures are of the last boot; model and device of the last boot that names them."""
    readings: Readings = (vllm_memory if engine is vllm else ollama).read_memory(lines)
    settings: tuple[Setting, ...] = (vllm_settings if engine is vllm else ollama).read_settings(lines)
    config = vllm_settings.config_values(lines) if engine is vllm else {}
    return EngineFacts(
        name=engine.NAME,
        settings=settings,
        readings=readings,
        model=engine.model(lines) or engine.model(everything),
        architecture_names=engine.architectures(lines) or engine.architectures(everything),
        gpu_name=engine.gpu(everything),
        capability=engine.capability(everything),
        dtype=config.get("dtype"),
        attention_backend=vllm.backend(lines) if engine is vllm else None,
        wsl=vllm.wsl(everything),
    )


def _version(
    log: Log, engine: ModuleType, image: str | None, option: str | None
) -> tuple[str | None, VersionFrom | None]:
    if option:
        return option.removeprefix("v"), "option"
    for boot in reversed(log.boots):
        stated = engine.version(_own(log, boot))
        if stated:
            return stated, "log"
    tag = _TAG.search(image) if image and engine.IMAGE.search(image) else None
    return (tag["version"], "image") if tag else (None, None)


def _judged(facts: EngineFacts, log: Log, engine: ModuleType) -> EngineFacts:
    """Health of the last boot: it served, and nothing ended it but a request to stop."""
    if not facts.boots:
        return facts
    last = facts.boots[-1]
    interrupted = last.ready and _interrupted(_own(log, last))
    answers = [(line.number, found) for line in _own(log, last) if (found := engine.ACCESS.search(line.message))]
    if interrupted:
        answers = [(number, found) for number, found in answers if found["status"] < "500"]
    errors = tuple(number for number, found in answers if found["status"] >= "400")
    posts = [found["status"] for _, found in answers if found["verb"] == "POST"]
    refused = bool(posts) and not any(status < "400" for status in posts)
    alone = bool(errors) and not any(found["status"] < "400" for _, found in answers)
    failed = (_broken(log, unclear=last.phase == "none") and not interrupted) or refused or alone
    stopped = any(STOP.match(line.message) for line in _own(log, last))
    return replace(facts, healthy=(last.ready or stopped) and not failed, failed=failed, request_errors=errors)
