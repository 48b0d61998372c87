"""The machine itself: kernel, WSL, memory, free disk. Linux and WSL by `/proc`; elsewhere as far as Python tells."""

import json
import os
import platform
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from copilot.ports import RawText

_GIB = 1 << 30


@dataclass(frozen=True)
class LiveHost:
    """The machine that copilot runs on."""

    proc: Path = Path("/proc")
    disks: tuple[Path, ...] = field(default=(Path("/var/lib/docker"), Path("~/.cache/huggingface"), Path("~")))
    """Where models and images lie; the first that is there is measured."""

    def read(self) -> RawText:
        """JSON of `HostFacts`; what this machine does not tell is left out."""
        facts: dict[str, object] = {"system": self._system(), "kernel": platform.release(), **self._memory()}
        free = self._disk()
        if free is not None:
            facts["disk_free_gib"] = free
        return json.dumps(facts)

    def _system(self) -> str:
        names = {"Darwin": "macos", "Windows": "windows"}
        version = _text(self.proc / "version").lower()
        if "microsoft" in version:
            return "wsl2" if "wsl2" in version or "standard" in version else "wsl1"
        return names.get(platform.system(), "linux")

    def _memory(self) -> dict[str, object]:
        found: dict[str, object] = {}
        for line in _text(self.proc / "meminfo").splitlines():
            name, _, rest = line.partition(":")
            key = {"MemTotal": "memory_gib", "MemAvailable": "memory_free_gib"}.get(name)
            number = rest.split()[:1]
            if key and number and number[0].isdigit():
                found[key] = round(int(number[0]) * 1024 / _GIB, 2)
        return found

    def _disk(self) -> float | None:
        for folder in self.disks:
            path = folder.expanduser()
            if os.access(path, os.R_OK):
                return round(shutil.disk_usage(path).free / _GIB, 2)
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
