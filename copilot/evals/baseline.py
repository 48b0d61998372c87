"""The playbook over every case, compared with a committed baseline: a drop names its case."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from copilot.evals.answering import Asking, answer_case
from copilot.evals.dataset import Entry
from copilot.evals.split import split_of
from copilot.evals.values import values_of

KEPT = (
    "root_parameter", "root_any", "lines_cited", "faults_f1", "no_decoy", "experiment", "one_change", "abstained",
    "status", "verdict",
)  # fmt: skip
"""The scores a baseline holds; the same names as in the eval."""
DIGITS = 3

Scores = Mapping[str, Mapping[str, float]]
"""Slug -> score -> value; scores that say nothing about a case are left out."""


def measure(entries: Iterable[Entry]) -> Scores:
    """The playbook's scores, through the product's own workflow, offline, one case after another."""
    return {entry.slug: scores_of(entry) for entry in entries}


def scores_of(entry: Entry) -> Mapping[str, float]:
    """One case's scores."""
    values = values_of(entry.case, answer_case(entry, Asking()), "en")
    return {name: round(value, DIGITS) for name in KEPT if (value := values[name]) is not None}


def dropped(before: Scores, now: Scores) -> tuple[str, ...]:
    """`slug: score was → is` for each score that fell or vanished, and each case that is gone."""
    found = []
    for slug, old in sorted(before.items()):
        if slug not in now:
            found.append(f"{slug}: not measured any more")
            continue
        for name, value in old.items():
            fresh = now[slug].get(name)
            if fresh is None or fresh < value:
                found.append(f"{slug}: {name} {value} → {fresh}")
    return tuple(found)


def means(entries: Iterable[Entry], scores: Scores) -> Mapping[str, Mapping[str, float]]:
    """`split/kind`, and `split` as a whole -> score -> mean over the cases that have it."""
    groups: dict[str, dict[str, list[float]]] = {}
    for entry in entries:
        side = split_of(entry.slug)
        for name, value in scores.get(entry.slug, {}).items():
            for group in (side, f"{side}/{entry.kind}"):
                groups.setdefault(group, {}).setdefault(name, []).append(value)
    return {
        group: {name: round(sum(values) / len(values), DIGITS) for name, values in sorted(found.items())}
        for group, found in sorted(groups.items())
    }


def read(path: Path) -> Scores:
    """A baseline from the disk."""
    found: Scores = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return found


def write(path: Path, entries: Iterable[Entry], scores: Scores) -> None:
    """A baseline to the disk: one line per case, so that a diff names the cases."""
    groups = means(entries, scores)
    head = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in groups.items())
    rows = ",\n".join(f"  {json.dumps(slug)}: {json.dumps(dict(scores[slug]))}" for slug in sorted(scores))
    text = f'{{"schema": "copilot.baseline/1",\n "means": {{\n{head}\n }},\n "cases": {{\n{rows}\n }}}}\n'
    path.write_text(text, encoding="utf-8")
