"""What a getter of vllm/envs.py returns where no variable is set: evaluated, from a short list of safe expressions."""

import ast
from typing import Any

from parameter_sources.values import MISSING

_FUNCTIONS: dict[str, Any] = {
    "bool": bool,
    "int": int,
    "float": float,
    "str": str,
    "set": set,
    "list": list,
    "max": max,
    "min": min,
    "len": len,
    "tuple": tuple,
    "_maybe_bool": lambda text: None if text is None else bool(int(text)),
    "_maybe_int": lambda text: None if text is None else int(text),
}
_METHODS = frozenset({"lower", "upper", "strip", "split"})
_NODES = (
    ast.Expression,
    ast.Constant,
    ast.Call,
    ast.Name,
    ast.Load,
    ast.Compare,
    ast.BoolOp,
    ast.UnaryOp,
    ast.IfExp,
    ast.BinOp,
    ast.List,
    ast.Tuple,
    ast.Set,
    ast.Attribute,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
)
_CONVERTERS = {"maybe_convert_bool": "_maybe_bool", "maybe_convert_int": "_maybe_int"}


class _Unset(ast.NodeTransformer):
    """Rewrites a getter as if no variable were set."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = ast.unparse(node.func)
        if name in ("os.getenv", "os.environ.get"):
            return node.args[1] if len(node.args) > 1 else ast.Constant(None)
        if name in _CONVERTERS and len(node.args) == 1:
            return ast.Call(ast.Name(_CONVERTERS[name], ast.Load()), node.args, [])
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """`"X" in os.environ`."""
        self.generic_visit(node)
        if len(node.ops) == 1 and ast.unparse(node.comparators[0]) == "os.environ":
            return ast.Constant(isinstance(node.ops[0], ast.NotIn))
        return node


def unset_value(getter: ast.expr) -> Any:
    """The value with an empty environment; MISSING where that cannot be known without running the program."""
    body = getter.body if isinstance(getter, ast.Lambda) else getter
    expression = ast.Expression(_Unset().visit(ast.parse(ast.unparse(body), mode="eval").body))
    if not all(_safe(node) for node in ast.walk(expression)):
        return MISSING
    code = compile(ast.fix_missing_locations(expression), "<environment>", "eval")
    try:
        return eval(code, {"__builtins__": {}}, _FUNCTIONS)  # noqa: S307 - only the nodes and names above get here
    except (TypeError, ValueError, AttributeError, IndexError):
        return MISSING


def _safe(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _FUNCTIONS
    if isinstance(node, ast.Attribute):
        return node.attr in _METHODS
    return isinstance(node, _NODES)
