"""The workflow as a graph; the only importer of langgraph.

gather ─▶ find ─┬▶ ask ─▶ check ─┬▶ propose ─▶ wait ─▶ gather …
                │      ▲    │     │
                │      └────┘     │   objections, twice at most
                └▶ rank ──────────┘   playbook; also where a model fails or nothing survives
"""

import contextlib
import os
from collections.abc import Iterator
from functools import partial
from typing import Any, Literal, cast

from copilot.workflow.ask import ask
from copilot.workflow.check import check, verdict
from copilot.workflow.find import find
from copilot.workflow.gather import gather
from copilot.workflow.propose import propose
from copilot.workflow.rank import rank
from copilot.workflow.state import Ports, State
from copilot.workflow.wait import onward, wait

TRACING = (
    "LANGSMITH_TRACING",
    "LANGSMITH_TRACING_V2",
    "LANGCHAIN_TRACING_V2",
    "LANGCHAIN_TRACING",
    "LANGCHAIN_HANDLER",
    "LANGSMITH_ENDPOINT",
    "LANGCHAIN_ENDPOINT",
)
"""Variables with which a shell could send node data to a tracing service, or make the library raise."""
MAX_STEPS = 1_000


def after_find(state: State) -> Literal["ask", "rank"]:
    """A provider is asked unless it is the playbook, nothing failed, or nothing was read that it could judge."""
    findings = state["findings"]
    alone = state["options"].provider == "playbook" or findings.healthy or findings.patient
    return "rank" if alone else "ask"


def after_ask(state: State) -> Literal["check", "rank"]:
    """A provider that failed is replaced by the playbook."""
    return "check" if state["asked"].reply is not None else "rank"


def after_check(state: State) -> Literal["ask", "rank", "propose"]:
    """Objections go back; where nothing survives the playbook answers."""
    found = verdict(state)
    return cast("Literal['ask', 'rank', 'propose']", "ask" if found == "again" else found)


def after_wait(state: State) -> Literal["gather", "rank", "end"]:
    """Round again, another experiment from the same evidence, or stop."""
    return cast("Literal['gather', 'rank', 'end']", onward(state))


def after_propose(state: State) -> Literal["wait", "end"]:
    """A run without a loop ends with its first answer, and so does a healthy one."""
    return "wait" if state["options"].loop and state["answer"].status != "healthy" else "end"


def build(ports: Ports) -> Any:
    """The compiled graph (langgraph's own type, which has no useful static form)."""
    from langgraph.graph import END, START, StateGraph

    graph = StateGraph(State)
    nodes = {"gather": gather, "find": find, "rank": rank, "check": check, "propose": propose, "wait": wait, "ask": ask}
    for name, node in nodes.items():
        graph.add_node(name, partial(node, ports))
    graph.add_edge(START, "gather")
    graph.add_edge("gather", "find")
    graph.add_conditional_edges("find", after_find, ["ask", "rank"])
    graph.add_conditional_edges("ask", after_ask, ["check", "rank"])
    graph.add_edge("rank", "check")
    graph.add_conditional_edges("check", after_check, ["ask", "rank", "propose"])
    graph.add_conditional_edges("propose", after_propose, {"wait": "wait", "end": END})
    graph.add_conditional_edges("wait", after_wait, {"gather": "gather", "rank": "rank", "end": END})
    return graph.compile()


@contextlib.contextmanager
def untraced() -> Iterator[None]:
    """No tracing whatever the shell says: the variables are taken away around the run and put back after it."""
    saved = {name: os.environ.pop(name) for name in TRACING if name in os.environ}
    try:
        from langsmith import tracing_context

        with tracing_context(enabled=False):
            yield
    finally:
        os.environ.update(saved)


def run(ports: Ports, start: State) -> Iterator[tuple[str, State]]:
    """Run to the end, yielding (node, what it wrote) after each node. Raises CopilotError of a node."""
    os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")
    with untraced():
        graph = build(ports)
        for update in graph.stream(start, {"recursion_limit": MAX_STEPS}, stream_mode="updates"):
            yield from update.items()
