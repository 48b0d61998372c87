"""Recorded cases (contract §5): read one, hand out its rounds, make one of a session."""

import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, ValidationError

from copilot.errors import UsageError
from copilot.model.request import Sources
from copilot.model.text import Frozen
from copilot.model.words import Category, Status, Verdict
from copilot.ports import Next
from copilot.session import Record, Sessions

TEXTS = frozenset({".log", ".txt", ".json", ".yaml", ".yml", ".csv", ".xml", ".env", ".toml"})


class Accepted(Frozen):
    """An experiment that is right; without `to` any value of it."""

    parameter: str
    to: str | None = None


class ExpectedFault(Frozen):
    """One fault that a good answer names: any of the parameters, and each of the lines as a cause."""

    category: Category
    parameters: tuple[str, ...]
    lines: tuple[str, ...] = ()


class ExpectedExperiment(Frozen):
    """The experiments that are right."""

    accept: tuple[Accepted, ...] = ()


class Expect(Frozen):
    """What a good answer says about the case's round."""

    status: Status = "diagnosed"
    decoy_parameters: tuple[str, ...] = ()
    decoy_lines: tuple[str, ...] = ()
    fault: tuple[ExpectedFault, ...] = ()
    experiment: ExpectedExperiment = ExpectedExperiment()


class CaseRound(Frozen):
    """A later round: what was applied before it, and the verdict on it."""

    applied: Accepted
    verdict: Verdict


class Case(Frozen):
    """`case.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Literal["copilot.case/1"] = Field(alias="schema")
    title: str
    engine: Literal["vllm", "ollama", "container", "client"]
    version: str = ""
    image: str = ""
    service: str = ""
    platform: str = "linux"
    source: Literal["recorded", "reported", "composed"]
    reference: str = ""
    round: int = 1
    confirmed: bool = True
    kind: str = ""
    gpu: str = ""
    cause: str = ""
    fix: str = ""
    expect: Expect = Expect()
    rounds: dict[str, CaseRound] = Field(default_factory=dict)


def read_case(folder: Path) -> Case:
    """The case of a folder; UsageError names what is wrong with it."""
    path = folder / "case.toml"
    try:
        return Case.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise UsageError(f"{folder.name} has no case.toml.", "Give the folder of a case.") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{folder.name}/case.toml is not valid TOML: {error}.", "Mend the file.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{folder.name}/case.toml: {where}: {first['msg']}.", "Mend the file.") from error


@dataclass
class Rounds:
    """The port `Retest` of a recorded case: each round after the first is what the retest brought."""

    folder: Path
    number: int = 1

    def next(self, round_: int) -> Next:
        """The next recorded round, or the end."""
        del round_
        self.number += 1
        following = self.folder / f"round-{self.number}"
        if not following.is_dir():
            return Next("stop")
        return Next("retested", sources=Sources(directory=str(following)))


@dataclass(frozen=True)
class CaseFacts:
    """What a person states to make a case of a session."""

    title: str
    parameters: tuple[str, ...]
    cause: str
    reference: str


def save_case(store: Sessions, name: str, output: Path, facts: CaseFacts) -> Path:
    """Copy a session's rounds into a new case, redacted once more. Raises UsageError when the facts do not hold."""
    from copilot.redaction import Redactor

    record, answers = store.read(name), store.answers(name)
    if output.exists() and any(output.iterdir()):
        raise UsageError(f"{output} is not empty.", "Name a new folder with -o.")
    log = store.folder(name) / "round-1" / "server.log"
    if facts.cause and not (log.is_file() and facts.cause in log.read_text(encoding="utf-8")):
        raise UsageError("No line of the log holds the text given with --cause.", "Copy a part of the line.")
    for source in sorted(store.folder(name).glob("round-*")):
        shutil.copytree(source, output / source.name)
    redactor = Redactor(state=record.redactor)
    for path in (p for p in output.rglob("*") if p.is_file() and (p.suffix in TEXTS or p.name == ".env")):
        path.write_text(redactor.redact(path.read_text(encoding="utf-8")).text, encoding="utf-8")
    category = answers[0].faults[0].category if answers and answers[0].faults else "config"
    (output / "case.toml").write_text(_case_toml(record, facts, category), encoding="utf-8")
    read_case(output)
    return output


def _case_toml(record: Record, facts: CaseFacts, category: str) -> str:
    """The case file of a session."""
    names = "[" + ", ".join(toml_string(p) for p in facts.parameters) + "]"
    lines = f"[{toml_string(facts.cause)}]" if facts.cause else "[]"
    accept = ", ".join(f"{{ parameter = {toml_string(p)} }}" for p in facts.parameters)
    head = {
        "schema": "copilot.case/1",
        "title": facts.title,
        "engine": record.engine or "vllm",
        "version": record.version or "",
        "image": record.image or "",
        "platform": record.platform or "linux",
        "source": "recorded",
        "reference": facts.reference,
    }
    rows = [f"{key} = {toml_string(value)}" for key, value in head.items()]
    rows += ["round = 1", "confirmed = true", "", "[expect]", 'status = "diagnosed"', "", "[[expect.fault]]"]
    rows += [f"category = {toml_string(category)}", f"parameters = {names}", f"lines = {lines}", ""]
    return "\n".join([*rows, "[expect.experiment]", f"accept = [{accept}]", ""])


def toml_string(value: str) -> str:
    """A TOML basic string."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else " " for c in escaped) + '"'
