"""One container setting of a service: image, shared memory, ports, the GPU request and the like."""

from typing import TYPE_CHECKING

from copilot.collect.shell import split
from copilot.compose.document import Entry, entries, is_mapping, is_scalar, is_sequence, items, scalar
from copilot.compose.surgery import Edit, add_entry, add_item, last, remove, replace_scalar, written
from copilot.compose.target import NotEditableError, Target
from copilot.compose.values import LISTS, SCALARS, member_texts, path
from copilot.model.text import Text

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

_KEYS = {parameter: key for key, parameter in SCALARS.items()}
_LIST_KEYS = {parameter: key for key, parameter in LISTS.items() if key != "networks"}


def container_edits(target: Target, parameter: str, to: str | None) -> list[Edit]:
    """The edits that set a `docker:` parameter, or remove it (None)."""
    if parameter == "docker:gpus":
        return gpu_edits(target, to)
    if parameter in {"docker:command", "docker:entrypoint"}:
        return _words(target, parameter.removeprefix("docker:"), to)
    if parameter == "docker:mem_limit" and (limit := path(target.entries, "deploy", "resources", "limits", "memory")):
        return _scalar(target, limit, to)
    if parameter in _KEYS:
        key = _KEYS[parameter]
        entry = target.entries.get(key)
        if entry is not None:
            return _scalar(target, entry, to)
        return [] if to is None else [add_entry(target.document, target.node, [f"{key}: {written(to)}"])]
    if parameter in _LIST_KEYS:
        return _list(target, _LIST_KEYS[parameter], to)
    raise NotEditableError(
        Text(en=f"{parameter} is not a setting of a compose service.", zh=f"{parameter} 不是 compose 服务的设置。")
    )


def _scalar(target: Target, entry: Entry, to: str | None) -> list[Edit]:
    if not is_scalar(entry.value):
        raise NotEditableError(Text(en=f"{entry.key} has a form of its own.", zh=f"{entry.key} 的写法特殊。"))
    if to is None:
        return _remove_key(target, entry)
    return [replace_scalar(target.document, entry.value, to)]


def _remove_key(target: Target, entry: Entry) -> list[Edit]:
    """The key, and every block around it that would be empty without it."""
    if entry.inherited and "extends" in target.entries and entry.key not in _own_keys(target):
        # compose takes an inherited value away with this tag; a merge key's value cannot be taken away
        return [add_entry(target.document, target.node, [f"{entry.key}: !reset null"])]
    parent = target.parent(entry)
    key: Node = entry.key_node
    while len(parent.value) == 1 and parent is not target.node:
        holder = _around(target, parent)
        if holder is None:
            break
        parent, key = holder
    return remove(target.document, parent, [key])


def _own_keys(target: Target) -> set[str]:
    return {key.value for key, _ in target.node.value}


def _around(target: Target, inner: "Node") -> "tuple[Node, Node] | None":
    """The mapping around a mapping inside the service, and the key that holds it."""
    stack: list[Node] = [target.node]
    while stack:
        node = stack.pop()
        for key, value in node.value:
            if value is inner:
                return node, key
            if is_mapping(value):
                stack.append(value)
    return None


def _words(target: Target, key: str, to: str | None) -> list[Edit]:
    """The whole command; where the new one is the old without its first words, only those go."""
    entry = target.entries.get(key)
    if entry is None:
        listed = ", ".join(written(t.text, '"') for t in split(to or ""))
        return [] if to is None else [add_entry(target.document, target.node, [f"{key}: [{listed}]"])]
    if to is None:
        return _remove_key(target, entry)
    old = [scalar(i) or "" for i in items(entry.value)]
    new = [t.text for t in split(to)]
    if is_sequence(entry.value) and len(new) < len(old) and old[len(old) - len(new) :] == new:
        gone = items(entry.value)[: len(old) - len(new)]
        return remove(target.document, entry.value, gone)
    if is_scalar(entry.value):
        return [replace_scalar(target.document, entry.value, to)]
    text = target.document.text
    start = text.index(":", entry.key_node.end_mark.index) + 1
    return [Edit(start, last(target.document, entry.value), " [" + ", ".join(written(w, '"') for w in new) + "]")]


def _list(target: Target, key: str, to: str | None) -> list[Edit]:
    """A list's member that is about the same thing (the same container port or path), or one more."""
    entry = target.entries.get(key)
    if entry is None:
        if to is None:
            return []
        return [
            add_entry(
                target.document,
                target.node,
                [f"{key}:", f"  - {written(to, chr(34))}"],
                flow=f"{key}: [{written(to, chr(34))}]",
            )
        ]
    if to is None:
        return _remove_key(target, entry)
    if is_mapping(entry.value):
        return _map_member(target, entry, to)
    return [_member(target, entry, to)]


def _member(target: Target, entry: Entry, to: str) -> Edit:
    for text, node in member_texts(entry):
        if _about(entry.key, text) == _about(entry.key, to):
            if is_scalar(node):
                return replace_scalar(target.document, node, to)
            return Edit(target.document.span(node)[0], last(target.document, node), written(to, '"'))
    if is_scalar(entry.value):
        both = ", ".join(written(one, '"') for one in (scalar(entry.value) or "", to))
        return Edit(*target.document.span(entry.value), f"[{both}]")
    style = getattr(items(entry.value)[-1], "style", None) if items(entry.value) else '"'
    return add_item(target.document, entry.value, [written(to, style if style in {"'", '"'} else None)])


def _map_member(target: Target, entry: Entry, to: str) -> list[Edit]:
    """`ulimits` and `extra_hosts` as a mapping: `memlock=-1`, `host:address`."""
    name, _, value = to.partition("=") if "=" in to else to.partition(":")
    found = entries(entry.value).get(name)
    if found is not None and is_scalar(found.value):
        return [replace_scalar(target.document, found.value, value)]
    if found is not None:
        raise NotEditableError(Text(en=f"{name} has a soft and a hard limit.", zh=f"{name} 有软限制和硬限制。"))
    return [add_entry(target.document, entry.value, [f"{name}: {value}"])]


def _about(key: str, text: str) -> str:
    """What a member is about: the container's port or path, the host's name, the file."""
    if key == "ports":
        return text.rsplit(":", 1)[-1].partition("/")[0]
    if key == "volumes":
        parts = text.rsplit(":", 2) if text.endswith((":ro", ":rw", ":z", ":Z")) else text.rsplit(":", 1)
        return parts[1] if len(parts) > 1 else parts[0]
    return text.partition("=" if "=" in text else ":")[0] if key in {"extra_hosts", "ulimits"} else text


def gpu_edits(target: Target, to: str | None) -> list[Edit]:
    """The GPU request, in the form that the file uses; without one in the long form, which every compose knows."""
    short = target.entries.get("gpus")
    if short is not None and is_scalar(short.value):
        return _scalar(target, short, to)
    devices = path(target.entries, "deploy", "resources", "reservations", "devices")
    if devices is None or not items(devices.value):
        return [] if to is None else [_new_request(target, to)]
    if to is None:
        return _remove_key(target, devices)
    request = items(devices.value)[0]
    fields = entries(request)
    key, value = _field(to)
    present = fields.get("count") or fields.get("device_ids")
    if present is None:
        return [add_entry(target.document, request, [f"{key}: {value}"])]
    if present.key == key and is_scalar(present.value):
        return [Edit(*target.document.span(present.value), value)]
    end = last(target.document, present.value)
    return [Edit(present.key_node.start_mark.index, end, f"{key}: {value}")]


def _field(to: str) -> tuple[str, str]:
    """`count` or `device_ids` of a request in the words of `--gpus`."""
    if to.startswith("device="):
        ids = ", ".join(written(i, '"') for i in to.removeprefix("device=").split(","))
        return "device_ids", f"[{ids}]"
    return "count", to


def _new_request(target: Target, to: str) -> Edit:
    key, value = _field(to)
    chain = ["deploy", "resources", "reservations", "devices"]
    node, depth = target.node, 0
    while depth < len(chain) - 1:
        entry = entries(node).get(chain[depth])
        if entry is None or not is_mapping(entry.value) or entry.inherited:
            break
        node, depth = entry.value, depth + 1
    rest = chain[depth:]
    lines = [f"{'  ' * i}{name}:" for i, name in enumerate(rest)]
    indent = "  " * len(rest)
    lines += [f"{indent}- driver: nvidia", f"{indent}  {key}: {value}", f"{indent}  capabilities: [gpu]"]
    opened = "".join(f"{name}: {{" for name in rest[:-1])
    flow = f"{opened}devices: [{{driver: nvidia, {key}: {value}, capabilities: [gpu]}}]" + "}" * (len(rest) - 1)
    return add_entry(target.document, node, lines, flow=flow)
