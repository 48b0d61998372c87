"""Wait for what the person reports. This node does nothing else: a graph that is interrupted begins it anew."""

from copilot.workflow.state import Ports, State


def wait(ports: Ports, state: State) -> State:
    """Ask the port what comes after this round's experiment."""
    step = ports.retest.next(state["round"])
    skipped = state.get("skipped", ())
    current = state["checked"].reply.experiment
    if step.kind == "else" and current is not None:
        skipped = (*skipped, current)
    update: State = {"next": step, "skipped": skipped if step.kind == "else" else ()}
    if step.kind == "retested" and step.sources is not None:
        update["sources"] = step.sources
    return update


def onward(state: State) -> str:
    """Route after waiting: `gather` again, `rank` for the next-best experiment, or `end`."""
    return {"retested": "gather", "else": "rank"}.get(state["next"].kind, "end")
