"""Keywords of `add_argument` calls, applied to the description of a flag."""

import ast
import re
from typing import Any

from parameter_sources.annotations import DEPRECATION, Description, hints
from parameter_sources.tree import Tree
from parameter_sources.values import MISSING, is_symbolic, literal, symbolic, value

_FIRST = ("type", "nargs", "action", "choices")
"""Order in which keywords are applied; the rest follow."""


def order(name: str | None) -> int:
    """The place of a keyword among those of one call."""
    return _FIRST.index(name) if name in _FIRST else len(_FIRST)


def apply(tree: Tree, said: Description, key: str, node: ast.expr) -> None:
    """Let one keyword change a description."""
    reader = _READERS.get(key)
    if reader:
        reader(tree, said, node)


def choices(tree: Tree, node: ast.expr) -> list[Any] | None:
    """The choices of an expression; None where they are made at run time."""
    known = literal(node)
    if known is not MISSING:
        return list(known) if isinstance(known, list | tuple | dict | set) else None
    text = ast.unparse(node)
    enum = re.match(r"\[f\.value for f in (\w+)\]", text) or re.match(r"list\((\w+)\)", text)
    members = tree.members(enum.group(1)) if enum else None
    if members:
        return list(members.values())
    alias = re.match(r"(?:list\()?(?:typing\.)?get_args\((\w+)\)\)?", text)
    if alias and alias.group(1) in tree.constants:
        return hints(tree, tree.constants[alias.group(1)]).literals
    if isinstance(node, ast.List):
        return _listed(tree, node)
    found = value(tree, node)
    return found if isinstance(found, list) else None


def _listed(tree: Tree, node: ast.List) -> list[Any] | None:
    """`[*NAMES, "more", None]`."""
    found: list[Any] = []
    for element in node.elts:
        if not isinstance(element, ast.Starred):
            found.append(literal(element))
            continue
        inner = element.value
        if isinstance(inner, ast.Name):
            inner = tree.constants.get(inner.id, inner)
        part = [literal(key) for key in inner.keys if key] if isinstance(inner, ast.Dict) else choices(tree, inner)
        if part is None:
            return None
        found += part
    return None if MISSING in found else found


def _default(tree: Tree, said: Description, node: ast.expr) -> None:
    said["default"] = symbolic("SUPPRESS") if "SUPPRESS" in ast.unparse(node) else value(tree, node)


def _help(tree: Tree, said: Description, node: ast.expr) -> None:
    text = value(tree, node)
    text = ast.unparse(node) if is_symbolic(text) else str(text)
    if "SUPPRESS" in ast.unparse(node):
        return
    if DEPRECATION.search(text):
        said["maybe_deprecated"] = True
    else:
        said.pop("maybe_deprecated", None)


def _deprecated(tree: Tree, said: Description, node: ast.expr) -> None:
    del tree
    if literal(node) is True:
        said["deprecated"] = True


def _choices(tree: Tree, said: Description, node: ast.expr) -> None:
    found = choices(tree, node)
    if found is None:
        return
    said["choices"] = list(found)
    if said.get("kind") not in ("list", "int"):
        said["kind"] = "choice"


def _type(tree: Tree, said: Description, node: ast.expr) -> None:
    text = ast.unparse(node)
    held = re.search(r"(\w*Config)\b", text)
    if "json.loads" in text or text in ("nullable_kvs", "union_dict_and_str"):
        said["kind"] = "json"
    elif re.search(r"\bint\b|human_readable_int|positive_int", text) and "lambda" not in text:
        said["kind"] = "int"
    elif re.search(r"\bfloat\b", text) and "lambda" not in text:
        said["kind"] = "float"
    elif "Config" in text or "from_cli" in text:
        said["kind"] = "json"
        if held and tree.is_dataclass(held.group(1)):
            said["json"] = held.group(1)
    elif said.get("kind") in (None, "other"):
        said["kind"] = "str"


def _action(tree: Tree, said: Description, node: ast.expr) -> None:
    del tree
    text = ast.unparse(node)
    for part, kind in _ACTIONS:
        if part in text:
            said["kind"] = kind
            break
    if "store_" in text:
        said.setdefault("default", "store_false" in text)
    if "Deprecated" in text:
        said["deprecated"] = True


def _nargs(tree: Tree, said: Description, node: ast.expr) -> None:
    del tree
    if literal(node) in ("+", "*"):
        said["kind"] = "list"


_ACTIONS = (
    ("BooleanOptional", "bool"),
    ("EnableDisable", "bool"),
    ("store_true", "store_true"),
    ("store_false", "store_false"),
    ("StoreBoolean", "store_boolean"),
    ("append", "append"),
)
_READERS = {
    "default": _default,
    "help": _help,
    "deprecated": _deprecated,
    "choices": _choices,
    "type": _type,
    "action": _action,
    "nargs": _nargs,
}
