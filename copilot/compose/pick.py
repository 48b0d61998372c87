"""Which service of a file runs the engine."""

from collections.abc import Mapping

from copilot.compose.command import words
from copilot.compose.document import Document, Entry, entries, is_mapping, scalar
from copilot.compose.interpolate import fill
from copilot.errors import UsageError
from copilot.model.programs import engine_of_image, engine_of_program

_HINT = "Name one with --service."


def pick(document: Document, named: str | None, env: Mapping[str, str]) -> str:
    """The named service, or the one that runs a known engine.

    UsageError where it is not there, or where several could be meant by none.
    """
    services = document.services
    if not services:
        message = f"{document.file} has no services."
        raise UsageError(message, "Name the compose file with --compose.")
    known = ", ".join(services)
    if named is not None:
        if named in services:
            return named
        message = f"{document.file} has no service {named}; it has {known}."
        raise UsageError(message, _HINT)
    running = [name for name in services if engine_of(document, name, env)]
    if running:
        # one behind a profile starts only when asked for
        plain = [name for name in running if "profiles" not in service_entries(document, name)]
        return (plain or running)[0]
    if len(services) == 1:
        return next(iter(services))
    message = f"No service of {document.file} runs vLLM or Ollama; it has {known}."
    raise UsageError(message, _HINT)


def service_entries(document: Document, name: str) -> dict[str, Entry]:
    """The entries of a service, those of a base in the same file (`extends`) included."""
    return _extended(document, name, ())


def _extended(document: Document, name: str, seen: tuple[str, ...]) -> dict[str, Entry]:
    entry = document.services.get(name)
    own = entries(entry.value) if entry else {}
    base = own.get("extends")
    if base is None or name in seen:
        return own
    target = entries(base.value) if is_mapping(base.value) else {}
    parent = scalar(target["service"].value) if "service" in target else scalar(base.value)
    if parent is None or "file" in target:
        return own
    inherited = _extended(document, parent, (*seen, name))
    rest = {k: Entry(e.key, e.key_node, e.value, inherited=True) for k, e in inherited.items() if k not in own}
    return own | rest


def engine_of(document: Document, name: str, env: Mapping[str, str]) -> str | None:
    """The engine that a service runs, by its image, entrypoint or command."""
    own = service_entries(document, name)
    image = scalar(own["image"].value) if "image" in own else None
    found = engine_of_image(fill(image, env).value) if image else None
    if found:
        return found
    said = [w.token.text for key in ("entrypoint", "command") for w in words(document, own.get(key), env)]
    return engine_of_program(said)
