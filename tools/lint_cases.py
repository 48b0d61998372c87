"""Hold the recorded cases against their rules, and count them into cases/README.md.

python tools/lint_cases.py [FOLDER]          print every problem; exit 1 when there is one, or the count is stale
python tools/lint_cases.py [FOLDER] --write  write the count
"""

import argparse
import sys
from pathlib import Path

from copilot.evals.counts import counted, with_counts
from copilot.evals.lint import lint

CASES = Path(__file__).parent.parent / "cases"


def main() -> int:
    """Exit code 0 when every rule holds."""
    parser = argparse.ArgumentParser(description="Hold the recorded cases against their rules.")
    parser.add_argument("folder", nargs="?", type=Path, default=CASES)
    parser.add_argument("--write", action="store_true", help="write the count into the folder's README.md")
    options = parser.parse_args()
    problems = lint(options.folder)
    for problem in problems:
        print(f"{problem.slug}: {problem.text}")
    readme = options.folder / "README.md"
    stale = False
    if readme.is_file():
        text = readme.read_text(encoding="utf-8")
        fresh = with_counts(text, counted(options.folder))
        stale = fresh != text and not options.write
        if options.write:
            readme.write_text(fresh, encoding="utf-8")
        elif stale:
            print(f"{readme.name}: the count is stale; run tools/lint_cases.py --write")
    return 1 if problems or stale else 0


if __name__ == "__main__":
    sys.exit(main())
