"""Everything about one release of vLLM, from its files."""

import ast
import re
from typing import Any

from parameter_sources.annotations import keys
from parameter_sources.archives import Files
from parameter_sources.environment import variables
from parameter_sources.lists import value_lists
from parameter_sources.parser_calls import FieldTable, ParserCalls
from parameter_sources.tree import Tree
from parameter_sources.values import plain

Release = dict[str, Any]
"""flags, env, configs ("Class.key"), values; and problems: statements that could not be followed."""
_CLI = tuple(f"vllm/entrypoints/{place}/cli_args.py" for place in ("common", "launchers", "openai"))
_WITHOUT_FLAG = ("SpeculativeConfig", "CompilationConfig", "KVTransferConfig")
_KEPT = ("choices", "suggested", "default", "config", "json", "deprecated")


def read(files: Files) -> Release:
    """Flags of `vllm serve`, variables, keys of JSON flags and lists of values."""
    tree = Tree(files)
    calls = ParserCalls(tree)
    _own(tree, calls)
    _front_end(tree, calls)
    for owner in ("EngineArgs", "AsyncEngineArgs"):
        for name in ("add_cli_args", "add_cli_args_for_vlm"):
            calls.run(tree.function(owner, name), {})
    paired = "EnableDisableAction" in files.get("vllm/utils/argparse_utils.py", "")
    flags = {name: _flag(name, said, paired=paired) for name, said in sorted(calls.flags.items())}
    return {
        "flags": flags,
        "env": variables(tree),
        "configs": _configs(tree, flags),
        "values": value_lists(tree),
        "problems": calls.problems,
    }


def negations(names: list[str], *, paired: bool) -> list[str]:
    """How a switch is turned off: `--no-x`; with EnableDisableAction (0.33) also `--disable-x` for `--enable-x`."""
    long = [name for name in names if name.startswith("--")]
    found = ["--no-" + name[2:] for name in long]
    for name in long if paired else []:
        for prefix, other in (("--enable-", "--disable-"), ("--disable-", "--enable-")):
            if name.startswith(prefix):
                found.append(other + name.removeprefix(prefix))
    return found


def _own(tree: Tree, calls: ParserCalls) -> None:
    """Flags of the sub-command itself."""
    for place in ("vllm/scripts.py", "vllm/entrypoints/cli/serve.py"):
        for node in ast.walk(tree.modules[place]) if place in tree.modules else ():
            if isinstance(node, ast.FunctionDef):
                calls.run(node.body, {}, only="serve_parser")


def _front_end(tree: Tree, calls: ParserCalls) -> None:
    """Flags of the API server: fields of FrontendArgs since 0.10, plain calls before."""
    scope = {"frontend_kwargs": FieldTable("FrontendArgs")}
    for owner in ("BaseFrontendArgs", "FrontendArgs"):
        body = tree.function(owner, "_customize_cli_kwargs")
        calls.run([node for node in body if "super()" not in ast.unparse(node)], scope)
    body = tree.function("FrontendArgs", "add_cli_args") or tree.function("BaseFrontendArgs", "add_cli_args")
    calls.run([node for node in body if not _makes_table(node)], scope)
    for place in _CLI:
        if place in tree.modules:
            for node in tree.modules[place].body:
                if isinstance(node, ast.FunctionDef) and node.name == "make_arg_parser":
                    calls.run(node.body, {})
            return


def _makes_table(node: ast.stmt) -> bool:
    """The statement that makes the table, which `scope` already holds with its changes."""
    return isinstance(node, ast.Assign) and bool(
        re.search(r"get_kwargs\(|_customize_cli_kwargs", ast.unparse(node.value))
    )


def _flag(name: str, said: dict[str, Any], *, paired: bool) -> dict[str, Any]:
    found = {"kind": said["kind"]}
    if said.get("aliases"):
        found["aliases"] = said["aliases"]
    if said["kind"] == "bool":
        found["negations"] = negations([name, *said.get("aliases", [])], paired=paired)
    for key in _KEPT:
        if (key == "default" and key in said) or said.get(key) is not None:
            found[key] = plain(said[key])
    return found


def _configs(tree: Tree, flags: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Keys of every class that is given as JSON, and of the classes inside them."""
    waiting = [said["json"] for said in flags.values() if "json" in said]
    waiting += [name for name in _WITHOUT_FLAG if name in tree.classes]
    done: set[str] = set()
    found: dict[str, dict[str, Any]] = {}
    while waiting:
        owner = waiting.pop()
        if owner in done:
            continue
        done.add(owner)
        for key, said in keys(tree, owner).items():
            found[f"{owner}.{key}"] = {part: plain(held) for part, held in said.items()}
            waiting += [said["json"]] if "json" in said else []
    return found
