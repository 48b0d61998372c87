"""The cases of a run: found, filtered, and cut into shards, always in the same order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from copilot.errors import UsageError
from copilot.evals.split import split_of
from copilot.recorded import Case, read_case

KEYS = ("kind", "engine", "platform", "source", "split", "status", "version", "slug")


@dataclass(frozen=True)
class Entry:
    """A case and where it is."""

    slug: str
    folder: Path
    case: Case

    @property
    def kind(self) -> str:
        """What the report groups by: the case's own word, else the first fault's category or the status."""
        faults = self.case.expect.fault
        return self.case.kind or (faults[0].category if faults else self.case.expect.status)

    def facts(self) -> Mapping[str, str]:
        """What `--filter` can ask for."""
        case = self.case
        return {
            "kind": self.kind,
            "engine": case.engine,
            "platform": case.platform,
            "source": case.source,
            "split": split_of(self.slug),
            "status": case.expect.status,
            "version": case.version,
            "slug": self.slug,
        }


@dataclass(frozen=True)
class Selection:
    """Which cases a run takes."""

    filters: Mapping[str, str] = field(default_factory=dict)
    limit: int | None = None
    shard: tuple[int, int] = (1, 1)
    """(which, of how many), from 1."""


def find_cases(root: Path) -> tuple[Entry, ...]:
    """Every confirmed case below a folder (or the folder itself), by slug. UsageError when there is none."""
    folders = [root] if (root / "case.toml").is_file() else sorted(path.parent for path in root.glob("*/case.toml"))
    entries = [Entry(folder.name, folder, read_case(folder)) for folder in folders]
    scored = tuple(entry for entry in entries if entry.case.confirmed)
    if not scored:
        raise UsageError(
            f"{root} holds no confirmed case.", "Name a folder with --cases; docs/evals.md tells the format."
        )
    return scored


def select(entries: Sequence[Entry], wanted: Selection) -> tuple[Entry, ...]:
    """Filter, then shard, then limit: cases evenly over the whole order, not the first of the alphabet."""
    kept = [entry for entry in entries if _fits(entry, wanted.filters)]
    which, of = wanted.shard
    kept = [entry for number, entry in enumerate(kept) if number % of == which - 1]
    if wanted.limit is not None and wanted.limit < len(kept):
        kept = [kept[number * len(kept) // wanted.limit] for number in range(wanted.limit)]
    if not kept:
        said = ", ".join(f"{key}={value}" for key, value in wanted.filters.items()) or "the shard"
        raise UsageError(f"No case fits {said}.", f"Keys: {', '.join(KEYS)}; see the kinds in docs/evals.md.")
    return tuple(kept)


def _fits(entry: Entry, filters: Mapping[str, str]) -> bool:
    """Every key equals one of its comma-separated values."""
    facts = entry.facts()
    return all(facts[key] in value.split(",") for key, value in filters.items())


def parse_filters(given: Iterable[str]) -> dict[str, str]:
    """`kind=auth` → a mapping; UsageError for an unknown key."""
    found: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or key not in KEYS:
            raise UsageError(f"--filter {text} is not KEY=VALUE.", f"Keys: {', '.join(KEYS)}.")
        found[key] = value
    return found


def parse_shard(text: str | None) -> tuple[int, int]:
    """`2/8` → (2, 8); UsageError for anything else."""
    if text is None:
        return 1, 1
    which, _, of = text.partition("/")
    if not (which.isdigit() and of.isdigit() and 1 <= int(which) <= int(of)):
        raise UsageError(f"--shard {text} is no shard.", "Write it as 2/8: the second of eight.")
    return int(which), int(of)
