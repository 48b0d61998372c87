"""Lists of accepted values that the source keeps elsewhere than at a flag."""

import ast
import re

from parameter_sources.annotations import hints
from parameter_sources.tree import Tree
from parameter_sources.values import literal

_LITERALS = {"QuantizationMethods": "quantization", "LoadFormats": "load_format", "CacheDType": "kv_cache_dtype"}
_REGISTERED = re.compile(r"ParserManager\.register_module\(\s*(?:name\s*=\s*)?(\[[^\]]*\]|\"[^\"]+\"|'[^']+')")
_MODELS = re.compile(r"_[A-Z_]*MODELS")


def value_lists(tree: Tree) -> dict[str, list[str]]:
    """Attention backends, quantization, load formats, KV-cache types, parsers, architectures: what each may be."""
    found: dict[str, list[str]] = {}
    for name in ("AttentionBackendEnum", "_Backend"):
        members = tree.members(name)
        if members and "attention_backends" not in found:
            found["attention_backends"] = list(members)
    for name, key in _LITERALS.items():
        values = hints(tree, tree.constants.get(name)).literals
        if values:
            found[key] = [str(value) for value in values]
    found.setdefault("quantization", _keys(tree.constants.get("QUANTIZATION_METHODS")))
    formats = tree.members("LoadFormat")
    found.setdefault("load_format", [str(value) for value in (formats or {}).values()])
    found.update(_parsers(tree))
    found["architectures"] = _architectures(tree)
    return {key: values for key, values in found.items() if values}


def _keys(node: ast.expr | None) -> list[str]:
    if isinstance(node, ast.Dict):
        return [str(literal(key)) for key in node.keys if key]
    return [str(literal(item)) for item in node.elts] if isinstance(node, ast.List) else []


def _parsers(tree: Tree) -> dict[str, list[str]]:
    """Names that tool-call and reasoning parsers are registered under."""
    tools: set[str] = set()
    reasoning: set[str] = set()
    for name, text in tree.files.items():
        if "parsers/" not in name and "/reasoning/" not in name:
            continue
        held = reasoning if "reasoning" in name else tools
        for match in _REGISTERED.finditer(text):
            given = ast.literal_eval(match.group(1))
            held.update([given] if isinstance(given, str) else given)
        for node in tree.modules[name].body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            if isinstance(target, ast.Name) and target.id.endswith("_TO_REGISTER"):
                held.update(_keys(getattr(node, "value", None)))
    return {"tool_call_parser": sorted(tools), "reasoning_parser": sorted(reasoning)}


def _architectures(tree: Tree) -> list[str]:
    """Model classes of the registry (`architectures` of a config.json)."""
    found: set[str] = set()
    module = tree.modules.get("vllm/model_executor/models/registry.py")
    for node in module.body if module else []:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and _MODELS.fullmatch(target.id) and isinstance(value, ast.Dict):
            found.update(str(literal(key)) for key in value.keys if key and isinstance(literal(key), str))
    return sorted(found)
