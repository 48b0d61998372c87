"""Who may import whom (docs/how-it-works.md), read from the source; and the limits of size."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "copilot"
PURE = {"redaction", "logs", "compose", "parameters", "ledger"}
MAY: dict[str, set[str]] = {
    "model": {"model"},
    "errors": set(),
    "places": set(),
    **{name: {"model", "errors", name} for name in PURE},
    "collect": {"model", "errors", "parameters", "collect"},
    "compose": {"model", "errors", "collect", "compose"},
    "engines": {"model", "errors", "engines", *PURE},
    "signatures": {"model", "errors", "engines", "signatures", *PURE},
    "ports": {"model", "errors", "ports"},
    "prompting": {"model", "errors", "parameters", "ledger", "ports", "prompts", "prompting"},
    "checks": {"model", "errors", "parameters", "ledger", "checks"},
    "config": {"model", "errors", "providers"},
    "text": {"model", "errors", "text"},
    "session": {"model", "errors", "round_files"},
    "round_files": {"model", "errors"},
    "recorded": {"model", "errors", "session", "redaction", "ports"},
    "waiting": {"model", "errors", "ports"},
    "render": {"model", "errors", "text", "session", "render", "ledger", "logs"},
}
"""Package -> what it may import of ours. `workflow` may import all of these but `config`, `session`, `render`."""
WORKFLOW = {"model", "errors", "text", "ports", "prompting", "checks", "collect", "engines", "signatures", *PURE}
WORKFLOW |= {"workflow"}
SDKS = {"openai", "langgraph", "docker", "pynvml", "keyring", "tiktoken", "rich", "typer", "inspect_ai"}
WHERE: dict[str, tuple[str, ...]] = {
    "rich": ("render/", "cli/"),
    "typer": ("cli/",),
    "langgraph": ("workflow/graph.py",),
    "inspect_ai": ("evals/",),
}


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def name_of(path: Path) -> str:
    first = path.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


def imports(path: Path) -> list[tuple[str, bool]]:
    """(dotted name, at the top of the module)."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top = {id(node) for node in tree.body}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, id(node) in top) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [f"{node.module}.{a.name}" for a in node.names] if node.module == "copilot" else [node.module]
            found += [(name, id(node) in top) for name in names]
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    allowed = WORKFLOW if name_of(path) == "workflow" else MAY.get(name_of(path))
    if allowed is None:
        return
    ours = {name.split(".")[1] for name, _ in imports(path) if name.startswith("copilot.")}
    assert ours <= allowed, f"{path.relative_to(ROOT)} may not import {sorted(ours - allowed)}"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_one_sdk_has_one_place_and_is_imported_when_needed(path: Path) -> None:
    place = path.relative_to(ROOT).as_posix()
    for name, top in imports(path):
        sdk = name.split(".")[0]
        if sdk in SDKS:
            homes = WHERE.get(sdk, ("adapters/",))
            assert place.startswith(homes), f"{place} imports {sdk}"
            lazy = not top or sdk == "typer" or place.startswith(("evals/", "render/wrapping.py"))  # all of it is lazy
            assert lazy, f"{place} imports {sdk} at its top"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_functions_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 250 or path.name == "strings.py", "data aside, a file holds at most 250 lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            options = len(node.args.kwonlyargs) > 5  # a command: one parameter per option of the contract
            length = node.end_lineno - node.lineno + 1
            assert length <= 30 or options, f"{node.name} has {length} lines"


def test_the_walk_sees_the_code() -> None:
    assert len(modules()) > 50
    assert ("copilot.model.text", True) in imports(ROOT / "model" / "finding.py")
