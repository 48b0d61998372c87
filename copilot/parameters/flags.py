"""Flags of vLLM: one spelled option in one version."""

import difflib
import json
from collections.abc import Sequence

from copilot.model.text import Text
from copilot.parameters import successors
from copilot.parameters.catalogue import Catalogue, Json, Span
from copilot.parameters.history import Moment, life, moment, spelled
from copilot.parameters.lookup import Lookup
from copilot.parameters.spelling import Spelling, options, read
from copilot.parameters.without_effect import effect

_VALUE_LISTS = {
    "--attention-backend": "attention_backends",
    "--attention-config.backend": "attention_backends",
    "--tool-call-parser": "tool_call_parser",
    "--reasoning-parser": "reasoning_parser",
    "--structured-outputs-config.reasoning_parser": "reasoning_parser",
    "--load-format": "load_format",
    "--quantization": "quantization",
    "--kv-cache-dtype": "kv_cache_dtype",
}
"""Flags whose values the source lists elsewhere than at the flag."""
_CLOSE = 0.75
"""Similarity (difflib) from which a name may be meant."""


def find(text: str, held: Catalogue, version: str | None) -> Lookup:
    """Look an option up as the parser of that version would; Ollama's server has no options to look up."""
    now = moment(held, version)
    if held.engine != "vllm":
        return Lookup(text, None, "unknown", version=_told(now), certain=False)
    option = read(text, now.release)
    if now.near is None:
        option = _in_any_release(option)
    if option.candidates and option.flag not in spelled():
        return _ambiguous(text, option, now)
    if not option.known:
        return _elsewhere(text, option, held, now)
    if option.flag == "--help":
        return Lookup(text, "--help", "ok", version=_told(now), value=option.value)
    return _known(text, option, held, now)


def closest(name: str, release: str, count: int = 3) -> tuple[str, ...]:
    """Options of a release that look like a name, the likeliest first; negations only where nothing else does."""
    table = options(release)
    found = difflib.get_close_matches(name, [o for o in table if o.startswith("--")], n=count, cutoff=_CLOSE)
    return tuple(found)


def written(value: Json) -> str | None:
    """A default as somebody would write it on a command line; None where there is none."""
    if value is None:
        return None
    if isinstance(value, dict) and set(value) == {"expr"}:
        return str(value["expr"])
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)


def default_of(span: Span, runs: Sequence[Span], now: Moment) -> str | None:
    """The default of a run; with an unknown version only where every release has the same."""
    defaults = {written(run.facts.get("default")) for run in runs}
    return written(span.facts.get("default")) if now.near or len(defaults) == 1 else None


def choices_of(parameter: str, runs: Sequence[Span], held: Catalogue, now: Moment) -> tuple[str, ...]:
    """Accepted values of a flag; empty where they are open, not known, or differ and the version is unknown."""
    span = next((run for run in reversed(runs) if _holds(run, held, now)), runs[-1])
    if now.near is None and len({run.texts("choices") for run in runs}) > 1:
        return ()
    listed = _VALUE_LISTS.get(parameter) if now.near else None
    return span.texts("choices") or (held.values(listed, now.release) if listed else ())


def _known(text: str, option: Spelling, held: Catalogue, now: Moment) -> Lookup:
    runs = _runs(option, held, now)
    if not runs:
        return _unknown_key(text, option, held, now)
    span = next((run for run in reversed(runs) if _holds(run, held, now)), runs[-1])
    state = life(runs, held, now)
    silent = effect(option.parameter, now.near.version if now.near else None, held)
    successor = successors.of(option.parameter, "vllm", now.near.version if now.near else None)
    return Lookup(
        spelled=text,
        parameter=option.parameter,
        status="ignored" if silent and state.status == "ok" else state.status,
        version=_told(now),
        since=state.since,
        until=state.until,
        default=default_of(span, runs, now),
        type=span.kind,
        choices=choices_of(option.parameter, runs, held, now),
        successor=successor.parameter if successor else None,
        note=silent or _note(option, now),
        value=option.value,
        deprecated=bool(span.facts.get("deprecated")) or bool(successor and state.status == "ok"),
        certain=state.certain,
    )


def _runs(option: Spelling, held: Catalogue, now: Moment) -> tuple[Span, ...]:
    """The runs of a flag, or of the key of its JSON value; a value without known keys takes any."""
    flag_runs = held.flags.spans(option.flag)
    if not option.key:
        return flag_runs
    span = held.flags.at(option.flag, now.release) or flag_runs[-1]
    runs: tuple[Span, ...] = flag_runs
    for part in option.key.split("."):
        if not span.text("json"):
            return runs
        runs = held.keys.spans(f"{span.text('json')}.{part}")
        if not runs:
            return ()
        span = next((run for run in reversed(runs) if _holds(run, held, now)), runs[-1])
    return runs


def _holds(run: Span, held: Catalogue, now: Moment) -> bool:
    place = held.releases.position
    return place(run.since) <= place(now.release) <= (place(run.until) if run.until else len(held.releases.names))


def _unknown_key(text: str, option: Spelling, held: Catalogue, now: Moment) -> Lookup:
    holder = held.flags.at(option.flag, now.release) or held.flags.spans(option.flag)[-1]
    *outer, last = option.key.split(".")
    prefix = f"{holder.text('json')}."
    known = [key.removeprefix(prefix) for key in held.keys if key.startswith(prefix) and held.keys.at(key, now.release)]
    close = () if outer else difflib.get_close_matches(last.replace("-", "_"), known, n=3, cutoff=_CLOSE)
    meant = tuple(f"{option.flag}.{key}" for key in close)
    return Lookup(
        text, None, "unknown", version=_told(now), suggestions=meant, value=option.value, certain=not now.beyond
    )


def _elsewhere(text: str, option: Spelling, held: Catalogue, now: Moment) -> Lookup:
    """An option that this release does not have: another one may."""
    history = spelled().get(option.flag, [])
    if not history:
        meant = closest(option.flag, now.release)
        certain = now.near is None or not now.beyond
        return Lookup(text, None, "unknown", version=_told(now), suggestions=meant, value=option.value, certain=certain)
    state = life([run for _, run in history], held, now)
    flag, span = history[-1] if state.status == "not_yet" else history[0]
    parameter = f"{flag}.{option.key}" if option.key else flag
    successor = successors.of(option.flag, "vllm", now.near.version if now.near else None)
    return Lookup(
        spelled=text,
        parameter=parameter,
        status=state.status,
        version=_told(now),
        since=state.since,
        until=state.until,
        type=span.kind,
        successor=successor.parameter if successor else None,
        suggestions=closest(option.flag, now.release),
        note=(successor.note if successor else None) or _note(option, now),
        value=option.value,
        certain=state.certain,
    )


def _ambiguous(text: str, option: Spelling, now: Moment) -> Lookup:
    listed = ", ".join(option.candidates)
    note = Text(en=f"{option.flag} could mean: {listed}.", zh=f"{option.flag} 可能指：{listed}。")
    return Lookup(text, None, "ambiguous", version=_told(now), suggestions=option.candidates, note=note)


def _in_any_release(option: Spelling) -> Spelling:
    """With an unknown version: the flag of that very name, else the meaning in the last release that had the option.

    0.33 reads `--disable-log-requests` as a negation; before it was a flag, and in between it was gone.
    """
    history = [flag for flag, _ in spelled().get(option.name, [])]
    if option.name in history and option.flag != option.name:
        return Spelling(option.name, option.key, option.glued, glued=option.glued, name=option.name)
    if option.known or not history:
        return option
    return Spelling(history[-1], option.key, option.value, glued=option.glued, name=option.name)


def _note(option: Spelling, now: Moment) -> Text | None:
    if not option.whole:
        return Text(
            en=f"Accepted as an abbreviation of {option.flag}; write the full name.",
            zh=f"被当作 {option.flag} 的缩写接受；建议写全名。",
        )
    return now.near.note() if now.near else None


def _told(now: Moment) -> str | None:
    return now.near.version if now.near else None
