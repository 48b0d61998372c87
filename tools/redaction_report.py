"""Measure redaction on the own corpus beside other tools' rules, and write docs/redaction.md.

    python tools/redaction_report.py [--gitleaks gitleaks.toml] [--detect-secrets PYTHON]

`--gitleaks`: a copy of that project's rules; those that Python's `re` does not take are counted and left out.
`--detect-secrets`: a Python that has the package (its own environment).
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from copilot.redaction import redact  # noqa: E402 - after the path
from redaction.redaction_vectors import Vector, innocents, pieces, places, vector  # noqa: E402 - after the path

Remove = Callable[[str], str]
DETECT = """
import json, sys
from detect_secrets.core.scan import scan_line
from detect_secrets.settings import default_settings
with default_settings():
    for text in json.load(sys.stdin):
        found = [s.secret_value for line in text.split(chr(10)) for s in scan_line(line) if s.secret_value]
        print(json.dumps(found))
"""


def gitleaks(path: Path) -> tuple[Remove, int, int]:
    """(removal by these rules, rules used, rules that `re` does not take)."""
    used, failed = [], 0
    for rule in tomllib.loads(path.read_text("utf-8"))["rules"]:
        if "regex" not in rule:
            continue
        try:
            used.append(
                (re.compile(rule["regex"].replace("\\z", "\\Z")), [k.lower() for k in rule.get("keywords", ())])
            )
        except re.error:
            failed += 1

    def remove(text: str) -> str:
        lower, out = text.lower(), text
        for pattern, keywords in used:
            if keywords and not any(k in lower for k in keywords):
                continue
            for match in pattern.finditer(text):
                secret = next((g for g in match.groups() if g), match.group())
                out = out.replace(secret, "#")
        return out

    return remove, len(used), failed


def detect_secrets(python: str, texts: list[str]) -> Remove:
    """Removal by that package's default plugins, asked once for all texts."""
    done = subprocess.run(  # noqa: S603 - the person's own Python
        [python, "-c", DETECT], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    found = dict(zip(texts, map(json.loads, done.stdout.splitlines()), strict=True))

    def remove(text: str) -> str:
        for secret in sorted(found[text], key=len, reverse=True):
            text = text.replace(secret, "#")
        return text

    return remove


def row(name: str, remove: Remove, cases: list[Vector]) -> str:
    """One line of the table: every piece of a secret must be gone."""
    gone = total = 0
    for case in cases:
        out = remove(case.text)
        total += len(case.secrets)
        gone += sum(not any(part in out for part in pieces(secret)) for secret in case.secrets)
    texts = innocents()
    hurt = [(text, out) for text in texts if (out := remove(text)) != text]
    lost = sum(len(text) - sum(map(len, re.split(r"#|‹[a-z-]+-\d+›", out))) for text, out in hurt)
    share = 100 * lost / sum(map(len, texts))
    return f"| {name} | {gone / total:.3f} | {len(hurt)} of {len(texts)} | {share:.2f} % |"


def texts() -> dict[str, str]:
    """What throughput is measured on: from what goes out in practice to what nobody's log looks like."""
    logs = [path.read_text("utf-8", "replace") for path in sorted((ROOT / "cases").rglob("server.log"))]
    secrets = [vector(name, template, seed).text for seed in range(4) for name, template in places()]
    return {
        "the recorded logs of the cases": "\n".join(logs),
        "the innocent lines of the corpus, forty times": "\n".join(innocents() * 40),
        "the places of the corpus: a secret in every line": "\n".join(secrets),
    }


def scanned(text: str) -> float:
    """Seconds of CPU of a plain scan of the lines, the best of five."""
    best = 1e9
    for _ in range(5):
        started = time.process_time()
        sum("ERROR" in line for line in text.split("\n"))
        best = min(best, time.process_time() - started)
    return best


def speed() -> Iterator[str]:
    """Throughput on new text (nothing of it seen before), beside a plain scan of the same lines in the same run."""
    yield "| text | size | MB/s of CPU | times a plain scan of its lines |"
    yield "|---|---|---|---|"
    redact("\n".join(innocents()))  # compiles the table
    for name, text in texts().items():
        started = time.process_time()
        redact(text)
        ours, size = time.process_time() - started, len(text) / 1e6
        yield f"| {name} | {size:.1f} MB | {size / ours:.1f} | {ours / scanned(text):.0f} |"


def streamed(size: int) -> str:
    """`copilot redact` on a long log: time and memory of the whole program."""
    log = next(iter(texts().values()))
    with tempfile.NamedTemporaryFile("w", suffix=".log", encoding="utf-8") as file:
        file.write(log * (size * 1_000_000 // len(log)))
        file.flush()
        command = [sys.executable, "-m", "copilot.cli", "redact", file.name]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)  # noqa: S603 - our own command
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return (
        f"`copilot redact` on {size} MB of those logs: {size / seconds:.1f} MB/s of CPU, "
        f"at most {used.ru_maxrss // 1024} MiB of memory, however long the log."
    )


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gitleaks", type=Path)
    parser.add_argument("--detect-secrets")
    options = parser.parse_args()
    cases = [vector(name, template) for name, template in places()]
    long = streamed(24)  # first: later children would count too
    rows = [row("copilot", lambda text: redact(text).text, cases)]
    if options.gitleaks:
        remove, used, failed = gitleaks(options.gitleaks)
        rows.append(row(f"gitleaks' rules ({used}; {failed} not translated)", remove, cases))
    if options.detect_secrets:
        texts = [*(case.text for case in cases), *innocents()]
        rows.append(row("detect-secrets, default plugins", detect_secrets(options.detect_secrets, texts), cases))
    head = (ROOT / "docs" / "redaction.md").read_text("utf-8").partition("<!-- measured -->")[0]
    table = ["| rules | recall | innocent texts touched | innocent characters destroyed |", "|---|---|---|---|", *rows]
    body = "\n".join(
        [f"{len(cases)} texts with secrets, {len(innocents())} without.", "", *table, "", *speed(), "", long]
    )
    (ROOT / "docs" / "redaction.md").write_text(f"{head}<!-- measured -->\n\n{body}\n", "utf-8")
    print(body)


if __name__ == "__main__":
    main()
