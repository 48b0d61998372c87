"""One environment variable of a service: changed, added or removed where it stands."""

from copilot.compose.document import Entry, entries, is_mapping, is_sequence, items, scalar
from copilot.compose.surgery import Edit, add_entry, add_item, remove, replace_scalar, written
from copilot.compose.target import NotEditableError, Target
from copilot.model.text import Text


def environment_edits(target: Target, name: str, to: str | None) -> list[Edit]:
    """The edits that set the variable, or take it away (None)."""
    entry = target.entries.get("environment")
    if entry is None:
        return [] if to is None else [_block(target, name, to)]
    if entry.inherited and "extends" in target.entries and is_mapping(entry.value):
        return _over_base(target, entry, name, to)
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


def _over_base(target: Target, entry: Entry, name: str, to: str | None) -> list[Edit]:
    """Compose joins the environment of a service with that of the base that it extends."""
    if to is not None:
        return [_block(target, name, to)]
    if name not in entries(entry.value):
        return []
    return [add_entry(target.document, target.node, ["environment:", f"  {name}: !reset null"])]


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
    if found is None:
        return [] if to is None else [add_entry(target.document, entry.value, [f"{name}: {_quoted(to)}"])]
    return _remove_own(target, entry, found) if to is None else [_set(target, found, to)]


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
    if found.inherited and "extends" in target.entries:
        return [add_entry(target.document, entry.value, [f"{found.key}: !reset null"])]
    holder = target.parent(found)
    if holder is entry.value and len(holder.value) == 1 and not entry.inherited:
        return remove(target.document, target.parent(entry), [entry.key_node])
    return remove(target.document, holder, [found.key_node])


def _in_list(target: Target, entry: Entry, name: str, to: str | None) -> list[Edit]:
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
