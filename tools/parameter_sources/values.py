"""Values of default expressions, as far as they follow from the text."""

import ast
import operator
from collections.abc import Callable
from typing import Any

from parameter_sources.tree import Tree

DEEP = 6
"""How far names are followed."""


class Missing:
    """No value: not literal, or not given."""


MISSING = Missing()
_EMPTY: dict[str, object] = {"list": [], "dict": {}, "set": [], "tuple": [], "frozenset": []}
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.LShift: operator.lshift,
    ast.Pow: operator.pow,
}
_CASTS: dict[str, Callable[[Any], Any]] = {"int": int, "float": float, "str": str}
_FIELD = ("Field", "field", "dataclasses.field", "pydantic.Field")


def literal(node: ast.expr | None) -> Any:
    """A literal's value, or MISSING."""
    if node is None:
        return MISSING
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return MISSING


def symbolic(node: ast.expr | str) -> dict[str, str]:
    """What stands for a value that only running the code would give."""
    return {"expr": node if isinstance(node, str) else ast.unparse(node)[:160]}


def is_symbolic(value: object) -> bool:
    """Whether a value is only known as an expression."""
    return isinstance(value, dict) and set(value) == {"expr"}


def value(tree: Tree, node: ast.expr | None, depth: int = 0) -> Any:
    """The value of a default expression; `{"expr": text}` where it cannot be known, MISSING where nothing is given."""
    known = literal(node)
    if node is None or known is not MISSING:
        return known
    if depth > DEEP:
        return symbolic(node)
    reader = _READERS.get(type(node))
    return reader(tree, node, depth + 1) if reader else symbolic(node)


def plain(found: object) -> Any:
    """A value as JSON can hold it."""
    if isinstance(found, set | frozenset):
        return sorted((plain(item) for item in found), key=str)
    if isinstance(found, list | tuple):
        return [plain(item) for item in found]
    if isinstance(found, dict):
        return {str(key): plain(item) for key, item in found.items()}
    if found is Ellipsis:
        return "..."
    return str(found) if found in (float("inf"), float("-inf")) else found


def _name(tree: Tree, node: ast.Name, depth: int) -> Any:
    return value(tree, tree.constants[node.id], depth) if node.id in tree.constants else symbolic(node)


def _operation(tree: Tree, node: ast.BinOp, depth: int) -> Any:
    left, right = value(tree, node.left, depth), value(tree, node.right, depth)
    act = _OPERATORS.get(type(node.op))
    if act is None or is_symbolic(left) or is_symbolic(right):
        return symbolic(node)
    try:
        return act(left, right)
    except TypeError:
        return symbolic(node)


def _attribute(tree: Tree, node: ast.Attribute, depth: int) -> Any:
    if node.attr == "value":  # Enum.X.value
        return value(tree, node.value, depth)
    if not isinstance(node.value, ast.Name):
        return symbolic(node)
    if node.value.id == "envs":
        return symbolic(f"env {node.attr}")
    members = tree.members(node.value.id)
    if members and node.attr in members:
        return members[node.attr]
    field = tree.fields(node.value.id).get(node.attr)
    return value(tree, field.default, depth) if field else symbolic(node)


def _call(tree: Tree, node: ast.Call, depth: int) -> Any:
    name = ast.unparse(node.func)
    if name in _FIELD:
        return _field(tree, node, depth)
    if name == "get_field" and len(node.args) > 1:
        field = tree.fields(ast.unparse(node.args[0])).get(literal(node.args[1]))
        return value(tree, field.default, depth) if field else symbolic(node)
    if name in ("cast", "typing.cast") and len(node.args) > 1:
        return value(tree, node.args[1], depth)
    if name in _EMPTY and not node.args:
        return _EMPTY[name]
    return _cast(tree, node, depth) if name in _CASTS and len(node.args) == 1 else symbolic(node)


def _cast(tree: Tree, node: ast.Call, depth: int) -> Any:
    if ast.unparse(node) == "int(ssl.CERT_NONE)":
        return 0
    inner = value(tree, node.args[0], depth)
    return symbolic(node) if is_symbolic(inner) else _CASTS[ast.unparse(node.func)](inner)


def _field(tree: Tree, node: ast.Call, depth: int) -> Any:
    """`Field(default=…)`, `field(default_factory=…)`."""
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    first = given.get("default") or (node.args[0] if node.args else None)
    if first is not None:
        return value(tree, first, depth)
    factory = given.get("default_factory")
    if factory is None:
        return MISSING
    if isinstance(factory, ast.Lambda):
        return value(tree, factory.body, depth)
    name = ast.unparse(factory)
    return _EMPTY.get(name, symbolic(f"{name}()"))


def _sequence(tree: Tree, node: ast.List | ast.Tuple, depth: int) -> Any:
    return [value(tree, item, depth) for item in node.elts]


_READERS: dict[type[ast.expr], Callable[..., Any]] = {
    ast.Name: _name,
    ast.BinOp: _operation,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.List: _sequence,
    ast.Tuple: _sequence,
}
