"""Which service of a file runs the engine."""

from collections.abc import Mapping

from copilot.compose.command import said
from copilot.compose.document import MERGE, RESET, Document, Entry, entries, is_mapping, scalar
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
        bases = {_base(document.services[name]) for name in services}
        own = [name for name in running if name not in bases] or running
        plain = [name for name in own if "profiles" not in service_entries(document, name)]
        return (plain or own)[0]
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
    parent = _base(entry) if entry else None
    if parent is None or name in seen:
        return own
    inherited = _extended(document, parent, (*seen, name))
    found = own | {
        k: Entry(e.key, e.key_node, e.value, inherited=True)
        for k, e in inherited.items()
        if k not in own and k not in _reset(entry)
    }
    if "environment" in own and "environment" in inherited:
        found["environment"] = _merged(own["environment"], inherited["environment"])
    return found


def _reset(entry: Entry | None) -> set[str]:
    """Keys of a base that a service takes away."""
    members = entry.value.value if entry is not None and is_mapping(entry.value) else ()
    return {key.value for key, value in members if value.tag == RESET}


def _merged(own: Entry, base: Entry) -> Entry:
    """Two environments as compose joins them, the service's own winning; only mappings can be told apart here."""
    from ruamel.yaml.nodes import MappingNode, ScalarNode

    node = own.value
    if not is_mapping(node) or not is_mapping(base.value):
        return own
    key = ScalarNode(MERGE, "<<", node.start_mark, node.start_mark)
    pairs = [(key, base.value), *node.value]
    both = MappingNode(node.tag, pairs, node.start_mark, node.end_mark, flow_style=getattr(node, "flow_style", None))
    return Entry(own.key, own.key_node, both, own.inherited)


def _base(service: Entry) -> str | None:
    """The service of the same file that a service `extends`."""
    base = entries(service.value).get("extends")
    if base is None:
        return None
    target = entries(base.value) if is_mapping(base.value) else {}
    if "file" in target:
        return None
    return scalar(target["service"].value) if "service" in target else scalar(base.value)


def engine_of(document: Document, name: str, env: Mapping[str, str]) -> str | None:
    """The engine that a service runs, by its image, entrypoint or command."""
    own = service_entries(document, name)
    image = scalar(own["image"].value) if "image" in own else None
    found = engine_of_image(fill(image, env).value) if image else None
    if found:
        return found
    return engine_of_program([w.token.text for part in said(document, own, env).values() for w in part])
