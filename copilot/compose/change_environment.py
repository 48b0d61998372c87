"""One environment variable of a service: changed, added or removed where it stands."""

from copilot.compose.document import Entry, entries, is_mapping, is_sequence, items, scalar
from copilot.compose.pick import service_entries
from copilot.compose.surgery import Edit, add_entry, add_item, remove, replace_scalar, written
from copilot.compose.target import NotEditableError, Target
from copilot.model.text import Text


def environment_edits(target: Target, name: str, to: str | None) -> list[Edit]:
    """The edits that set the variable, or take it away (None)."""
    entry = target.entries.get("environment")
    if entry is None:
        return [] if to is None else [_block(target, name, to)]
    if is_sequence(entry.value):
        return _in_list(target, entry, name, to)
    if is_mapping(entry.value):
        return _in_map(target, entry, name, to)
    if scalar(entry.value) is not None:
        raise NotEditableError(
            Text(en="environment is neither a list nor a mapping.", zh="environment 既不是列表也不是映射。")
        )
    line = f"  {name}: {_quoted(to or '')}"
    edit = remove(target.document, target.parent(entry), [entry.key_node])[0]
    return [] if to is None else [edit, add_entry(target.document, target.node, ["environment:", line])]


def _quoted(value: str) -> str:
    """Always in quotes: compose takes no boolean here, and a number would be printed its own way."""
    return written(value, '"')


def _block(target: Target, name: str, to: str) -> Edit:
    value = _quoted(to)
    return add_entry(
        target.document,
        target.node,
        ["environment:", f"  {name}: {value}"],
        flow=f"environment: {{{name}: {value}}}",
    )


def _in_map(target: Target, entry: Entry, name: str, to: str | None) -> list[Edit]:
    found = entries(entry.value).get(name)
    shared = None if found is None else _user(target, found)
    if found is not None and shared is None:
        if to is not None:
            return [_set(target, found, to)]
        return _remove_own(target, entry, found)
    if to is not None and not entry.inherited:
        return [add_entry(target.document, entry.value, [f"{name}: {_quoted(to)}"])]
    if to is not None:
        return _own_map(target, entry, name, to)
    if found is None:
        return []
    raise NotEditableError(
        Text(
            en=f"{name} comes from an anchor that service {shared} uses too; remove it there by hand.",
            zh=f"{name} 来自服务 {shared} 也在使用的锚点；请在那里手动删除。",
        )
    )


def _user(target: Target, found: Entry) -> str | None:
    """Another service that has this very variable through an anchor, a merge key or `extends`."""
    for name in target.document.services:
        own = service_entries(target.document, name).get("environment")
        other = entries(own.value).get(found.key) if own and name != target.name else None
        if other is not None and other.value is found.value:
            return name
    return None


def _set(target: Target, found: Entry, to: str) -> Edit:
    if scalar(found.value) is None:
        # `NAME:` without a value is passed through: the value goes behind the colon
        text = target.document.text
        colon = text.index(":", found.key_node.end_mark.index) + 1
        end = max(colon, found.value.end_mark.index if text[colon:].lstrip(" ")[:1] in {"~", "n"} else colon)
        return Edit(colon, end, f" {_quoted(to)}")
    return replace_scalar(target.document, found.value, to)


def _remove_own(target: Target, entry: Entry, found: Entry) -> list[Edit]:
    """Take the variable away, with the whole block where it is the only one."""
    holder = target.parent(found)
    if holder is entry.value and len(holder.value) == 1 and not entry.inherited:
        return remove(target.document, target.parent(entry), [entry.key_node])
    return remove(target.document, holder, [found.key_node])


def _own_map(target: Target, entry: Entry, name: str, to: str) -> list[Edit]:
    """The whole map is an alias or comes from a base: an own map that merges it, with the one variable added."""
    own = next((key for key, _ in target.node.value if key.value == "environment"), None)
    anchor = getattr(entry.value, "anchor", None)
    line = f"{name}: {_quoted(to)}"
    if own is None or anchor is None:
        if own is None and _merges_maps(target):
            return [add_entry(target.document, target.node, ["environment:", f"  {line}"])]
        raise NotEditableError(
            Text(
                en="environment comes from a base that other services use too; add the variable there by hand.",
                zh="environment 来自其他服务也在使用的基础配置；请在那里手动添加该变量。",
            )
        )
    text = target.document.text
    start = text.index("*", own.end_mark.index)
    end = start + 1 + len(anchor)
    indent = " " * (own.start_mark.column + 2)
    break_ = "\r\n" if "\r\n" in text else "\n"
    at = len(text[:start].rstrip(" "))
    return [Edit(at, end, f"{break_}{indent}<<: *{anchor}{break_}{indent}{line}")]


def _merges_maps(target: Target) -> bool:
    """`extends` merges environments; a YAML merge key replaces them."""
    return "extends" in target.entries


def _in_list(target: Target, entry: Entry, name: str, to: str | None) -> list[Edit]:
    if entry.inherited and target.shared(entry):
        raise NotEditableError(
            Text(
                en="The list under environment is shared with another service through an anchor; change it there.",
                zh="environment 下的列表通过锚点与其他服务共享；请在那里修改。",
            )
        )
    found = [i for i in items(entry.value) if (scalar(i) or "").partition("=")[0] == name]
    if not found:
        return [] if to is None else [_append(target, entry, f"{name}={to}")]
    if to is None:
        if len(found) == len(items(entry.value)):
            return remove(target.document, target.parent(entry), [entry.key_node])
        return remove(target.document, entry.value, found)
    return [replace_scalar(target.document, found[-1], f"{name}={to}")]


def _append(target: Target, entry: Entry, text: str) -> Edit:
    members = items(entry.value)
    style = getattr(members[-1], "style", None) if members else None
    return add_item(target.document, entry.value, [written(text, style if style in {"'", '"'} else None)])
