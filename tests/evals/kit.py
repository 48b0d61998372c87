"""What the tests of the evaluation share: a few cases, a provider on loopback, and the command as a process."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from copilot.places import config_file

ROOT = Path(__file__).parent.parent.parent
SLUGS = ("wsl2-pinned-memory", "start-share-above-free", "hub-content-store-refused")
UNKNOWN = json.dumps({"lines": [], "faults": [], "experiment": None, "status": "unknown", "missing": []})
"""A reply in the schema that knows nothing."""


def cases(folder: Path, slugs: Sequence[str] = SLUGS) -> Path:
    for slug in slugs:
        shutil.copytree(ROOT / "cases" / slug, folder / "cases" / slug)
    return folder / "cases"


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {number}" for key, number in value.items()) + " }"
    return json.dumps(value)


def configure(home: Path, url: str, name: str = "loopback", **more: object) -> None:
    place = config_file()
    assert home in place.parents
    place.parent.mkdir(parents=True, exist_ok=True)
    rows = [f"{key} = {_toml(value)}" for key, value in more.items()]
    place.write_text("\n".join([f"[providers.{name}]", f'base_url = "{url}"', 'model = "tiny"', *rows, ""]))


def environment() -> dict[str, str]:
    """The process's, with the checkout to import from."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}


def start(*arguments: str, cwd: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "copilot.cli", *arguments],
        cwd=cwd,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(*arguments: str, cwd: Path) -> tuple[int, str, str]:
    process = start(*arguments, cwd=cwd)
    out, err = process.communicate(timeout=600)
    return process.returncode, out, err
