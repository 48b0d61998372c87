"""The records on disk: one small file each, readable by the person alone."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from copilot.errors import UsageError
from copilot.model.measurement import Measurement

_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,63}")


@dataclass(frozen=True)
class Store:
    """A folder of measurements."""

    folder: Path

    def save(self, record: Measurement) -> Path:
        """Write a record whole or not at all; UsageError when the disk refuses."""
        path = self._path(record.id)
        scratch = path.with_suffix(".tmp")
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(record.model_dump_json(by_alias=True, indent=1))
            scratch.replace(path)
        except OSError as error:
            why = f"The measurement cannot be kept: {error.strerror}."
            raise UsageError(why, "Make room; --json prints it as well.") from error
        return path

    def ids(self) -> list[str]:
        """All ids, newest first."""
        return sorted((path.stem for path in self.folder.glob("*.json")), reverse=True)

    def read(self, name: str) -> Measurement:
        """The record of this id, or the only one that begins so; UsageError for none, several, or a damaged file."""
        if not _ID.fullmatch(name):
            raise UsageError(f"{name!r} is no id of a measurement.", "`copilot measure list` shows them.")
        known = self.ids()
        matching = [name] if name in known else [one for one in known if one.startswith(name)]
        if len(matching) != 1:
            word = "There is no measurement" if not matching else "Several measurements begin with"
            raise UsageError(f"{word} {name}.", "`copilot measure list` shows them.")
        try:
            return Measurement.model_validate_json(self._path(matching[0]).read_bytes())
        except ValidationError as error:
            raise UsageError(f"The measurement {matching[0]} is damaged.", "Measure again.") from error

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"
