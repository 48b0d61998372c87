"""Run the graph on a folder or on texts, without a disk of ours."""

from pathlib import Path

from copilot.model.answer import Answer
from copilot.model.request import Options, Sources
from copilot.workflow.graph import run
from copilot.workflow.state import Ports, State

CASES = Path(__file__).parent.parent.parent / "cases"


def states(ports: Ports, sources: Sources, options: Options | None = None) -> list[State]:
    """The whole state after each answer."""
    start: State = {"session": "test", "options": options or Options(loop=False), "sources": sources}
    state: State = dict(start)  # type: ignore[assignment]
    found = []
    for node, written in run(ports, start):
        state.update(written)
        if node == "propose":
            found.append(dict(state))
    return found  # type: ignore[return-value]


def answer(ports: Ports, sources: Sources, options: Options | None = None) -> Answer:
    """The first answer."""
    return states(ports, sources, options)[0]["answer"]


def case(slug: str, round_: int = 1) -> Sources:
    """The sources of a recorded case."""
    return Sources(directory=str(CASES / slug / f"round-{round_}"))
