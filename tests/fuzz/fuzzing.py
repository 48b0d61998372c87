"""Mutation fuzzing of what reads other people's text: `python tests/fuzz/fuzzing.py --minutes 10 [TARGET ...]`.

A run is a chain of numbered inputs: `--seed` and the number printed with a failure bring the same input back.
"""

import argparse
import json
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

from copilot.compose import read
from copilot.errors import ProviderGarbled, UsageError
from copilot.logs import clean, decisive, decode, parse, windows
from copilot.model.text import RedactedText
from copilot.prompting import parse_reply
from copilot.redaction import redact

CASES = Path(__file__).parents[2] / "cases"
SLOW = 5.0
"""Seconds of CPU that one input of at most 60 kB may take."""
LARGEST = 60_000
WORDS = tuple(
    json.loads(word).encode("utf-8", "surrogateescape")
    for word in (Path(__file__).parent / "words.txt").read_text("utf-8").splitlines()
)
"""What the readers give a meaning to, as JSON strings."""
REPLY = b"""{"status": "diagnosed", "lines": [{"source": "log", "line": 3, "parameter": "--dtype", "role": "cause",
"fault": "f1", "topic": "memory budget", "why": "x"}], "faults": [{"id": "f1", "category": "resource", "title": "t",
"cause": "c", "parameters": ["--dtype"], "blocking": true, "confidence": "high"}], "experiment": {"fault": "f1",
"kind": "change", "parameter": "--dtype", "to": "half", "why": "w", "if_right": "a", "if_wrong": "b"}}"""


def read_log(data: bytes) -> None:
    """Bytes to lines, boots, windows: numbers without a gap, nothing raised but 'this is a binary'."""
    try:
        text = clean(decode(data))
    except UsageError:
        return
    log = parse(text)
    if [line.number for line in log.lines] != list(range(1, len(log.lines) + 1)):
        raise AssertionError("line numbers have gaps")
    decisive(log)
    windows(log, [len(log.lines) // 2], radius=20)


def read_compose(data: bytes) -> None:
    """A service, or one sentence of what is wrong."""
    try:
        read(RedactedText(data.decode("utf-8", "replace")), "compose.yaml", env={"A": "${A}"})
    except UsageError:
        return


def read_reply(data: bytes) -> None:
    """A reply, or one sentence that quotes nothing."""
    try:
        parse_reply(data.decode("utf-8", "replace"))
    except ProviderGarbled:
        return


def redact_text(data: bytes) -> None:
    """As many lines as before, and twice is once."""
    text = data[:20_000].decode("utf-8", "replace")
    once = redact(text).text
    if once.count("\n") != text.count("\n"):
        raise AssertionError("lines were lost or made")
    if redact(once).text != once:
        raise AssertionError("the second pass changed something")


def seeds(*names: str) -> list[bytes]:
    """The recorded cases' files of those names."""
    return [path.read_bytes()[-LARGEST:] for name in names for path in sorted(CASES.rglob(name))]


TARGETS: dict[str, tuple[Callable[[bytes], None], Callable[[], list[bytes]]]] = {
    "log": (read_log, lambda: seeds("server.log")),
    "compose": (read_compose, lambda: seeds("compose.yaml", "docker-compose.yml")),
    "reply": (read_reply, lambda: [REPLY]),
    "redact": (redact_text, lambda: seeds("server.log", "compose.yaml")),
}


def mutated(dice: random.Random, corpus: list[bytes]) -> bytes:
    """One input: a part of a seed with a handful of changes."""
    data = bytearray(dice.choice(corpus))
    if len(data) > 2000 and dice.random() < 0.7:
        start = dice.randrange(len(data))
        data = data[start : start + dice.randrange(1, 8000)]
    for _ in range(dice.randrange(1, 12)):
        at = dice.randrange(len(data) + 1)
        end = min(len(data), at + dice.choice((0, 1, 4, 30, 400)))
        change = dice.randrange(5)
        if change == 0:
            data[at:end] = b""
        elif change == 1:
            data[at:at] = dice.choice(WORDS) * dice.choice((1, 1, 1, 2, 60))
        elif change == 2:
            data[at:at] = data[at:end] * dice.choice((1, 2, 50))
        elif change == 3:
            data[at:end] = dice.randbytes(end - at)
        else:
            other = dice.choice(corpus)
            begin = dice.randrange(len(other) + 1)
            data[at:end] = other[begin : begin + 300]
    return bytes(data[:LARGEST])


def attempt(target: Callable[[bytes], None], data: bytes) -> str | None:
    """What went wrong with an input: an exception, or too much time."""
    started = time.process_time()
    try:
        target(data)
    except Exception:  # noqa: BLE001 - any exception that a target lets out is the finding
        return traceback.format_exc(limit=-6)
    used = time.process_time() - started
    return f"took {used:.1f} s of CPU for {len(data)} bytes" if used > SLOW else None


def fuzz(name: str, seed: int, numbers: Iterable[int]) -> tuple[int, list[tuple[int, str]]]:
    """(inputs tried, failures as (number, what)) of one target."""
    target, corpus_of = TARGETS[name]
    corpus, tried, failures = corpus_of(), 0, []
    for number in numbers:
        wrong = attempt(target, mutated(random.Random(f"{name}-{seed}-{number}"), corpus))  # noqa: S311 - inputs, no keys
        tried += 1
        if wrong:
            failures.append((number, wrong))
    return tried, failures


def _until(end: float) -> Iterable[int]:
    number = 0
    while time.monotonic() < end:
        yield number
        number += 1


def main() -> int:
    """Fuzz the targets one after the other; 1 when anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=list(TARGETS), metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--minutes", type=float, default=10.0, help="for each target")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = 0
    for name in options.targets:
        tried, failures = fuzz(name, options.seed, _until(time.monotonic() + options.minutes * 60))
        sys.stdout.write(f"{name}: {tried} inputs in {options.minutes:g} min, {len(failures)} failures\n")
        for number, wrong in failures[:5]:
            sys.stdout.write(f"  seed {options.seed}, input {number}:\n{wrong}\n")
        sys.stdout.flush()
        found += len(failures)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
