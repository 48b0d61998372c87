"""`copilot --help` loads nothing heavy: exact, without a clock."""

import subprocess
import sys

HEAVY = {
    "openai", "langgraph", "langchain_core", "langsmith", "docker", "requests", "httpx", "keyring", "tiktoken",
    "pynvml", "ruamel", "pydantic", "inspect_ai", "rich.markdown", "rich.live",
}  # fmt: skip


def loaded(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint('\\n'.join(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_building_the_command_line_imports_no_heavy_package() -> None:
    assert not HEAVY & loaded("from copilot.cli.main import build\nbuild()")


def test_the_probe_would_see_a_heavy_package() -> None:
    assert "pydantic" in loaded("import copilot.model.answer")
