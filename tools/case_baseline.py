"""Run the playbook over all cases and name those that dropped below cases/baseline.json.

python tools/case_baseline.py          compare; exit 1 when a score dropped or a case has no baseline
python tools/case_baseline.py --write  record a new baseline, after a deliberate change
"""

import argparse
import sys
import time
from pathlib import Path

from copilot.evals.baseline import dropped, means, measure, read, write
from copilot.evals.dataset import find_cases

CASES = Path(__file__).parent.parent / "cases"


def main() -> int:
    """Exit code 0 when nothing dropped."""
    parser = argparse.ArgumentParser(description="The playbook over all cases, against the baseline.")
    parser.add_argument("--write", action="store_true", help="record a new baseline")
    options = parser.parse_args()
    entries = find_cases(CASES)
    began = time.process_time()
    scores = measure(entries)
    seconds = time.process_time() - began
    baseline = CASES / "baseline.json"
    before = read(baseline) if baseline.is_file() else {}
    for text in (drops := dropped(before, scores)):
        print(f"dropped: {text}")
    missing = sorted(set(scores) - set(before))
    for slug in missing:
        print(f"no baseline: {slug}")
    for group, found in means(entries, scores).items():
        if "/" not in group:
            print(f"{group}: " + ", ".join(f"{name} {value}" for name, value in found.items()))
    print(f"{len(entries)} cases, {seconds:.0f} s of processor time")
    if options.write:
        write(baseline, entries, scores)
        return 0
    return 1 if drops or missing else 0


if __name__ == "__main__":
    sys.exit(main())
