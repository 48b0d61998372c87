"""Every text of an error or note that the code can raise, read from the source: fields become `{}`."""

import ast
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import copilot.errors

ROOT = Path(copilot.errors.__file__).parent
ERRORS = {name for name, kind in vars(copilot.errors).items() if isinstance(kind, type)}
NOTES = {"Asked": "problem", "Objection": "detail", "Timed": "problem"}
"""Whose field holds a note: a provider that gave no answer, a check that failed, a request that was not answered."""
FIELD = "{}"


@dataclass(frozen=True)
class Module:
    """A source file, and where a name in it comes from."""

    path: Path
    tree: ast.Module

    def function(self, name: str) -> ast.FunctionDef | None:
        return next((n for n in ast.walk(self.tree) if isinstance(n, ast.FunctionDef) and n.name == name), None)

    def constant(self, name: str) -> list[str] | None:
        """The texts of a name of the module, its own or imported from one of ours."""
        if values := _assigned(self.tree.body, name):
            return [text for value in values for text in Scope(self, None).texts(value)]
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and any((a.asname or a.name) == name for a in node.names):
                other = ROOT.parent / f"{(node.module or '').replace('.', '/')}.py"
                return module(other).constant(name) if other.is_file() and ROOT in other.parents else None
        return None


@cache
def module(path: Path) -> Module:
    return Module(path, ast.parse(path.read_text(encoding="utf-8")))


def _assigned(nodes: Iterable[ast.AST], name: str) -> list[ast.expr]:
    """What is assigned to a name by these statements."""
    found: list[ast.expr] = []
    for node in nodes:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            found.append(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            found += [node.value] if node.value is not None else []
    return found


@dataclass(frozen=True)
class Scope:
    """Where an expression stands."""

    module: Module
    function: ast.FunctionDef | None
    followed: frozenset[str] = frozenset()
    """Names on the way here: `text = f"{text} ..."` is not followed twice."""

    def inside(self, name: str, function: ast.FunctionDef | None) -> "Scope":
        return Scope(self.module, function, self.followed | {name})

    def texts(self, node: ast.expr | None) -> list[str]:  # noqa: PLR0911 - one per kind of expression
        """All texts an expression may give; what only a run can tell is a field."""
        match node:
            case ast.Constant(value=str() as text):
                return [text]
            case ast.JoinedStr(values=values):
                return self._joined(values)
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                return self.texts(value)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._joined([left, right])
            case ast.IfExp(body=body, orelse=other):
                return self.texts(body) + self.texts(other)
            case ast.BoolOp(op=ast.Or(), values=values):
                return [text for value in values for text in self.texts(value)]
            case ast.Name(id=name):
                return self._named(name)
            case ast.Call(func=ast.Name(id=name)):
                return self._returned(name)
        return [FIELD]

    def _joined(self, values: list[ast.expr]) -> list[str]:
        return ["".join(parts) for parts in itertools.product(*(self.texts(value) for value in values))]

    def _named(self, name: str) -> list[str]:
        if name in self.followed:
            return [FIELD]
        local = _assigned(ast.walk(self.function), name) if self.function else []
        if not local:
            return self.module.constant(name) or [FIELD]
        inside = self.inside(name, self.function)
        return list(dict.fromkeys(text for value in local for text in inside.texts(value)))

    def _returned(self, name: str) -> list[str]:
        """What a function of the same module gives."""
        function = self.module.function(name)
        if function is None or name in self.followed:
            return [FIELD]
        inside = self.inside(name, function)
        found = [n.value for n in ast.walk(function) if isinstance(n, ast.Return)]
        return [text for value in found for text in inside.texts(value)] or [FIELD]


def _told(node: ast.AST) -> list[ast.expr]:
    """The expressions of a node that are read as an error's sentence, its hint, or a note."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            wanted = ("message", "hint") if name in ERRORS else (NOTES.get(name, ""),)
            noted = [k.value for k in keywords if k.arg in wanted]
            return [*args[:2], *noted] if name in ERRORS else noted
        case ast.Call(func=ast.Attribute(attr="append", value=target), args=args) if "left_out" in ast.unparse(target):
            return args
        case ast.Tuple(elts=elements):  # a row of a table: (..., the error's class, the sentence, the hint)
            at = next((n for n, one in enumerate(elements) if isinstance(one, ast.Name) and one.id in ERRORS), None)
            return [one for one in elements[at + 1 :] if isinstance(one, ast.expr)] if at is not None else []
    return []


def _functions(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.FunctionDef | None]]:
    """Every node with the innermost function around it."""
    waiting: list[tuple[ast.AST, ast.FunctionDef | None]] = [(tree, None)]
    while waiting:
        node, function = waiting.pop()
        yield node, function
        inner = node if isinstance(node, ast.FunctionDef) else function
        waiting += [(child, inner) for child in ast.iter_child_nodes(node)]


def texts() -> dict[str, str]:
    """Every text -> where it is (`file:line`)."""
    found: dict[str, str] = {}
    for path in sorted(ROOT.rglob("*.py")):
        source = module(path)
        for node, function in _functions(source.tree):
            for told in _told(node):
                for text in Scope(source, function).texts(told):
                    found.setdefault(text, f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}")
    return found


def strings(path: Path) -> list[str]:
    """Every string of a file."""
    return [
        node.value
        for node in ast.walk(module(path).tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
