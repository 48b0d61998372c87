"""Environment variables: those of the engine, and those of what it is built on."""

import difflib
import re

from copilot.parameters import environment, successors
from copilot.parameters.catalogue import Catalogue, Span
from copilot.parameters.flags import default_of
from copilot.parameters.history import Moment, life, moment
from copilot.parameters.lookup import Lookup
from copilot.parameters.without_effect import effect

_OWN = {"vllm": ("VLLM_",), "ollama": ("OLLAMA_", "LLAMA_ARG_")}
"""What the engine's own variables begin with: a name of this kind that no release reads is unknown."""
_KUBERNETES = re.compile(r"_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP)|_PORT$")
"""Variables that Kubernetes makes from a service's name."""
_CLOSE = 0.82


def find(text: str, held: Catalogue, version: str | None) -> Lookup:
    """Look a variable up: `env:NAME`, `NAME` or `NAME=value`, by its exact name as the engines do."""
    name, equals, value = text.removeprefix("env:").partition("=")
    glued = value if equals else None
    now = moment(held, version)
    table = held.variables if name in held.variables else held.elsewhere
    runs = table.spans(name)
    known = environment.entry(name)
    if runs and not (known and table is held.elsewhere):
        return _own(name, glued, runs, held, now)
    if known and known.serves(held.engine):
        return environment.lookup(known, text, glued)
    return _unknown(name, glued, held, now)


def is_own(name: str, engine: str) -> bool:
    """Whether a variable's name claims to be the engine's own."""
    return name.startswith(_OWN.get(engine, ())) and not _KUBERNETES.search(name)


def _own(name: str, glued: str | None, runs: tuple[Span, ...], held: Catalogue, now: Moment) -> Lookup:
    state = life(runs, held, now)
    place = held.releases.position
    here = [run for run in runs if place(run.since) <= place(now.release)]
    span = here[-1] if here else runs[0]
    release = now.near.version if now.near else None
    parameter = f"env:{name}"
    successor = successors.of(parameter, held.engine, release)
    silent = effect(parameter, release, held)
    gone = successor.note if successor and state.status == "removed" else None
    return Lookup(
        spelled=name,
        parameter=parameter,
        status="ignored" if silent and state.status == "ok" else state.status,
        version=release,
        since=state.since,
        until=state.until,
        default=default_of(span, runs, now),
        type=span.kind,
        choices=(span.texts("choices") or _listed(name, held, now)) if now.near or len(runs) == 1 else (),
        reads_number=span.text("reads") == "int",
        successor=successor.parameter if successor else None,
        note=silent or gone or (now.near.note() if now.near else None),
        value=glued,
        deprecated=bool(span.facts.get("deprecated")) or bool(successor and state.status == "ok"),
        certain=state.certain,
    )


def _listed(name: str, held: Catalogue, now: Moment) -> tuple[str, ...]:
    return held.values("attention_backends", now.release) if name == "VLLM_ATTENTION_BACKEND" else ()


def _unknown(name: str, glued: str | None, held: Catalogue, now: Moment) -> Lookup:
    candidates = [v for v in held.variables if held.variables.at(v, now.release)]
    candidates += [n.removeprefix("env:") for n in environment.names(held.engine)]
    meant = difflib.get_close_matches(name.upper(), candidates, n=3, cutoff=_CLOSE)
    return Lookup(
        spelled=name,
        parameter=None,
        status="unknown",
        version=now.near.version if now.near else None,
        suggestions=tuple(f"env:{m}" for m in meant),
        value=glued,
        certain=is_own(name, held.engine) and not now.beyond,
    )
