"""The container settings of a service: its keys in the contract's names, each with its line."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from copilot.compose.document import Document, Entry, entries, is_mapping, is_scalar, is_sequence, items, scalar
from copilot.compose.interpolate import fill
from copilot.model.evidence import Setting

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

SCALARS = {
    "image": "docker:image",
    "shm_size": "docker:shm_size",
    "ipc": "docker:ipc",
    "network_mode": "docker:network",
    "mem_limit": "docker:mem_limit",
    "restart": "docker:restart",
    "user": "docker:user",
    "runtime": "docker:runtime",
    "container_name": "docker:name",
    "platform": "docker:platform",
}
"""Keys with one value."""
LISTS = {
    "ports": "docker:ports",
    "volumes": "docker:volumes",
    "networks": "docker:network",
    "extra_hosts": "docker:extra_hosts",
    "ulimits": "docker:ulimits",
    "depends_on": "docker:depends_on",
    "env_file": "docker:env_file",
}
"""Keys with several values: a setting for each."""


def container_settings(document: Document, service: Mapping[str, Entry], env: Mapping[str, str]) -> Iterator[Setting]:
    """All of them, in the order of the file's keys."""
    for key, entry in service.items():
        if key in SCALARS and (value := scalar(entry.value)) is not None:
            yield setting(document, SCALARS[key], fill(value, env).value, entry)
        elif key in LISTS:
            for text, node in member_texts(entry):
                yield setting(document, LISTS[key], fill(text, env).value, entry, node)
        elif key == "devices":
            # only a CDI name asks for a GPU in the way of `gpus:`
            for text, node in member_texts(entry):
                if "/gpu=" in text:
                    yield setting(document, "docker:gpus", text, entry, node)
    yield from gpu_settings(document, service, env)
    limit = path(service, "deploy", "resources", "limits", "memory")
    if limit and (value := scalar(limit.value)) is not None:
        yield setting(document, "docker:mem_limit", fill(value, env).value, limit)


def setting(document: Document, parameter: str, value: str | None, entry: Entry, node: "Node | None" = None) -> Setting:
    """A setting at the line of its value (of its key, where the value stands elsewhere or in a block)."""
    place = node if node is not None else entry.key_node
    return Setting(parameter=parameter, value=value, source="compose", file=document.file, line=document.line(place))


def path(service: Mapping[str, Entry], *keys: str) -> Entry | None:
    """The entry at a path of keys below the service."""
    found: Entry | None = None
    for key in keys:
        found = service.get(key)
        if found is None:
            return None
        service = entries(found.value)
    return found


def member_texts(entry: Entry) -> Iterator[tuple[str, "Node"]]:
    """The members of a list or a mapping, long forms in the words of the short ones."""
    if is_scalar(entry.value):
        if (value := scalar(entry.value)) is not None:
            yield value, entry.value
    elif is_sequence(entry.value):
        for item in items(entry.value):
            if is_mapping(item):
                yield _long_form(entries(item)), item
            elif (value := scalar(item)) is not None:
                yield value, item
    else:
        for key, member in entries(entry.value).items():
            yield _member(entry.key, key, member), member.key_node


def _member(kind: str, key: str, member: Entry) -> str:
    if kind == "extra_hosts":
        return f"{key}:{scalar(member.value) or ''}"
    if kind != "ulimits":
        return key
    limits = entries(member.value)
    if limits:
        return f"{key}=" + ":".join(scalar(limits[k].value) or "" for k in ("soft", "hard") if k in limits)
    return f"{key}={scalar(member.value) or ''}"


def _long_form(fields: Mapping[str, Entry]) -> str:
    """`published:target` of a port, `source:target[:ro]` of a volume, the path of an env_file."""

    def of(key: str) -> str:
        return (scalar(fields[key].value) or "") if key in fields else ""

    if of("path"):
        return of("path")
    if of("published") or (of("target").isdigit()):
        address = of("host_ip")
        return ":".join(part for part in (address, of("published"), of("target")) if part)
    mode = ":ro" if of("read_only").lower() == "true" else ""
    return ":".join(part for part in (of("source"), of("target")) if part) + mode


def gpu_settings(document: Document, service: Mapping[str, Entry], env: Mapping[str, str]) -> Iterator[Setting]:
    """The GPU request: `gpus:` or the reservation of devices, in the words of `docker run --gpus`."""
    short = service.get("gpus")
    if short is not None:
        if is_scalar(short.value):
            yield setting(document, "docker:gpus", fill(scalar(short.value) or "", env).value, short)
        for item in items(short.value):
            yield setting(document, "docker:gpus", _request(entries(item), env), short, item)
    devices = path(service, "deploy", "resources", "reservations", "devices")
    for item in items(devices.value) if devices else ():
        fields = entries(item)
        said = _listed(fields.get("capabilities")) if fields else ()
        if devices and (not said or "gpu" in said or "nvidia" in (_scalar(fields, "driver"))):
            named = fields.get("count") or fields.get("device_ids")
            yield setting(document, "docker:gpus", _request(fields, env), devices, named.key_node if named else item)


def _scalar(fields: Mapping[str, Entry], key: str) -> str:
    return (scalar(fields[key].value) or "") if key in fields else ""


def _listed(entry: Entry | None) -> tuple[str, ...]:
    """The values of a list, whose items may be lists again (`[[gpu]]`)."""
    if entry is None:
        return ()
    inner = [i for item in items(entry.value) for i in (items(item) or (item,))]
    return tuple(scalar(i) or "" for i in inner)


def _request(fields: Mapping[str, Entry], env: Mapping[str, str]) -> str:
    ids = [fill(i, env).value for i in _listed(fields.get("device_ids"))]
    if ids:
        joined = ",".join(ids)
        return joined if _scalar(fields, "driver") == "cdi" else f"device={joined}"
    count = fill(_scalar(fields, "count"), env).value
    return "all" if count in {"", "-1"} else count
