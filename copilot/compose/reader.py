"""A compose file's service as settings, each with the file and line that sets it."""

from collections.abc import Iterator, Mapping

from copilot.collect.arguments import Where, parse_args
from copilot.collect.shell import join
from copilot.collect.vocabulary import Dialect
from copilot.compose.command import Word, said
from copilot.compose.document import Document, Entry, entries, is_mapping, items, load, scalar
from copilot.compose.interpolate import fill
from copilot.compose.pick import engine_of, pick, service_entries
from copilot.compose.values import container_settings, setting
from copilot.model.evidence import Service, Setting
from copilot.model.text import RedactedText

_NO_VARIABLES: Mapping[str, str] = {}


def read(
    text: RedactedText,
    file: str,
    service: str | None = None,
    env: Mapping[str, str] = _NO_VARIABLES,
    resolved: str | None = None,
) -> Service:
    """The service that runs the engine (or the named one).

    `env` holds the variables of `.env`; `resolved` is the JSON of `docker compose config`, whose values win and whose
    lines are looked up in `text`. UsageError for broken YAML, a bomb, or a service that is not there.
    """
    document = load(text, file)
    name = pick(document, service, env)
    found = service_entries(document, name)
    settings = tuple(_settings(document, name, env))
    notes = tuple(_notes(document, found, env)) if resolved is None else ()
    if resolved is not None:
        settings = resolve(settings, resolved, name)
    image = next((s.value for s in settings if s.parameter == "docker:image"), None)
    return Service(name=name, image=image, settings=settings, compose_file=file, notes=notes)


def _settings(document: Document, name: str, env: Mapping[str, str]) -> Iterator[Setting]:
    found = service_entries(document, name)
    yield from container_settings(document, found, env)
    yield from _environment(document, found.get("environment"), env)
    engine = engine_of(document, name, env)
    spoken: list[Word] = []
    for key, part in said(document, found, env).items():
        spoken.extend(part)
        if part:
            yield setting(document, f"docker:{key}", join([w.token.text for w in part]), found[key])
    where = Where("compose", document.file)
    yield from parse_args([w.token for w in spoken], Dialect(engine), where)


def _environment(document: Document, entry: Entry | None, env: Mapping[str, str]) -> Iterator[Setting]:
    """The variables of a map or a list; one without a value is passed through from the shell or `.env`."""
    if entry is None:
        return
    if is_mapping(entry.value):
        for name, member in entries(entry.value).items():
            value = scalar(member.value)
            filled = env.get(name) if value is None else fill(value, env).value
            yield setting(document, f"env:{name}", filled, member)
    for item in items(entry.value):
        name, equals, value = (scalar(item) or "").partition("=")
        if name:
            filled = fill(value, env).value if equals else env.get(name)
            yield setting(document, f"env:{name}", filled, entry, item)


def _notes(document: Document, found: Mapping[str, Entry], env: Mapping[str, str]) -> Iterator[str]:
    """What this reading could not follow."""
    base = found.get("extends")
    if base is not None and "file" in entries(base.value):
        yield f"extends: {scalar(entries(base.value)['file'].value)} was not followed"
    if "include" in entries(document.root):
        yield "include was not followed"
    files = found.get("env_file")
    if files is not None:
        yield "env_file was not read"
    unset: dict[str, None] = {}
    for entry in found.values():
        for value in _scalars(entry.value, 0):
            filled = fill(value, env)
            unset |= dict.fromkeys(f"variable {u} has no value here" for u in filled.unset)
            unset |= dict.fromkeys(f"variable {r}: compose needs a value" for r in filled.required)
    yield from unset


def _scalars(node: object, depth: int) -> Iterator[str]:
    value = getattr(node, "value", None)
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < 6:  # noqa: PLR2004 - as deep as a service nests
        for member in value:
            for part in member if isinstance(member, tuple) else (member,):
                yield from _scalars(part, depth + 1)


def resolve(written: tuple[Setting, ...], resolved: str, name: str) -> tuple[Setting, ...]:
    """The resolver's values at the lines where the file writes them; what only the resolver has gets no line."""
    document = load(resolved, "")
    if name not in document.services:
        return written
    places: dict[str, list[Setting]] = {}
    for one in written:
        places.setdefault(one.parameter, []).append(one)
    merged: list[Setting] = []
    values = [s for s in _settings(document, name, {}) if s.parameter != "docker:network"]
    for one in values:
        place = places.get(one.parameter, [])
        if one.parameter.startswith("docker:") and place:
            continue  # the resolver spells sizes, ports and paths its own way: what the person wrote is shown
        here = place.pop(0) if place else None
        merged.append(one.model_copy(update={"file": here.file if here else "", "line": here.line if here else 0}))
    return tuple(s for s in written if s.parameter.startswith("docker:")) + tuple(merged)
