"""The record of one trouble on disk: rounds, answers, and what was tried. Redacted, append-only, versioned.

    <data>/sessions/<id>/
        session.json        schema, id, title, image, engine, service, what was tried, the redactor's state
        sources.json        the options the person gave (paths); never part of a collected case
        round-N/            the files of a case (contract §5)
        answers/N.json      the answer, schema copilot.answer/1

A round is written beside its place and renamed; `session.json` is renamed last. What is half written is never read: a
round counts when its answer is there. Folders are 0700, files 0600.
"""

import contextlib
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, ValidationError

from copilot.errors import UsageError
from copilot.model.answer import Answer, Change
from copilot.model.evidence import Evidence
from copilot.model.request import Sources
from copilot.model.text import Frozen
from copilot.round_files import make_folder, open_private, write_file, write_round

SCHEMA: Literal["copilot.session/1"] = "copilot.session/1"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,80}")


class Step(Frozen):
    """One experiment and what came of it."""

    round: int
    change: Change | None = None
    observe: str | None = None
    signature: str | None = None
    verdict: str | None = None
    in_effect: bool | None = None
    kept: bool = True


class Record(Frozen):
    """`session.json`."""

    schema_: Literal["copilot.session/1"] = Field(default=SCHEMA, alias="schema")
    id: str
    created: str
    title: str = ""
    status: Literal["open", "serving", "fixed", "stopped"] = "open"
    """serving: the log says so, nothing has asked it yet; fixed: it listed its model and answered a chat."""
    engine: str | None = None
    image: str | None = None
    service: str | None = None
    version: str | None = None
    platform: str | None = None
    history: tuple[Step, ...] = ()
    redactor: dict[str, object] = Field(default_factory=dict)

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


@dataclass(frozen=True)
class Sessions:
    """All sessions below one folder."""

    root: Path

    def folder(self, name: str) -> Path:
        """The folder of a session; UsageError for a name that is none."""
        if not _ID.fullmatch(name):
            raise UsageError(f"{name!r} is no session id.", "`copilot sessions list` shows them.")
        return self.root / name

    def ids(self) -> tuple[str, ...]:
        """Sessions that can be read, newest first."""
        if not self.root.is_dir():
            return ()
        found = [p for p in self.root.iterdir() if (p / "session.json").is_file()]
        return tuple(p.name for p in sorted(found, key=lambda p: (p / "session.json").stat().st_mtime, reverse=True))

    def read(self, name: str) -> Record:
        """The record; UsageError when there is none or when it is of a newer format."""
        path = self.folder(name) / "session.json"
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise UsageError(f"There is no session {name}.", "`copilot sessions list` shows them.") from None
        except (OSError, json.JSONDecodeError, UnicodeDecodeError) as error:
            raise UsageError(f"Session {name} cannot be read: {error}.", "Delete it, or restore the file.") from error
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            found = data.get("schema") if isinstance(data, dict) else None
            raise UsageError(
                f"Session {name} has the format {found}, this copilot reads {SCHEMA}.",
                "Use the copilot that wrote it, or begin a new session.",
            )
        try:
            return Record.model_validate(data)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise UsageError(f"Session {name} is damaged at {where}.", "Delete it, or restore the file.") from error

    def answers(self, name: str) -> tuple[Answer, ...]:
        """The answers so far, in order."""
        folder = self.folder(name) / "answers"
        found = sorted((int(p.stem), p) for p in folder.glob("*.json") if p.stem.isdigit())
        return tuple(Answer.model_validate_json(path.read_bytes()) for _, path in found)

    def sources(self, name: str) -> Sources:
        """The options the session was begun with."""
        path = self.folder(name) / "sources.json"
        return Sources.model_validate_json(path.read_bytes()) if path.is_file() else Sources()

    def started(self, name: str) -> str:
        """When the last round's start began (State.StartedAt); empty where no inspect was collected."""
        answers = self.answers(name)
        path = self.folder(name) / f"round-{len(answers)}" / "inspect.json"
        if not path.is_file():
            return ""
        found = json.loads(path.read_text(encoding="utf-8"))
        first = found[0] if isinstance(found, list) else found
        return str((first.get("State") or {}).get("StartedAt") or "")

    def delete(self, name: str) -> None:
        """Remove a session; UsageError when there is none."""
        self.read(name)
        shutil.rmtree(self.folder(name))

    @contextlib.contextmanager
    def locked(self, name: str) -> Iterator[None]:
        """Hold the session for this process; UsageError when another process has it."""
        import fcntl

        folder = self.folder(name)
        try:
            make_folder(folder)
            handle = open_private(folder / ".lock")
        except OSError as error:
            raise _unwritable(folder, error) from error
        with handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise UsageError(
                    f"Another copilot is at work on session {name}.", "Wait for it, or begin a new session."
                ) from None
            try:
                yield
            finally:
                if not (folder / "session.json").is_file():
                    shutil.rmtree(folder, ignore_errors=True)  # nothing was answered: leave no empty session

    def save(self, record: Record, sources: Sources, evidence: Evidence, answer: Answer) -> None:
        """Write one round; when this returns, killing the process loses nothing of it.

        Raises UsageError on a full or read-only disk.
        """
        folder = self.folder(record.id)
        try:
            make_folder(folder / "answers")
            _round(folder, answer.round, evidence)
            _replace(folder / "sources.json", sources.model_dump_json(indent=1))
            _replace(folder / "answers" / f"{answer.round}.json", answer.model_dump_json(by_alias=True, indent=1))
            _replace(folder / "session.json", record.model_dump_json(by_alias=True, indent=1))
        except OSError as error:
            raise _unwritable(folder, error) from error

    def update(self, record: Record) -> None:
        """Write only the record (its status)."""
        _replace(self.folder(record.id) / "session.json", record.model_dump_json(by_alias=True, indent=1))


def _unwritable(folder: Path, error: OSError) -> UsageError:
    """The disk is full, or the folder is read-only or somebody else's."""
    return UsageError(
        f"The session cannot be written to {folder}: {error.strerror}.",
        "Free some space, or set XDG_DATA_HOME to another folder.",
    )


def _round(folder: Path, number: int, evidence: Evidence) -> None:
    """Write a round beside its place, then rename it; what was there (a round without an answer) goes."""
    place, beside = folder / f"round-{number}", folder / f".round-{number}.new"
    shutil.rmtree(beside, ignore_errors=True)
    make_folder(beside)
    write_round(beside, evidence)
    if place.exists():
        shutil.rmtree(place)
    beside.rename(place)


def _replace(path: Path, text: str) -> None:
    """Write beside, then rename: a reader sees the old text or the new one."""
    beside = path.with_name(f".{path.name}.new")
    write_file(beside, text)
    beside.replace(path)
