"""The rules of the cases hold, and each rule finds the fault it is there for."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import CASES
from copilot.evals.counts import counted, with_counts
from copilot.evals.dataset import find_cases
from copilot.evals.lint import known_name, lint, lint_case
from copilot.evals.split import split_of

BASE = "wsl2-pinned-memory"


def test_every_case_obeys_every_rule() -> None:
    assert not [f"{problem.slug}: {problem.text}" for problem in lint(CASES)]


def test_the_count_in_the_readme_is_what_is_there() -> None:
    text = (CASES / "README.md").read_text(encoding="utf-8")
    assert with_counts(text, counted(CASES)) == text, "run python tools/lint_cases.py --write"
    with pytest.raises(ValueError, match="no place"):
        with_counts("# no marks", counted(CASES))


def test_the_cases_are_many_and_of_every_kind() -> None:
    entries = find_cases(CASES)
    kinds = [entry.kind for entry in entries]
    assert len(entries) >= 120
    for kind, least in {"unknown": 8, "healthy": 12, "silent": 8, "several": 9}.items():
        assert kinds.count(kind) >= least, kind
    assert sum(len(entry.case.expect.fault) > 1 for entry in entries) >= 10
    assert sum(bool(entry.case.rounds) for entry in entries) >= 8
    verdicts = {later.verdict for entry in entries for later in entry.case.rounds.values()}
    assert {"fixed", "moved", "same", "worse"} <= verdicts


def test_both_sides_of_the_split_hold_a_fair_share() -> None:
    sides = [split_of(entry.slug) for entry in find_cases(CASES)]
    assert 0.3 < sides.count("test") / len(sides) < 0.5
    assert split_of("wsl2-pinned-memory") == split_of("wsl2-pinned-memory")
    assert {split_of(f"name-{n}") for n in range(20)} == {"dev", "test"}


def edited(old: str, new: str, file: str = "case.toml") -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return edit


def appended(text: str, file: str = "round-1/server.log") -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        with (folder / file).open("a", encoding="utf-8") as out:
            out.write(text + "\n")

    return edit


def added(file: str, data: bytes) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_bytes(data)

    return edit


PARAMETERS = 'parameters = ["env:VLLM_WSL2_ENABLE_PIN_MEMORY"'
LINE = 'lines = ["RuntimeError: UVA is not available"'
SECRET = "hf_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cE3f"
BROKEN: tuple[tuple[str, Callable[[Path], None], str], ...] = (
    ("format", edited("[expect]", "[expect"), "not valid TOML"),
    ("unknown key", edited("round = 1", "round = 1\ncolour = 3"), "colour"),
    ("no reference", edited("reference = ", 'reference = ""\n# '), "no reference"),
    ("no address", edited('source = "composed"', 'source = "reported"'), "report's address"),
    ("invented name", edited(PARAMETERS, 'parameters = ["--gpu-memory-usage"'), "--gpu-memory-usage is no parameter"),
    ("line not there", edited(LINE, 'lines = ["UVA was not available"'), "no line of round 1 holds: UVA was not"),
    ("decisive decoy", edited(LINE, 'lines = ["Engine core initialization failed"'), "both decisive and a decoy"),
    ("decoy is right", edited("decoy_parameters = [", f"decoy_{PARAMETERS}, "), "decoy is equally right"),
    ("healthy with faults", edited('status = "diagnosed"', 'status = "healthy"'), "status healthy with"),
    ("secret in a log", appended(f"token {SECRET}"), "server.log is changed by redaction"),
    ("secret in the key", edited('title = "', f'title = "{SECRET} '), "case.toml is changed by redaction"),
    ("answer in a round", appended("# provoked: pinned memory was off"), "words of who made the case"),
    ("name in a round", appended(f"see {BASE}"), "the case's own name"),
    ("place of recording", appended("File /root/.pyenv/versions/3.11/x.py"), "path of the machine"),
    ("stray file", added("round-1/notes.md", b"x"), "notes.md has no place in a case"),
    ("broken json", added("round-1/host.json", b"{"), "host.json: cannot be parsed"),
    ("ragged table", added("round-1/gpus.csv", b"a, b\n1\n"), "rows of several lengths"),
    ("not UTF-8", added("round-1/command.txt", b"\xff\xfe"), "command.txt: is not UTF-8"),
    ("gap in the rounds", added("round-3/server.log", b"x\n"), "are not 1, 2"),
    ("round without verdict", added("round-2/server.log", b"x\n"), "verdicts for rounds"),
)  # fmt: skip


@pytest.mark.parametrize(("edit", "said"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_broken_case_is_found(tmp_path: Path, edit: Callable[[Path], None], said: str) -> None:
    folder = tmp_path / BASE
    shutil.copytree(CASES / BASE, folder)
    edit(folder)
    problems = [problem.text for problem in lint_case(folder)]
    assert any(said in problem for problem in problems), problems


def test_a_name_that_gives_the_answer_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "vllm-wsl2-enable-pin-memory-unset"
    shutil.copytree(CASES / BASE, folder)
    assert any("which is the answer" in problem.text for problem in lint_case(folder))


def test_words_of_the_key_in_a_round_are_found(tmp_path: Path) -> None:
    folder = tmp_path / BASE
    shutil.copytree(CASES / BASE, folder)
    words = "the driver gives no pinned memory here"
    edited("[expect]", f'cause = "{words}"\n\n[expect]')(folder)
    assert not lint_case(folder)
    appended(words.upper())(folder)
    assert any("the words of cause or fix" in problem.text for problem in lint_case(folder))


def test_names_of_every_version_are_known() -> None:
    assert known_name("--swap-space")
    assert known_name("--gpu-memory-utilization")
    assert known_name("env:ANYTHING")
    assert known_name("docker:image")
    assert not known_name("--gpu-memory-usage")
    assert not known_name("docker:magic")
