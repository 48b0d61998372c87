"""The product's own command, run with folders and an environment of its own."""

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
VARIABLES = ("OPENAI_", "COPILOT_", "HTTP", "http", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy", "XDG_", "HF_")
"""Beginnings of variables of the person who runs the tests that must not decide anything here."""


@dataclass
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Person:
    """Somebody with a home of their own. `keyring`: a backend's name, as the keyring package takes it."""

    home: Path
    keyring: str = "keyring.backends.fail.Keyring"
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def config(self) -> Path:
        return self.home / "config" / "log2fix" / "config.toml"

    def run(self, *arguments: str, typed: str = "", **environ: str) -> Done:
        """In this process, which is quick; its environment is put back afterwards."""
        from copilot.cli.main import main

        saved, folder, entry = dict(os.environ), Path.cwd(), sys.stdin
        out, err = io.StringIO(), io.StringIO()
        try:
            os.environ.clear()
            os.environ.update(self.environment(environ))
            os.chdir(self.home)
            sys.stdin = io.StringIO(typed)
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main(list(arguments))
        finally:
            os.environ.clear()
            os.environ.update(saved)
            os.chdir(folder)
            sys.stdin = entry
        return Done(code, out.getvalue(), err.getvalue())

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(VARIABLES)}
        own = {
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_DATA_HOME": str(self.home / "data"),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}",
            "PYTHON_KEYRING_BACKEND": self.keyring,
            "DOCKER_HOST": "unix:///nowhere/docker.sock",
            "LANG": "C.UTF-8",
        }
        return {**kept, **own, **self.environ, **more}

    def apart(self, *arguments: str, typed: str = "", **environ: str) -> Done:
        """In a process of its own: the keyring package chooses its backend once in each."""
        done = subprocess.run(
            [sys.executable, "-m", "copilot.cli", *arguments],
            input=typed,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            cwd=self.home,
            env=self.environment(environ),
        )
        return Done(done.returncode, done.stdout, done.stderr)
