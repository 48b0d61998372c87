"""The files of one round (contract §5), written for this user alone."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from copilot.model.evidence import Evidence, SourceText

SIDE_FILES = {"command": "command.txt", "inspect": "inspect.json", "gpu": "gpus.csv", "request": "request.txt"}
RESOLVED = "compose/resolved.json"
"""The service as compose itself resolved it: what `extends`, `include` and `env_file` add stands in no file here."""


def write_round(folder: Path, evidence: Evidence) -> None:
    """The evidence as the files of a case's round."""
    for text in evidence.texts:
        name = {"log": "server.log", **SIDE_FILES}.get(text.source)
        if name is not None:
            write_file(folder / name, text.text)
    _composes(folder, [t for t in evidence.texts if t.source == "compose"])
    if evidence.resolved is not None:
        make_folder(folder / "compose")
        write_file(folder / RESOLVED, evidence.resolved)
    write_file(folder / "host.json", evidence.host.model_dump_json(exclude_defaults=True))
    if evidence.architecture is not None and evidence.architecture.origin == "config":
        write_file(folder / "architecture.json", evidence.architecture.model_dump_json(exclude_defaults=True))


def _composes(folder: Path, texts: Sequence[SourceText]) -> None:
    """One compose file as `compose.yaml`; several in `compose/`, with their order and the names they are shown by."""
    order: list[str] = []
    for text in texts:
        base = text.file.rpartition("/")[2]
        env = base.endswith(".env")
        stored = base if base not in {line.partition("\t")[0] for line in order} else f"{len(order)}-{base}"
        order.append(f"{stored}\t{text.file}")
        if not env:
            make_folder(folder / "compose")
        write_file(folder / ".env" if env else folder / "compose" / stored, text.text)
    names = [text.file for text in texts]
    if names and set(names) <= {"compose.yaml", ".env"}:
        if "compose.yaml" in names:
            (folder / "compose" / "compose.yaml").rename(folder / "compose.yaml")
            (folder / "compose").rmdir()
    elif names:
        make_folder(folder / "compose")
        write_file(folder / "compose" / "order.txt", "\n".join(order) + "\n")


def make_folder(folder: Path) -> None:
    """A folder for this user alone, and so are those above it that were missing: `parents` alone leaves them open."""
    for missing in reversed([above for above in (folder, *folder.parents) if not above.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def open_private(path: Path) -> TextIO:
    """An empty file for this user alone, open for writing; a link in its place is not followed."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    return os.fdopen(descriptor, "w", encoding="utf-8", newline="")


def write_file(path: Path, text: str) -> None:
    """A file for this user alone, on the disk when this returns."""
    with open_private(path) as handle:
        handle.write(text)
        handle.flush()
        os.fsync(handle.fileno())
