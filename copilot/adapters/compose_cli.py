"""Compose's own resolver, `docker compose config`: overrides, extends, include, profiles, interpolation."""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from copilot.adapters.wsl import local_path
from copilot.ports import RawText


@dataclass(frozen=True)
class ComposeCli:
    """The `docker compose` of this machine; it starts nothing, and needs no engine."""

    seconds: float = 5.0

    def resolve(self, files: Sequence[str], directory: str | None) -> RawText | None:
        """The project as JSON, all profiles included; None where compose is missing, refuses the files, or is late."""
        program = shutil.which("docker")
        paths = [local_path(f) for f in files]
        folder = local_path(directory) if directory else str(Path(paths[0]).parent) if paths else None
        if program is None or not paths or folder is None or not Path(folder).is_dir():
            return None
        named = [part for path in paths for part in ("-f", path)]
        command = [program, "compose", "--project-directory", folder, *named, "--profile", "*", "config"]
        try:
            done = subprocess.run(  # noqa: S603 - a list, no shell; the paths are the person's own
                [*command, "--format", "json"],
                capture_output=True,
                timeout=self.seconds,
                check=False,
                cwd=folder,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        text = done.stdout.decode("utf-8", "replace")
        return text if done.returncode == 0 and text.lstrip().startswith("{") else None
