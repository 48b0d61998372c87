"""The functions that build vLLM's parser, followed statement by statement without running them.

Followed are: `kwargs = get_kwargs(SomeConfig)` and changes to such a table, loops over literal lists, `if` (both
ways), and `add_argument` calls with names, keywords and `**kwargs["field"]`.
"""

import ast
import copy
import re
from dataclasses import dataclass, field
from typing import Any

from parameter_sources import keywords
from parameter_sources.annotations import Description, describe
from parameter_sources.tree import Tree
from parameter_sources.values import MISSING, is_symbolic, literal, value


@dataclass
class FieldTable:
    """`get_kwargs(owner)`: a description per field of a configuration class, with what was changed afterwards."""

    owner: str
    changed: dict[str, Description] = field(default_factory=dict)


Known = FieldTable | Description
Scope = dict[str, Any]
"""Name -> FieldTable, Description, or a literal."""


class ParserCalls:
    """Collects the flags that a parser would have."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.flags: dict[str, Description] = {}
        self.problems: list[str] = []

    def run(self, body: list[ast.stmt], scope: Scope, only: str | None = None) -> None:
        """Follow statements; `only` restricts to calls on that variable."""
        for node in body:
            if isinstance(node, ast.Assign):
                self._assign(node, scope, only)
            elif isinstance(node, ast.Expr | ast.Return) and node.value is not None:
                self._edit_choices(node.value, scope)
                self._calls(node.value, scope, only)
            elif isinstance(node, ast.If):
                self.run(node.body, scope, only)
                self.run(node.orelse, scope, only)
            elif isinstance(node, ast.For):
                self._loop(node, scope, only)
            elif isinstance(node, ast.With | ast.Try):
                self.run(node.body, scope, only)

    def known(self, node: ast.expr, scope: Scope) -> Known | None:
        """The table or description that an expression stands for."""
        if isinstance(node, ast.Name):
            found = scope.get(node.id)
            return found if isinstance(found, FieldTable | dict) else None
        if isinstance(node, ast.Call):
            return self._made(node, scope)
        if isinstance(node, ast.Subscript):
            base, key = self.known(node.value, scope), literal(node.slice)
            return self._described(base, key) if isinstance(base, FieldTable) and isinstance(key, str) else None
        return self._literal_keywords(node, scope) if isinstance(node, ast.Dict) else None

    def _made(self, node: ast.Call, scope: Scope) -> Known | None:
        name = ast.unparse(node.func)
        if name.endswith("get_kwargs") and node.args:
            return FieldTable(ast.unparse(node.args[0]))
        if isinstance(node.func, ast.Attribute) and node.func.attr == "copy" and not node.args:
            return copy.deepcopy(self.known(node.func.value, scope))
        if name in ("dict", "copy.deepcopy", "copy.copy") and node.args:
            return copy.deepcopy(self.known(node.args[0], scope))
        return None

    def _described(self, table: FieldTable, key: str) -> Description:
        return {**describe(self.tree, table.owner, key), **table.changed.get(key, {})}

    def _literal_keywords(self, node: ast.Dict, scope: Scope) -> Description:
        said: Description = {}
        for key, inner in zip(node.keys, node.values, strict=True):
            if key is not None:
                keywords.apply(self.tree, said, str(literal(key)), inner)
            elif isinstance(base := self.known(inner, scope), dict):
                said.update(base)
        return said

    def _assign(self, node: ast.Assign, scope: Scope, only: str | None) -> None:
        target = node.targets[0]
        if isinstance(target, ast.Name):
            known = self.known(node.value, scope)
            plain = literal(node.value)
            if known is not None or plain is not MISSING:
                scope[target.id] = known if known is not None else plain
        elif isinstance(target, ast.Subscript):
            self._change(target, node.value, scope)
        self._calls(node.value, scope, only)

    def _change(self, target: ast.Subscript, node: ast.expr, scope: Scope) -> None:
        """`table["field"]["type"] = …` and `said["type"] = …`."""
        key = str(literal(target.slice))
        if isinstance(target.value, ast.Subscript) and isinstance(target.value.value, ast.Name):
            table = scope.get(target.value.value.id)
            if isinstance(table, FieldTable):
                said = table.changed.setdefault(str(literal(target.value.slice)), {})
                if key == "flags":
                    said["flags"] = literal(node) if literal(node) is not MISSING else []
                else:
                    keywords.apply(self.tree, said, key, node)
        elif isinstance(target.value, ast.Name) and isinstance(said := scope.get(target.value.id), dict):
            keywords.apply(self.tree, said, key, node)

    def _edit_choices(self, node: ast.expr, scope: Scope) -> None:
        """`table["field"]["choices"].remove(X)` and `.append(X)`."""
        found = re.match(r"(\w+)\[['\"](\w+)['\"]\]\[['\"]choices['\"]\]\.(remove|append)\(", ast.unparse(node))
        table = scope.get(found.group(1)) if found else None
        if found is None or not isinstance(table, FieldTable) or not isinstance(node, ast.Call):
            return
        item = value(self.tree, node.args[0])
        held = describe(self.tree, table.owner, found.group(2)).get("choices")
        if held and not is_symbolic(item):
            left = [choice for choice in held if choice != item]
            changed = table.changed.setdefault(found.group(2), {})
            changed["choices"] = [*left, item] if found.group(3) == "append" else left

    def _loop(self, node: ast.For, scope: Scope, only: str | None) -> None:
        source = re.match(r"(\w+)\.items\(\)$", ast.unparse(node.iter))
        table = scope.get(source.group(1)) if source else None
        if isinstance(table, FieldTable) and "add_argument" in ast.unparse(node):
            self._every_field(table)
            return
        items = _items(node.iter)
        if items is None:
            if "add_argument" in ast.unparse(node):
                self.problems.append(f"loop: {ast.unparse(node)[:100]}")
            return
        for item in items:
            self.run(node.body, {**scope, **_bound(node.target, item)}, only)

    def _every_field(self, table: FieldTable) -> None:
        """`for name, kwargs in table.items(): parser.add_argument(f"--{name}", **kwargs)`."""
        for name in self.tree.fields(table.owner):
            said = self._described(table, name)
            self._add([*said.pop("flags", []), "--" + name.replace("_", "-")], said)

    def _calls(self, node: ast.expr, scope: Scope, only: str | None) -> None:
        for call in ast.walk(node):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            owner = call.func.value.id if isinstance(call.func.value, ast.Name) else None
            if call.func.attr == "add_argument" and only in (None, owner):
                self._argument(call, scope)

    def _argument(self, call: ast.Call, scope: Scope) -> None:
        given = [_text(argument, scope) for argument in call.args]
        names = [name for name in given if name]
        if not names:
            self.problems.append(f"call: {ast.unparse(call)[:100]}")
        if not names or not names[0].startswith("-"):
            return
        said: Description = {}
        for keyword in call.keywords:
            if keyword.arg is None and isinstance(base := self.known(keyword.value, scope), dict):
                said.update(base)
        for keyword in sorted((k for k in call.keywords if k.arg), key=lambda k: keywords.order(k.arg)):
            keywords.apply(self.tree, said, str(keyword.arg), _bound_value(keyword, scope))
        self._add(names, said)

    def _add(self, names: list[str], said: Description) -> None:
        name = next((n for n in names if n.startswith("--")), names[0])
        maybe = said.pop("maybe_deprecated", False)
        if maybe or said.get("deprecated"):
            said["deprecated"] = True
        aliases = [n for n in names if n != name]
        self.flags[name] = {"kind": "str", **said, **({"aliases": aliases} if aliases else {})}


def _text(node: ast.expr, scope: Scope) -> str | None:
    found = scope.get(node.id) if isinstance(node, ast.Name) else literal(node)
    return found if isinstance(found, str) else None


def _bound_value(keyword: ast.keyword, scope: Scope) -> ast.expr:
    """A loop variable as the literal that it stands for."""
    if not isinstance(keyword.value, ast.Name) or keyword.value.id not in scope:
        return keyword.value
    held = scope[keyword.value.id]
    if isinstance(held, FieldTable | dict):
        return keyword.value
    is_type = keyword.arg == "type" and isinstance(held, str)
    return ast.parse(held, mode="eval").body if is_type else ast.Constant(held)


def _items(node: ast.expr) -> list[Any] | None:
    """The items of a literal list; names inside tuples as text."""
    plain = literal(node)
    if plain is not MISSING:
        return list(plain)
    if not isinstance(node, ast.List | ast.Tuple):
        return None
    return [
        tuple(ast.unparse(part) if literal(part) is MISSING else literal(part) for part in item.elts)
        if isinstance(item, ast.Tuple | ast.List)
        else literal(item)
        for item in node.elts
    ]


def _bound(target: ast.expr, item: Any) -> Scope:
    if isinstance(target, ast.Name):
        return {target.id: item}
    if isinstance(target, ast.Tuple) and isinstance(item, tuple):
        return {name.id: part for name, part in zip(target.elts, item, strict=False) if isinstance(name, ast.Name)}
    return {}
