"""One fault, round by round, through the product's own workflow until a chat is answered."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from copilot import app
from copilot.demo import demo_ports
from copilot.evals.closed_loop.faults import Fault
from copilot.evals.closed_loop.server import Server, Started, free_port, occupied
from copilot.evals.closed_loop.service import COMPOSE, Service
from copilot.model.answer import Answer
from copilot.model.names import alike
from copilot.model.request import Options, Sources
from copilot.model.text import Frozen
from copilot.ports import Model, Next
from copilot.session import Sessions
from copilot.workflow.state import Ports

ROUNDS = 5


class Applied(Frozen):
    """One round: what was proposed, whether it could be done, and whether it was called for."""

    parameter: str
    to: str | None
    done: bool
    needed: bool
    verdict: str | None = None


class Outcome(Frozen):
    """What came of one fault."""

    fault: str
    repaired: bool
    rounds: int
    """Experiments that were made."""
    needless: int
    """Changes of parameters that had nothing to do with the fault."""
    seconds: float
    applied: tuple[Applied, ...] = ()
    problem: str = ""


@dataclass
class Bench:
    """What every fault shares: the server's program, the models, the ports that may be used, the scratch folder."""

    server: Server
    models: Path
    scratch: Path
    first_port: int
    last_port: int
    model: Model | None = None


@dataclass
class Restarted:
    """The port `Retest` of the closed loop: apply the experiment, start again, hand out the new evidence."""

    service: Service
    server: Server
    folder: Path
    blocked: int | None
    answer: Answer | None = None
    round: int = 0
    started: list[Started] = field(default_factory=list)
    applied: list[Applied] = field(default_factory=list)

    def start(self) -> Sources:
        """One start of the service as it is now, recorded as a round's folder."""
        self.round += 1
        folder = self.folder / f"round-{self.round}"
        folder.mkdir(parents=True)
        with occupied(self.blocked):
            done = self.server.run(self.service.launch(), self.service.asks, folder / "server.log")
        (folder / COMPOSE).write_text(self.service.text, encoding="utf-8")
        if done.request:
            (folder / "request.txt").write_text(done.request, encoding="utf-8")
        self.started.append(done)
        return Sources(directory=str(folder), engine="vllm")

    def next(self, round_: int) -> Next:
        """Apply what was proposed and start again; an observation asks for the next-best experiment."""
        del round_
        if self.started[-1].answered or len(self.applied) >= ROUNDS or self.answer is None:
            return Next("stop")
        experiment = self.answer.experiment
        if experiment is None:
            return Next("stop")
        done = self.service.apply(experiment)
        change = experiment.change
        wanted = self.service.fault.parameters
        self.applied.append(
            Applied(
                parameter=change.parameter if change else "(observe)",
                to=change.to if change else None,
                done=done,
                needed=change is None or any(alike(change.parameter, name) for name in wanted),
            )
        )
        return Next("retested", sources=self.start()) if done else Next("else")


def run_fault(fault: Fault, bench: Bench, number: int) -> Outcome:
    """Inject one fault and go round until the chat is answered, five experiments are made, or nothing is proposed."""
    folder = bench.scratch / f"{number:02}"
    shutil.rmtree(folder, ignore_errors=True)
    port = free_port(bench.first_port + number % 40, bench.last_port)
    service = Service(folder / "service", fault, str(bench.models), port)
    retest = Restarted(service, bench.server, folder, port if fault.occupied else None)
    sources = retest.start()
    if retest.started[0].answered:
        return _outcome(fault, retest, "the fault has no effect: the server answered at once")
    base = demo_ports(folder)
    ports = Ports(**{**vars(base), "retest": retest, "model": bench.model})
    name = bench.model.name if bench.model else "playbook"
    for event in app.start(ports, sources, Options(provider=name), Sessions(folder / "sessions")):
        if isinstance(event, app.Answered):
            retest.answer = event.answer
            _judge(retest, event.answer)
    return _outcome(fault, retest, _problem(retest))


def _judge(retest: Restarted, answer: Answer) -> None:
    """Keep the workflow's own verdict on the change before this answer."""
    if answer.compared is not None and retest.applied:
        retest.applied[-1] = retest.applied[-1].model_copy(update={"verdict": answer.compared.verdict})


def _problem(retest: Restarted) -> str:
    """Why it ended without a chat."""
    if retest.started[-1].answered:
        return ""
    if len(retest.applied) >= ROUNDS:
        return "not repaired in five rounds"
    status = retest.answer.status if retest.answer else "no answer"
    return f"nothing more was proposed (status: {status})"


def _outcome(fault: Fault, retest: Restarted, problem: str) -> Outcome:
    """The counts."""
    return Outcome(
        fault=fault.name,
        repaired=retest.started[-1].answered and bool(retest.applied),
        rounds=len(retest.applied),
        needless=sum(not one.needed for one in retest.applied),
        seconds=round(sum(one.seconds for one in retest.started), 1),
        applied=tuple(retest.applied),
        problem=problem,
    )
