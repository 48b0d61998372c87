"""Rows without skill: the last line only, the most frequent parameter, and the answer key itself."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from copilot.evals.answering import Asking, answer_case
from copilot.evals.dataset import Entry
from copilot.evals.trial import Trial
from copilot.model.answer import (
    Answer,
    AnsweredBy,
    Change,
    Compared,
    EngineInfo,
    Expect,
    Experiment,
    Fault,
    MappedLine,
)
from copilot.model.words import SourceName
from copilot.recorded import Case

SOURCES: tuple[tuple[str, SourceName], ...] = (
    ("server.log", "log"), ("compose.yaml", "compose"), ("docker-compose.yml", "compose"), (".env", "compose"),
    ("command.txt", "command"), ("inspect.json", "inspect"), ("gpus.csv", "gpu"), ("request.txt", "request"),
)  # fmt: skip
"""Files of a round in which a decisive line may stand."""


def last_line(entry: Entry, asking: Asking) -> Trial:
    """What the playbook says when all it gets is the last line of the log: what people paste first."""
    log = entry.folder / f"round-{entry.case.round}" / "server.log"
    text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return Trial(answers=(_answer(entry.case, entry.case.round, "unknown"),))
    with tempfile.TemporaryDirectory(prefix="copilot-eval-") as scratch:
        folder = Path(scratch) / entry.slug
        (folder / "round-1").mkdir(parents=True)
        (folder / "round-1" / "server.log").write_text("\n".join(lines[-1:]) + "\n", encoding="utf-8")
        shutil.copy(entry.folder / "case.toml", folder)
        trial = answer_case(Entry(entry.slug, folder, entry.case.model_copy(update={"round": 1})), asking)
    answers = tuple(a.model_copy(update={"round": entry.case.round}) for a in trial.answers)
    return trial.model_copy(update={"answers": answers})


def most_frequent(entries: Iterable[Entry]) -> str:
    """The parameter that is the root of most cases."""
    counted = Counter(e.case.expect.fault[0].parameters[0] for e in entries if e.case.expect.fault)
    return min(counted, key=lambda name: (-counted[name], name)) if counted else "--gpu-memory-utilization"


def always(parameter: str, entry: Entry) -> Trial:
    """The same parameter whatever the log says."""
    fault = _fault("f1", (parameter,), "config")
    change = Change(parameter=parameter, before=None, to="1")
    answer = _answer(entry.case, entry.case.round, "diagnosed")
    return Trial(answers=(answer.model_copy(update={"faults": (fault,), "experiment": _experiment(change)}),))


def oracle(entry: Entry) -> Trial:
    """The answer key as an answer: it must score 100 %, or a case or a scorer is wrong."""
    case = entry.case
    faults = tuple(_fault(f"f{n}", f.parameters, f.category) for n, f in enumerate(case.expect.fault, 1))
    accept = case.expect.experiment.accept
    change = Change(parameter=accept[0].parameter, before=None, to=accept[0].to) if accept else None
    key = _answer(case, case.round, case.expect.status).model_copy(
        update={
            "faults": faults,
            "lines": tuple(_lines(entry)),
            "experiment": _experiment(change) if change else None,
        }
    )
    rounds = {case.round: key}
    for number, later in case.rounds.items():
        base = rounds.get(int(number)) or _answer(case, int(number), "diagnosed")
        compared = Compared(verdict=later.verdict, same=0, gone=(), new=())
        rounds[int(number)] = base.model_copy(update={"compared": compared})
    return Trial(answers=tuple(rounds[number] for number in sorted(rounds)))


def _lines(entry: Entry) -> Iterable[MappedLine]:
    """Each expected line where it really stands; an expectation that stands nowhere is missing, and shows."""
    folder = entry.folder / f"round-{entry.case.round}"
    for number, fault in enumerate(entry.case.expect.fault, 1):
        for wanted in fault.lines:
            place = _place(folder, wanted)
            if place is not None:
                source, line, text = place
                yield MappedLine(
                    source=source, line=line, text=text, parameter=fault.parameters[0], role="cause",
                    fault=f"f{number}", topic="other", why="expected",
                )  # fmt: skip


def _place(folder: Path, wanted: str) -> tuple[SourceName, int, str] | None:
    """Source, line and text of the first line that holds a text."""
    for name, source in SOURCES:
        path = folder / name
        if not path.is_file():
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
            if wanted in line:
                return source, number, line
    return None


def _fault(name: str, parameters: tuple[str, ...], category: str) -> Fault:
    """A fault with nothing but its parameters."""
    return Fault.model_validate(
        {
            "id": name, "category": category, "title": parameters[0] if parameters else category, "cause": "",
            "parameters": parameters, "blocking": True, "confidence": "high",
        }
    )  # fmt: skip


def _experiment(change: Change) -> Experiment:
    """The change alone."""
    return Experiment(fault="f1", kind="change", change=change, why="", expect=Expect(if_right="", if_wrong=""))


def _answer(case: Case, round_: int, status: str) -> Answer:
    """An answer that says nothing yet."""
    engine = case.engine if case.engine in ("vllm", "ollama") else None
    return Answer.model_validate(
        {
            "session": "eval", "round": round_, "status": status,
            "engine": EngineInfo(name=engine, version=case.version or None, version_from=None),
            "answered_by": AnsweredBy(provider="eval"), "faults": (), "lines": (), "ledger": None,
            "experiment": None, "verify": (), "checks": (), "missing": (), "redactions": {},
        }
    )  # fmt: skip
