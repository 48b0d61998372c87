"""What a type annotation says about a flag: vLLM derives its parser from the fields of its configuration classes."""

import ast
import re
from dataclasses import dataclass, field
from typing import Any

from parameter_sources.tree import Field, Tree
from parameter_sources.values import MISSING, literal, value

Description = dict[str, Any]
"""kind, default, choices, suggested, json, config, deprecated ... of one flag."""

DEPRECATION = re.compile(
    r"(\b(is|are|been|be|now) |^\W*)deprecated\b|\bdeprecated( and|:|,| in | since|;|\.)|\bdeprecation\b"
    r"|no longer (supported|has any effect|used)|will be removed (in|soon)",
    re.IGNORECASE,
)
_WRAPPERS = frozenset({"Annotated", "SkipValidation", "InitVar", "Final"})
_LISTS = frozenset({"list", "List", "tuple", "Tuple", "set", "Set", "Sequence"})
_DICTS = frozenset({"dict", "Dict", "Mapping"})
_DEEP = 8


@dataclass
class Hints:
    """The parts of an annotation."""

    names: set[str] = field(default_factory=set)
    literals: list[Any] | None = None
    optional: bool = False
    lists: bool = False
    list_literals: list[Any] | None = None
    dicts: bool = False
    dataclass: str | None = None
    enum: str | None = None
    parts: int = 0

    def literal(self, values: list[Any]) -> None:
        """The first list of literals counts."""
        self.literals = values if self.literals is None else self.literals


def hints(tree: Tree, node: ast.expr | None) -> Hints:
    """All parts of an annotation, type aliases followed."""
    found = Hints()
    _collect(tree, node, found, 0)
    return found


def describe(tree: Tree, owner: str, name: str) -> Description:
    """The flag that vLLM's `get_kwargs(owner)[name]` would make."""
    held = tree.fields(owner).get(name)
    if held is None:
        return {"kind": "other", "config": f"{owner}.{name}"}
    found: Description = {"config": f"{owner}.{name}", **_kind(hints(tree, held.annotation))}
    default = value(tree, held.default)
    if default is not MISSING:
        found["default"] = default
    if _deprecated(held):
        found["maybe_deprecated"] = True
    return found


def keys(tree: Tree, owner: str) -> dict[str, Description]:
    """The keys of a configuration class that is given as JSON."""
    wanted = ("kind", "default", "choices", "suggested", "json")
    found = {name: describe(tree, owner, name) for name in tree.fields(owner) if not name.startswith("_")}
    return {name: {key: said[key] for key in wanted if key in said} for name, said in found.items()}


def _deprecated(held: Field) -> bool:
    return DEPRECATION.search(held.doc) is not None


def _kind(found: Hints) -> Description:
    """The order is that of vLLM's own decision."""
    if found.dataclass:
        return {"kind": "json", "json": found.dataclass}
    if {"bool", "str"} <= found.names and found.optional and found.parts == 3:  # noqa: PLR2004 - bool, str, None
        return {"kind": "optional_str"}
    if "bool" in found.names:
        return {"kind": "bool"}
    if found.literals is not None:
        if "str" in found.names:  # other values are taken too
            return {"kind": "str", "suggested": found.literals}
        return {"kind": "choice", "choices": found.literals}
    return _plain_kind(found)


def _plain_kind(found: Hints) -> Description:
    if found.lists:
        return {"kind": "list", **({"choices": found.list_literals} if found.list_literals else {})}
    number = next((name for name in ("int", "float") if name in found.names), None)
    return {"kind": number or ("json" if found.dicts else "str")}


def _collect(tree: Tree, node: ast.expr | None, found: Hints, depth: int) -> None:
    if node is None or depth > _DEEP:
        return
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        _collect(tree, node.left, found, depth + 1)
        _collect(tree, node.right, found, depth + 1)
    elif isinstance(node, ast.Constant):
        _constant(tree, node, found, depth)
    elif isinstance(node, ast.Subscript):
        _subscript(tree, node, found, depth)
    elif isinstance(node, ast.Starred):
        _collect(tree, node.value, found, depth + 1)
    else:
        _named(tree, ast.unparse(node).rsplit(".", 1)[-1], found, depth)


def _constant(tree: Tree, node: ast.Constant, found: Hints, depth: int) -> None:
    if node.value is None:
        found.optional = True
        found.parts += 1
    elif isinstance(node.value, str):  # a quoted annotation
        _collect(tree, ast.parse(node.value, mode="eval").body, found, depth + 1)


def _subscript(tree: Tree, node: ast.Subscript, found: Hints, depth: int) -> None:
    base = ast.unparse(node.value).rsplit(".", 1)[-1]
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    found.parts += base not in ("Optional", "Union", *_WRAPPERS)
    if base == "Literal":
        found.literal([item for element in inner for item in _literal(tree, element, depth)])
    elif base in ("Optional", "Union"):
        for element in inner:
            _collect(tree, element, found, depth + 1)
        found.optional = found.optional or base == "Optional"
        found.parts += base == "Optional"
    elif base in _WRAPPERS:
        _collect(tree, inner[0], found, depth + 1)
    elif base in _LISTS:
        found.lists = True
        found.list_literals = hints(tree, inner[0]).literals
    elif base in _DICTS:
        found.dicts = True
    else:
        found.names.add(base)


def _literal(tree: Tree, node: ast.expr, depth: int) -> list[Any]:
    known = literal(node)
    if known is not MISSING:
        return [known]
    inner = Hints()
    _collect(tree, node, inner, depth + 1)
    return inner.literals or []


def _named(tree: Tree, name: str, found: Hints, depth: int) -> None:
    if tree.members(name):
        found.enum = found.enum or name
    elif tree.is_dataclass(name):
        found.dataclass = found.dataclass or name
    elif name in _DICTS or _is_typed_dict(tree, name):
        found.dicts = True
    elif name in _LISTS:
        found.lists = True
    elif name in tree.constants and name not in tree.classes:
        _alias(tree, name, found, depth)
        return
    else:
        found.names.add(name)
    found.parts += 1


def _alias(tree: Tree, name: str, found: Hints, depth: int) -> None:
    target = tree.constants[name]
    if isinstance(target, ast.Subscript | ast.BinOp | ast.Name):
        _collect(tree, target, found, depth + 1)
    else:
        found.names.add(name)
        found.parts += 1


def _is_typed_dict(tree: Tree, name: str) -> bool:
    node = tree.classes.get(name)
    return node is not None and any(ast.unparse(base) == "TypedDict" for base in node.bases)
