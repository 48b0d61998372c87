"""The whole workflow on texts: what a person who pastes them is answered."""

from pathlib import Path

from copilot.demo import demo_ports
from copilot.model.answer import Answer
from copilot.model.request import Options, Sources
from workflow.helpers import answer

FILES = {
    "log": "server.log",
    "compose": "compose.yaml",
    "command": "command.txt",
    "request": "request.txt",
    "inspect": "inspect.json",
}


def asked(folder: Path, **texts: str) -> Answer:
    """The playbook's answer to these texts; `folder` is an empty one of the test."""
    evidence = folder / "round-1"
    evidence.mkdir()
    for name, text in texts.items():
        (evidence / FILES[name]).write_text(text, encoding="utf-8")
    return answer(demo_ports(folder), Sources(directory=str(evidence)), Options(loop=False))


def first_parameter(found: Answer) -> str | None:
    """The first parameter of the first fault."""
    return found.faults[0].parameters[0] if found.faults else None
