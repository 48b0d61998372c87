"""The composition root: settings → ports → run. Imports an adapter when it needs it; prints nothing."""

import datetime as dt
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from copilot import places
from copilot.errors import UsageError
from copilot.model.answer import Answer
from copilot.model.evidence import Evidence
from copilot.model.request import Options, Sources
from copilot.ports import Model, Retest
from copilot.recorded import toml_string
from copilot.session import Record, Sessions, Step
from copilot.workflow.state import Ports, State, Tried


@dataclass(frozen=True)
class Progressed:
    """A node begins."""

    node: str


@dataclass(frozen=True)
class Answered:
    """A round's answer; it is on the disk already."""

    answer: Answer
    evidence: Evidence
    state: State


Event = Progressed | Answered


def sessions() -> Sessions:
    """All sessions of this user."""
    return Sessions(places.data_folder() / "sessions")


Events = Iterator[Event]


def ports_for(
    retest: Retest,
    model: Model | None = None,
    model_url: str | None = None,
    known: tuple[str, ...] = (),
) -> Ports:
    """The real ports of this machine."""
    from copilot.adapters.compose_cli import ComposeCli
    from copilot.adapters.docker import DockerContainers
    from copilot.adapters.files import UserFiles
    from copilot.adapters.host import LiveHost
    from copilot.adapters.nvml import Nvml
    from copilot.adapters.tiktoken import TiktokenTokens

    return Ports(
        containers=DockerContainers(),
        gpus=Nvml(),
        files=UserFiles(),
        host=LiveHost(),
        resolver=ComposeCli(),
        tokens=TiktokenTokens(),
        retest=retest,
        model=model,
        model_url=model_url,
        secrets=known,
    )


def start(ports: Ports, sources: Sources, options: Options, store: Sessions | None = None) -> Events:
    """A new session (or the one named), round by round. Each answer is saved before it is handed out."""
    store = store or sessions()
    name = options.session or _new_id()
    record = Record(id=name, created=_now())
    first: State = {"session": name, "options": options, "sources": sources}
    with store.locked(name):
        if options.session and (store.folder(name) / "session.json").is_file():
            record, first = _resumed(store, name, sources, options)
        yield from _rounds(ports, store, record, first)


def proceed(
    ports: Ports, name: str, sources: Sources | None, options: Options, store: Sessions | None = None
) -> Events:
    """`copilot next`: the same graph, begun from the record."""
    store = store or sessions()
    store.read(name)
    with store.locked(name):
        given = merged(store.sources(name), sources)
        record, first = _resumed(store, name, given, options)
        yield from _rounds(ports, store, record, first)


def merged(stored: Sources, given: Sources | None) -> Sources:
    """The session's sources with those named now; a new log or folder means that the old container is not asked."""
    if given is None:
        return stored
    if given.directory is not None:
        return given
    named = {key: value for key, value in given.model_dump(exclude_defaults=True).items() if value is not None}
    if given.log is not None:
        named = {**named, "container": None, "directory": None}
    return stored.model_copy(update=named)


def close(name: str, store: Sessions | None = None) -> None:
    """The server has answered: the session is closed as fixed."""
    store = store or sessions()
    with store.locked(name):
        store.update(store.read(name).model_copy(update={"status": "fixed"}))


def _resumed(store: Sessions, name: str, sources: Sources, options: Options) -> tuple[Record, State]:
    """The record, and the state from which the next round goes on."""
    record = store.read(name)
    answers = store.answers(name)
    state: State = {"session": name, "options": options, "sources": sources, "redactor": record.redactor}
    if answers:
        last = answers[-1]
        state["round"] = last.round
        state["answer"] = last
        state["evidence"] = stored_evidence(store.folder(name) / f"round-{last.round}", record)
        state["history"] = tuple(Tried.model_validate(step.model_dump()) for step in record.history)
    return record, state


def stored_evidence(folder: Path, record: Record) -> Evidence:
    """The evidence of a saved round. It is redacted already, and redaction is idempotent."""
    from copilot.adapters.files import UserFiles
    from copilot.redaction import Redactor
    from copilot.workflow.folder import read_folder
    from copilot.workflow.gather import redacted
    from copilot.workflow.raw import RawBundle

    bundle = RawBundle(image=record.image, service=record.service, version=record.version)
    bundle.engine = record.engine if record.engine in ("vllm", "ollama") else None
    read_folder(UserFiles().within(str(folder)), str(folder), bundle)
    return redacted(bundle, Sources(directory=str(folder)), Redactor(state=record.redactor))


def _rounds(ports: Ports, store: Sessions, record: Record, first: State) -> Events:
    """Run the graph; save each round, then hand it out."""
    from copilot.workflow.graph import run

    state: State = dict(first)  # type: ignore[assignment]  # a TypedDict copy
    yield Progressed("gather")
    following = {"gather": "find", "find": "ask" if ports.model else "rank", "ask": "check"}
    for node, written in run(ports, first):
        state.update(written)
        if node == "propose":
            record = _saved(store, record, state)
            yield Answered(state["answer"], state["evidence"], state)
        elif node == "wait" and state["next"].kind == "stop":
            record = record.model_copy(update={"status": "stopped"})
            store.update(record)
        elif node in following:
            yield Progressed(following[node])


def _saved(store: Sessions, record: Record, state: State) -> Record:
    """The record with this round; on disk when this returns."""
    answer, evidence = state["answer"], state["evidence"]
    title = record.title or (answer.faults[0].title if answer.faults else answer.status)
    record = record.model_copy(
        update={
            "title": title,
            "status": "serving" if answer.status == "healthy" and answer.round > 1 else "open",
            "engine": answer.engine.name,
            "version": evidence.version_option,
            "image": evidence.image,
            "service": evidence.service.name,
            "platform": evidence.host.system,
            "history": tuple(Step.model_validate(t.model_dump()) for t in state.get("history", ())),
            "redactor": state["redactor"],
        }
    )
    store.save(record, state["sources"], evidence, answer)
    return record


def _now() -> str:
    """The present moment, in UTC."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def _new_id() -> str:
    """`2026-12-01-7f3a`: the day, and four random digits."""
    return f"{dt.datetime.now(dt.UTC).date().isoformat()}-{secrets.token_hex(2)}"


def dry_run(ports: Ports, sources: Sources, options: Options) -> tuple[tuple[str, str], ...]:
    """Exactly the messages that would be sent: (role, text) each. Sends nothing, saves nothing."""
    from copilot.workflow.ask import budget_of, messages_for
    from copilot.workflow.find import find
    from copilot.workflow.gather import gather

    state: State = {"session": "dry-run", "options": options, "sources": sources}
    state.update(gather(ports, state))
    state.update(find(ports, state))
    return tuple((message.role, message.content) for message in messages_for(ports, state, budget_of(ports.model)))


def collect(ports: Ports, sources: Sources, folder: Path) -> Evidence:
    """Only the redacted evidence, in the case format, as a folder to review and carry elsewhere.

    The folder is there as a whole or not at all, also after Ctrl-C.
    """
    from copilot.round_files import make_folder, write_file, write_round
    from copilot.workflow.gather import gather

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty.", "Name a new folder with -o.")
    state: State = {"session": "collect", "options": Options(), "sources": sources}
    evidence = gather(ports, state)["evidence"]
    beside = folder.absolute().with_name(f".{folder.absolute().name}.new")
    shutil.rmtree(beside, ignore_errors=True)
    try:
        make_folder(beside / "round-1")
        write_round(beside / "round-1", evidence)
        write_file(beside / "case.toml", case_toml(evidence))
        beside.rename(folder.absolute())
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}.", "Name another folder with -o.") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return evidence


def case_toml(evidence: Evidence, title: str = "collected") -> str:
    """The head of a case: what was collected, without any statement of the answer."""
    rows = {
        "schema": "copilot.case/1",
        "title": title,
        "engine": evidence.engine or "container",  # the format has no word for "not known"
        "version": evidence.version_option or "",
        "image": evidence.image or "",
        "service": evidence.service.name or "",
        "platform": evidence.host.system or "linux",
        "source": "recorded",
        "reference": "collected with `copilot collect`",
    }
    lines = [f"{key} = {toml_string(value)}" for key, value in rows.items()]
    return "\n".join([*lines, "round = 1", "confirmed = false", ""])
