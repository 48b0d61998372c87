"""The classes, constants and functions of one release's files, by name."""

import ast
import re

from parameter_sources.archives import Files

_PLACEHOLDERS = frozenset({"Any", "str", "object", "int"})
"""`else: QuantizationMethods = str`: what stands there where only type checkers look."""


class Tree:
    """An index over parsed modules. Where a name occurs twice, the configuration's definition wins."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.modules: dict[str, ast.Module] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.constants: dict[str, ast.expr] = {}
        for name in sorted(files, key=_rank):
            self.modules[name] = ast.parse(files[name])
            for node in self.modules[name].body:
                self._index(node)

    def _index(self, node: ast.stmt) -> None:
        if isinstance(node, ast.ClassDef):
            self.classes.setdefault(node.name, node)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._constant(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._constant(node.target, node.value)
        elif hasattr(ast, "TypeAlias") and isinstance(node, ast.TypeAlias):  # Python 3.12 and later
            self._constant(node.name, node.value)
        elif isinstance(node, ast.If | ast.Try):
            for inner in (*node.body, *node.orelse):
                self._index(inner)

    def _constant(self, target: ast.expr, value: ast.expr) -> None:
        placeholder = isinstance(value, ast.Name) and value.id in _PLACEHOLDERS
        if isinstance(target, ast.Name) and not placeholder:
            self.constants.setdefault(target.id, value)

    def members(self, name: str) -> dict[str, object] | None:
        """Name -> value of an enumeration; None where the class is none."""
        node = self.classes.get(name)
        if node is None or not any("Enum" in ast.unparse(base) for base in node.bases):
            return None
        found: dict[str, object] = {}
        for inner in node.body:
            if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name):
                key = inner.targets[0].id
                if not key.startswith("_"):
                    found[key] = inner.value.value if isinstance(inner.value, ast.Constant) else key
        return found

    def is_dataclass(self, name: str) -> bool:
        """Whether a class is decorated as a dataclass or with vLLM's `config`."""
        node = self.classes.get(name)
        decorators = node.decorator_list if node else []
        return any(re.search(r"\b(dataclass|config)\b", ast.unparse(decorator)) for decorator in decorators)

    def fields(self, name: str) -> dict[str, "Field"]:
        """The fields of a dataclass, those of its bases first."""
        node = self.classes.get(name)
        found: dict[str, Field] = {}
        if node is None:
            return found
        for base in node.bases:
            if isinstance(base, ast.Name):
                found.update(self.fields(base.id))
        for index, inner in enumerate(node.body):
            if not isinstance(inner, ast.AnnAssign) or not isinstance(inner.target, ast.Name):
                continue
            if not re.search(r"ClassVar|InitVar", ast.unparse(inner.annotation)):
                found[inner.target.id] = Field(inner.annotation, inner.value, _docstring(node.body, index + 1))
        return found

    def function(self, owner: str | None, name: str) -> list[ast.stmt]:
        """The body of a method or function; empty where there is none."""
        bodies = [self.classes[owner].body] if owner in self.classes else []
        bodies += [module.body for module in self.modules.values()] if owner is None else []
        for body in bodies:
            for node in body:
                if isinstance(node, ast.FunctionDef) and node.name == name:
                    return node.body
        return []


class Field:
    """One field of a dataclass."""

    def __init__(self, annotation: ast.expr, default: ast.expr | None, doc: str) -> None:
        self.annotation = annotation
        self.default = default
        self.doc = doc


def _docstring(body: list[ast.stmt], index: int) -> str:
    """The text below a field."""
    node = body[index] if index < len(body) else None
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return node.value.value
    return ""


def _rank(name: str) -> tuple[int, str]:
    return (0 if name.startswith("vllm/config") else 1 if "cli_args" in name else 2, name)
