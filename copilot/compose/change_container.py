"""One container setting of a service: image, shared memory, ports, the GPU request and the like."""

from copilot.compose.change_gpus import gpu_edits
from copilot.compose.change_words import words_edits
from copilot.compose.document import Entry, entries, is_mapping, is_scalar, items, scalar
from copilot.compose.removal import remove_key
from copilot.compose.surgery import Edit, add_entry, add_item, last, replace_scalar, written
from copilot.compose.target import NotEditableError, Target
from copilot.compose.values import LISTS, SCALARS, member_texts, path
from copilot.model.text import Text

_KEYS = {parameter: key for key, parameter in SCALARS.items()}
_LIST_KEYS = {parameter: key for key, parameter in LISTS.items() if key != "networks"}


def container_edits(target: Target, parameter: str, to: str | None) -> list[Edit]:
    """The edits that set a `docker:` parameter, or remove it (None)."""
    if parameter == "docker:gpus":
        return gpu_edits(target, to)
    if parameter in {"docker:command", "docker:entrypoint"}:
        return words_edits(target, parameter.removeprefix("docker:"), to)
    if parameter == "docker:mem_limit" and (limit := path(target.entries, "deploy", "resources", "limits", "memory")):
        return _scalar(target, limit, to)
    if parameter in _KEYS:
        key = _KEYS[parameter]
        entry = target.entries.get(key)
        if entry is not None:
            return _scalar(target, entry, to)
        return [] if to is None else [*_instead(target, key), _add(target, key, written(to))]
    if parameter in _LIST_KEYS:
        return _list(target, _LIST_KEYS[parameter], to)
    raise NotEditableError(
        Text(en=f"{parameter} is not a setting of a compose service.", zh=f"{parameter} 不是 compose 服务的设置。")
    )


def _add(target: Target, key: str, value: str) -> Edit:
    return add_entry(target.document, target.node, [f"{key}: {value}"])


def _instead(target: Target, key: str) -> list[Edit]:
    """Compose refuses `network_mode` beside `networks`: the one takes the other's place."""
    other = target.entries.get("networks") if key == "network_mode" else None
    return remove_key(target, other) if other is not None else []


def _scalar(target: Target, entry: Entry, to: str | None) -> list[Edit]:
    if not is_scalar(entry.value):
        raise NotEditableError(Text(en=f"{entry.key} has a form of its own.", zh=f"{entry.key} 的写法特殊。"))
    if to is None:
        return remove_key(target, entry)
    return [replace_scalar(target.document, entry.value, to)]


def _list(target: Target, key: str, to: str | None) -> list[Edit]:
    """A list's member that is about the same thing (the same container port or path), or one more."""
    entry = target.entries.get(key)
    if entry is None:
        return [] if to is None else [_new_list(target, key, to)]
    if to is None:
        return remove_key(target, entry)
    if is_mapping(entry.value):
        return _map_member(target, entry, to)
    return [_member(target, entry, to)]


def _new_list(target: Target, key: str, to: str) -> Edit:
    value = written(to, '"')
    if key == "ulimits":  # compose takes no list here
        lines, joined = _limit(*to.partition("=")[::2])
        below = [f"{key}:", *(f"  {line}" for line in lines)]
        return add_entry(target.document, target.node, below, flow=f"{key}: {{{joined}}}")
    return add_entry(target.document, target.node, [f"{key}:", f"  - {value}"], flow=f"{key}: [{value}]")


def _limit(name: str, value: str) -> tuple[list[str], str]:
    """A limit in compose's form, as lines and for braces: one number, or `soft:hard` as two."""
    soft, colon, hard = value.partition(":")
    if not colon:
        return [f"{name}: {value}"], f"{name}: {value}"
    return [f"{name}:", f"  soft: {soft}", f"  hard: {hard}"], f"{name}: {{soft: {soft}, hard: {hard}}}"


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
    if found is None:
        lines, flow = _limit(name, value) if entry.key == "ulimits" else ([f"{name}: {written(value)}"], "")
        return [add_entry(target.document, entry.value, lines, flow=flow)]
    soft, colon, hard = value.partition(":") if entry.key == "ulimits" else (value, "", "")
    if is_scalar(found.value):
        new = f"{{soft: {soft}, hard: {hard}}}" if colon else ""
        edit = replace_scalar(target.document, found.value, value)
        return [Edit(edit.start, edit.end, new) if new else edit]
    both = {"soft": soft, "hard": hard or soft}
    limits = entries(found.value)
    return [replace_scalar(target.document, limits[k].value, both[k]) for k in both if k in limits]


def _about(key: str, text: str) -> str:
    """What a member is about: the container's port or path, the host's name, the file."""
    if key == "ports":
        return text.rsplit(":", 1)[-1].partition("/")[0]
    if key == "volumes":
        parts = text.rsplit(":", 2) if text.endswith((":ro", ":rw", ":z", ":Z")) else text.rsplit(":", 1)
        return parts[1] if len(parts) > 1 else parts[0]
    return text.partition("=" if "=" in text else ":")[0] if key in {"extra_hosts", "ulimits"} else text
