"""The rules that every recorded case obeys (contract §5): its format, its answer key, its secrets, its silence."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from copilot.errors import UsageError
from copilot.evals.lint_files import Texts, file_problems, read_round
from copilot.model.names import any_alike, is_listed
from copilot.parameters import registry
from copilot.recorded import Case, read_case
from copilot.redaction import redact

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
VARIABLE = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*")
MAX_BYTES = 1_000_000
"""Of one case."""
MAX_TOTAL = 12_000_000
"""Of all cases."""
TELLS = re.compile(
    r"provoked|injected fault|expected answer|root[ _-]cause[ _-](?:is|line)\b|expect\.status|stub ?hub|deliberately",
    re.IGNORECASE,
)
"""Words of the person who made a recording, never of a program."""
OUTSIDE = re.compile(r"(?:^|[^\w.])(?:/work/|/tmp/cases|/root/\.pyenv|/sim/)")
"""Paths of the machines on which was recorded."""
SHINGLE = 6
"""Words in a row of `cause` or `fix` that a round may not hold."""


@dataclass(frozen=True)
class Problem:
    """What is wrong with a case."""

    slug: str
    text: str


def lint(root: Path) -> tuple[Problem, ...]:
    """Every problem of every case below a folder; none means that all rules hold."""
    folders = sorted(path for path in root.iterdir() if path.is_dir() and not path.name.startswith(("_", ".")))
    found = [problem for folder in folders for problem in lint_case(folder)]
    total = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    if total > MAX_TOTAL:
        found.append(Problem("", f"all cases hold {total} bytes; the limit is {MAX_TOTAL}"))
    return tuple(found)


def lint_case(folder: Path) -> tuple[Problem, ...]:
    """Every problem of one case."""
    try:
        case = read_case(folder)
    except UsageError as error:
        return (Problem(folder.name, str(error)),)
    found = [*file_problems(folder), *_format(folder, case), *_parameters(case), *_answer_key(case)]
    rounds = {int(p.name[6:]): read_round(p) for p in folder.glob("round-*") if p.name[6:].isdigit()}
    found += _rounds(case, rounds)
    found += _lines(case, rounds.get(case.round, {}))
    for texts in rounds.values():
        found += _redacted(texts)
        found += _silent(folder.name, case, texts)
    found += [f"case.toml is changed by redaction: {sorted(redact(_head(folder)).found)}"] if _leaks(folder) else []
    return tuple(Problem(folder.name, text) for text in found)


def _head(folder: Path) -> str:
    """`case.toml` without the reference, whose address may look like anything."""
    text = (folder / "case.toml").read_text(encoding="utf-8")
    return "\n".join(line for line in text.split("\n") if not line.startswith("reference = "))


def _leaks(folder: Path) -> bool:
    """Whether the case's own text holds what redaction finds."""
    return redact(_head(folder)).text != _head(folder)


def _format(folder: Path, case: Case) -> Iterator[str]:
    """Name, size and provenance."""
    if not SLUG.fullmatch(folder.name):
        yield "the folder's name is not made of small letters, digits and single hyphens"
    for name in (name for fault in case.expect.fault for name in fault.parameters):
        words = re.sub(r"[^a-z0-9]+", "-", name.partition(":")[2].lower() or name.lower()).strip("-")
        if "-" in words and words in folder.name:
            yield f"the folder's name holds {name}, which is the answer"
    if not case.reference.strip():
        yield "no reference: where do the facts come from?"
    if case.source == "reported" and not case.reference.startswith(("https://", "http://")):
        yield "a reported case needs the report's address as its reference"
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    if size > MAX_BYTES:
        yield f"{size} bytes; the limit is {MAX_BYTES}"


def _parameters(case: Case) -> Iterator[str]:
    """Every name is one of contract §3, a flag that some version has or had, or a variable."""
    expect = case.expect
    names = [name for fault in expect.fault for name in fault.parameters]
    names += [*expect.decoy_parameters, *(right.parameter for right in expect.experiment.accept)]
    names += [later.applied.parameter for later in case.rounds.values()]
    yield from (f"{name} is no parameter name" for name in dict.fromkeys(names) if not known_name(name))


def known_name(name: str) -> bool:
    """Whether a parameter's name is in the contract's list or the registry."""
    return is_listed(name) or bool(VARIABLE.fullmatch(name)) or name in _flags()


@cache
def _flags() -> frozenset[str]:
    """Every flag of every version in the registry."""
    known = registry()
    versions = [(engine, version) for engine in ("vllm", "ollama") for version in (*known.versions(engine), None)]
    return frozenset(name for engine, version in versions for name in known.names(engine, version))


def _answer_key(case: Case) -> Iterator[str]:
    """What is expected does not contradict itself."""
    expect = case.expect
    failed = expect.status in ("diagnosed", "partial")
    if failed != bool(expect.fault):
        yield f"status {expect.status} with {len(expect.fault)} faults"
    for fault in expect.fault:
        if not fault.parameters:
            yield "a fault without a parameter"
        if any_alike(fault.parameters, expect.decoy_parameters):
            yield "a decoy is equally right as an expected parameter"
    if expect.experiment.accept and not expect.fault:
        yield "an experiment is accepted where no fault is expected"


def _rounds(case: Case, rounds: dict[int, Texts]) -> Iterator[str]:
    """The rounds are there, one after another, and each later one has a verdict."""
    if sorted(rounds) != list(range(1, len(rounds) + 1)) or not rounds:
        yield f"rounds {sorted(rounds)} are not 1, 2, …"
    if case.round not in rounds:
        yield f"expect speaks of round {case.round}, which is not there"
    later = {int(number) for number in case.rounds if number.isdigit()}
    if later != {number for number in rounds if number > 1}:
        yield f"verdicts for rounds {sorted(later)}, later rounds {sorted(n for n in rounds if n > 1)}"


def _lines(case: Case, texts: Texts) -> Iterator[str]:
    """Every expected line and decoy is in one line of the round, and not in the same one."""
    lines = [line for text in texts.values() for line in text.split("\n")]
    wanted = [text for fault in case.expect.fault for text in fault.lines]
    for text in (*wanted, *case.expect.decoy_lines):
        if not text.strip() or not any(text in line for line in lines):
            yield f"no line of round {case.round} holds: {text}"
    for line in lines:
        if any(text in line for text in wanted) and any(text in line for text in case.expect.decoy_lines):
            yield f"a line is both decisive and a decoy: {line[:80]}"


def _redacted(texts: Texts) -> Iterator[str]:
    """Redacting what is stored changes nothing."""
    for name, text in texts.items():
        done = redact(text)
        if done.text != text:
            yield f"{name} is changed by redaction: {sorted(done.found)}"


def _silent(slug: str, case: Case, texts: Texts) -> Iterator[str]:
    """No round states the answer, names the case, or shows where it was recorded."""
    told = {shingle for text in (case.cause, case.fix) for shingle in _shingles(text)}
    rules: tuple[tuple[str, Callable[[str], bool]], ...] = (
        ("words of who made the case", lambda text: bool(TELLS.search(text))),
        ("a path of the machine it was recorded on", lambda text: bool(OUTSIDE.search(text))),
        ("the case's own name", lambda text: "-" in slug and slug in text),
        ("the words of cause or fix", lambda text: bool(told & set(_shingles(text)))),
    )
    for name, text in texts.items():
        yield from (f"{name} holds {what}" for what, holds in rules if holds(text))


def _shingles(text: str) -> Iterator[tuple[str, ...]]:
    """Every run of some words."""
    words = re.findall(r"[\w./-]+", text.lower())
    yield from (tuple(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1))
