"""The GPU request of a service, in the form that the file uses."""

from copilot.compose.document import Entry, entries, is_mapping, is_scalar, items
from copilot.compose.removal import remove_key
from copilot.compose.surgery import Edit, add_entry, last, written
from copilot.compose.target import Target
from copilot.compose.values import path


def gpu_edits(target: Target, to: str | None) -> list[Edit]:
    """The GPU request, in the form that the file uses; without one in the long form, which every compose knows."""
    short = target.entries.get("gpus")
    if short is not None and is_scalar(short.value):
        return _short_request(target, short, to)
    devices = short or path(target.entries, "deploy", "resources", "reservations", "devices")
    if devices is None or not items(devices.value):
        return [] if to is None else [_new_request(target, to)]
    if to is None:
        return remove_key(target, devices)
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


def _short_request(target: Target, short: Entry, to: str | None) -> list[Edit]:
    """`gpus: all`, or a list of requests: compose takes no other single word."""
    if to is None:
        return remove_key(target, short)
    key, value = _field(to)
    listed = written(to) if to == "all" else f"[{{driver: nvidia, {key}: {value}, capabilities: [gpu]}}]"
    start = target.document.text.index(":", short.key_node.end_mark.index) + 1
    return [Edit(start, last(target.document, short.value), f" {listed}")]


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
