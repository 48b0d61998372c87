"""Make the table of docs/scores.md: what the signatures alone make of every recorded case, per engine.

python tools/score_signatures.py           print the table
python tools/score_signatures.py --write   put it into docs/scores.md
python tools/score_signatures.py --check   exit 1 when docs/scores.md holds another table
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from copilot.evals.answering import Asking, answer_case
from copilot.evals.dataset import Entry, find_cases
from copilot.evals.score import Score, score
from copilot.evals.split import split_of
from copilot.model.answer import Answer

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "scores.md"
BEGIN, END = "<!-- table: tools/score_signatures.py -->", "<!-- end of table -->"
COLUMNS = (
    "cases of",
    "n",
    "first fault",
    "experiment",
    "decisive lines",
    "faults kept apart (F1)",
    "decoys taken",
    "healthy called ill",
    "status",
)
HEAD = ("| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS))
Scored = tuple[Entry, Answer, Score]


def main() -> int:
    """Exit code 0 when the page is up to date."""
    parser = argparse.ArgumentParser(description="Score the signatures on the recorded cases.")
    parser.add_argument("--write", action="store_true", help="write the table into docs/scores.md")
    parser.add_argument("--check", action="store_true", help="compare the table with docs/scores.md")
    options = parser.parse_args()
    table = "\n".join(rows([scored(entry) for entry in find_cases(ROOT / "cases")]))
    print(table)
    page = PAGE.read_text(encoding="utf-8")
    fresh = with_table(page, table)
    if options.write:
        PAGE.write_text(fresh, encoding="utf-8")
    if options.check and fresh != page:
        print("docs/scores.md holds another table: run with --write.", file=sys.stderr)
        return 1
    return 0


def scored(entry: Entry) -> Scored:
    """The playbook's answer to the round that the case speaks of, and its score."""
    answers = answer_case(entry, Asking()).answers
    answer = answers[min(entry.case.round, len(answers)) - 1]
    return entry, answer, score(entry.case, answer, entry.case.round)


def rows(found: Sequence[Scored]) -> list[str]:
    """One row per engine, per half of the split, and for all."""
    groups: dict[str, list[Scored]] = {}
    for one in found:
        for name in (one[0].case.engine, f"half: {split_of(one[0].slug)}"):
            groups.setdefault(name, []).append(one)
    ordered = sorted(groups, key=lambda name: (name.startswith("half"), name))
    return [*HEAD, *(row(name, groups[name]) for name in ordered), row("all", found)]


def row(name: str, found: Sequence[Scored]) -> str:
    """Shares as `right/scored`; a case counts where it says something about the score."""
    scores = [one[2] for one in found]
    healthy = [answer for entry, answer, _ in found if entry.case.expect.status == "healthy"]
    ill = sum(answer.status != "healthy" for answer in healthy)
    cells = [
        name,
        str(len(found)),
        share(s.root_first for s in scores),
        share(s.experiment for s in scores),
        share(s.lines for s in scores),
        share(s.faults_f1 for s in scores),
        share(s.decoy for s in scores),
        f"{ill}/{len(healthy)}",
        share(s.status for s in scores),
    ]
    return "| " + " | ".join(cells) + " |"


def share(values: Iterable[float | bool | None]) -> str:
    """The sum over the cases that have a value, and their number."""
    known = [float(value) for value in values if value is not None]
    return f"{sum(known):.1f}".removesuffix(".0") + f"/{len(known)}"


def with_table(page: str, table: str) -> str:
    """The page with its table replaced. ValueError where the markers are missing."""
    before, found, rest = page.partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not found or not closed:
        raise ValueError(f"{PAGE.name} lacks the markers of the table")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


if __name__ == "__main__":
    sys.exit(main())
