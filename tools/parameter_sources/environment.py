"""The table of environment variables in vllm/envs.py."""

import ast
from collections.abc import Iterator
from typing import Any

from parameter_sources.annotations import DEPRECATION, Description
from parameter_sources.tree import Tree
from parameter_sources.unset import unset_value
from parameter_sources.values import MISSING, literal, plain, value

_READERS = frozenset(
    {
        "os.getenv",
        "os.environ.get",
        "env_with_choices",
        "env_list_with_choices",
        "env_set_with_choices",
        "maybe_convert_bool",
        "get_env_or_set_default",
    }
)


def variables(tree: Tree) -> dict[str, Description]:
    """Name -> type, default, choices, whether deprecated, and whether the text is read as a whole number."""
    module = tree.modules["vllm/envs.py"]
    lines = tree.files["vllm/envs.py"].splitlines()
    types = {a.target.id: a for a in _annotated(module) if isinstance(a.target, ast.Name)}
    found = {}
    for key, getter in _rows(module):
        name = literal(key)
        if isinstance(name, str):
            found[name] = _describe(tree, name, getter, types.get(name))
            if DEPRECATION.search(_comment(lines, key.lineno)) or "deprecat" in ast.unparse(getter).lower():
                found[name]["deprecated"] = True
    return found


def _describe(tree: Tree, name: str, getter: ast.expr, typed: ast.AnnAssign | None) -> Description:
    said: Description = {}
    if typed is not None:
        said["type"] = ast.unparse(typed.annotation)
        annotated = value(tree, typed.value)
        if annotated is not MISSING:
            said["default"] = plain(annotated)
    given = _given(tree, name, getter)
    if given is not MISSING:
        said.setdefault("default", plain(given))
    real = unset_value(getter)  # beats the annotation, which is sometimes stale
    if real is not MISSING:
        said["default"] = plain(real)
    listed = _choices(tree, getter)
    if listed:
        said["choices"] = listed
    if _reads_number(name, getter):
        said["reads"] = "int"
    return said


def _annotated(module: ast.Module) -> Iterator[ast.AnnAssign]:
    """The declarations under `if TYPE_CHECKING`."""
    for node in module.body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from (inner for inner in node.body if isinstance(inner, ast.AnnAssign))


def _rows(module: ast.Module) -> Iterator[tuple[ast.expr, ast.expr]]:
    for node in module.body:
        target = (
            node.target
            if isinstance(node, ast.AnnAssign)
            else node.targets[0]
            if isinstance(node, ast.Assign)
            else None
        )
        if (
            not isinstance(target, ast.Name)
            or target.id != "environment_variables"
            or not isinstance(node.value, ast.Dict)
        ):
            continue
        yield from ((key, getter) for key, getter in zip(node.value.keys, node.value.values, strict=True) if key)


def _given(tree: Tree, name: str, getter: ast.expr) -> Any:
    """The second argument of `os.getenv(NAME, default)` and its kind."""
    for call in ast.walk(getter):
        if (
            isinstance(call, ast.Call)
            and ast.unparse(call.func) in _READERS
            and call.args
            and literal(call.args[0]) == name
        ):
            return value(tree, call.args[1]) if len(call.args) > 1 else None
    return MISSING


def _choices(tree: Tree, getter: ast.expr) -> list[Any]:
    if isinstance(getter, ast.Call) and "choices" in ast.unparse(getter.func) and len(getter.args) > 2:  # noqa: PLR2004
        found = value(tree, getter.args[2])
        return plain(found) if isinstance(found, list) else []
    return []


def _reads_number(name: str, getter: ast.expr) -> bool:
    """Whether every reading of the variable goes through int(): another text stops the program."""
    calls = [c for c in ast.walk(getter) if isinstance(c, ast.Call)]
    reads = [c for c in calls if ast.unparse(c.func) in _READERS and c.args and literal(c.args[0]) == name]
    converted = [c for c in calls if ast.unparse(c.func) in ("int", "maybe_convert_int", "maybe_convert_bool")]
    inside = [read for read in reads if any(read is not outer and read in ast.walk(outer) for outer in converted)]
    return bool(reads) and len(inside) == len(reads)


def _comment(lines: list[str], number: int) -> str:
    """The comment directly above a line counted from 1."""
    found: list[str] = []
    for line in reversed(lines[: number - 1]):
        if not line.strip().startswith("#"):
            break
        found.insert(0, line.strip().lstrip("# "))
    return " ".join(found)
