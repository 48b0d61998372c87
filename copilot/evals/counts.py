"""What the cases are, counted: the tables of cases/README.md."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from copilot.evals.dataset import Entry, find_cases
from copilot.evals.split import split_of
from copilot.recorded import read_case

BEGIN = "<!-- counted by tools/lint_cases.py: do not edit -->"
END = "<!-- end of the count -->"
SPLITS = ("dev", "test")


def counted(root: Path) -> str:
    """The tables, in Markdown."""
    entries = find_cases(root)
    material = sum(not read_case(path.parent).confirmed for path in root.glob("*/case.toml"))
    properties: tuple[tuple[str, Callable[[Entry], str]], ...] = (
        ("kind", lambda entry: entry.kind),
        ("expected status", lambda entry: entry.case.expect.status),
        ("engine", lambda entry: entry.case.engine),
        ("platform", lambda entry: entry.case.platform),
        ("source", lambda entry: entry.case.source),
        ("rounds", lambda entry: str(1 + len(entry.case.rounds))),
        ("faults", lambda entry: str(len(entry.case.expect.fault))),
        ("has a decoy", lambda entry: "yes" if _has_decoy(entry) else "no"),
    )
    head = f"{len(entries)} scored cases; {material} more are material only (`confirmed = false`)."
    return "\n\n".join([BEGIN, head, *(_table(name, entries, of) for name, of in properties), END])


def _has_decoy(entry: Entry) -> bool:
    """Whether something in the case is there to be mistaken for a cause."""
    return bool(entry.case.expect.decoy_lines or entry.case.expect.decoy_parameters)


def _table(name: str, entries: Sequence[Entry], of: Callable[[Entry], str]) -> str:
    """One property, per split."""
    total = Counter(of(entry) for entry in entries)
    cells: Counter[tuple[str, str]] = Counter((of(entry), split_of(entry.slug)) for entry in entries)
    rows = [f"| {name} | cases | {' | '.join(SPLITS)} |", "|---|---|---|---|"]
    for value, number in sorted(total.items(), key=lambda item: (-item[1], item[0])):
        rows.append(f"| {value} | {number} | {' | '.join(str(cells[value, side]) for side in SPLITS)} |")
    return "\n".join(rows)


def with_counts(text: str, tables: str) -> str:
    """A README with its tables replaced; ValueError when it has no place for them."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the README has no place between {BEGIN} and {END}")
    return before + tables + after
