"""An answer on a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from copilot.model.answer import Answer, Change, Experiment, MappedLine
from copilot.model.text import Lang
from copilot.render.console import indented, plain
from copilot.render.ledger import ledger_table
from copilot.text import say
from copilot.text.errors import translated

if TYPE_CHECKING:
    from rich.console import RenderableType

COLOURS = {"diagnosed": "bold yellow", "partial": "yellow", "unknown": "magenta", "healthy": "bold green"}
ROLE_COLOURS = {"cause": "bold red", "symptom": "yellow", "context": "cyan", "noise": "dim"}
ROLES = ("cause", "symptom", "context", "noise")
"""Which lines are shown first where there are many."""
MAX_ROWS = 12
PLACE = 16
"""Column where the role begins."""
COMPARED = 4
"""Lines of each kind that a comparison shows; those of a topic first."""
LONGEST = 220
"""Characters of one line that are shown."""


def render_answer(answer: Answer, lang: Lang) -> "RenderableType":
    """The whole answer, top to bottom in the order a person needs it."""
    from rich.console import Group

    return Group(*_parts(answer, lang))


def _parts(answer: Answer, lang: Lang) -> "Iterator[RenderableType]":
    """The sections that have something to say."""
    yield from _head(answer, lang)
    yield from _compared(answer, lang)
    yield from _faults(answer, lang)
    if answer.lines:
        yield from _lines(answer.lines, lang)
    if answer.ledger is not None:
        yield ledger_table(answer.ledger, lang)
    yield from _experiment(answer, lang)
    yield from _list("verify", answer.verify if answer.status != "unknown" else (), lang, numbered=True)
    failed = tuple(f"{c.check}: {translated(c.detail, lang)}" for c in answer.checks if not c.passed)
    yield from _list("checks.failed", failed, lang)
    yield from _list("missing", answer.missing, lang)
    count = sum(answer.redactions.values())
    if count:
        yield plain(say("redactions", lang, count=count), "dim")


def _head(answer: Answer, lang: Lang) -> "Iterator[RenderableType]":
    """Status, engine, who answered."""
    from copilot.render.wrapping import Prose

    engine = answer.engine
    if engine.name is None:
        what = say("head.engine_unknown", lang)
    elif engine.version is None:
        what = say("head.version_unknown", lang, engine=engine.name)
    else:
        origin = say(f"origin.{engine.version_from or 'log'}", lang)
        what = say("head.version", lang, engine=engine.name, version=engine.version, origin=origin)
    by = answer.answered_by
    who = by.provider if by.model is None else f"{by.provider} ({by.model})"
    yield Prose.assemble(
        (f"● {say(f'status.{answer.status}', lang)}", COLOURS[answer.status]),
        f"  {what}  ",
        plain(say("head.round", lang, round=answer.round, session=answer.session), "dim"),
        "  ",
        plain(say("head.by", lang, who=who, seconds=by.seconds), "dim"),
    )
    if by.fallback_from:
        yield plain(say("head.fallback", lang, provider=by.fallback_from), "yellow")


def _compared(answer: Answer, lang: Lang) -> "Iterator[RenderableType]":
    """What a retest changed."""
    found = answer.compared
    if found is None:
        return
    phases = " → ".join(say(f"phase.{found.phase[side]}", lang) for side in ("a", "b") if side in found.phase)
    yield plain(f"\n{say('compared', lang)}: {say(f'verdict.{found.verdict}', lang)}  ({phases})", "bold")
    for key, lines, style in (("gone", found.gone, "green"), ("new", found.new, "red")):
        for line in sorted(lines, key=lambda line: line.topic == "other")[:COMPARED]:
            yield indented(plain(f"{say(f'compared.{key}', lang)} {line.line}: {_short(line.text)}", style), 2)
    if found.note:
        yield plain(f"  {found.note}")


def _faults(answer: Answer, lang: Lang) -> "Iterator[RenderableType]":
    """Each fault apart, the one that stops the start first."""
    if not answer.faults:
        return
    yield plain(f"\n{say('faults', lang)}", "bold")
    for number, fault in enumerate(answer.faults, 1):
        blocking = say("fault.blocking" if fault.blocking else "fault.silent", lang)
        sure = say(f"confidence.{fault.confidence}", lang)
        yield plain(f" {number}. {fault.title}  [{sure}, {blocking}]", "bold" if number == 1 else "")
        yield indented(plain(fault.cause), 4)
        yield indented(plain(", ".join(fault.parameters), "cyan"), 4)


def _lines(lines: tuple[MappedLine, ...], lang: Lang) -> "Iterator[RenderableType]":
    """The line map: per line where it stands, its role and parameter, and below it what it says."""
    yield plain(f"\n{say('lines', lang)}", "bold")
    shown = sorted(lines, key=lambda line: ROLES.index(line.role))[:MAX_ROWS]
    said: set[str] = set()
    for line in lines:
        text = _said(line)
        if line not in shown or (line.role == "symptom" and text in said):
            continue
        said.add(text)
        role = say(f"role.{line.role}", lang)
        head = plain(f"  {say(f'source.{line.source}', lang)} {line.line}".ljust(PLACE))
        head.append_text(plain(role, ROLE_COLOURS[line.role]))
        head.append_text(plain(f"  {line.parameter}" if line.parameter else "", "cyan"))
        yield head
        yield indented(plain(text, "dim" if line.role in ("context", "noise") else ""), 6)
    if len(lines) > len(shown):
        yield plain(f"  {say('lines.more', lang, count=len(lines) - len(shown))}", "dim")


def _said(line: MappedLine) -> str:
    """What the program said, without the prefixes of logger and process, and short; `--json` has it verbatim."""
    return _short(line.text) if line.source == "log" else line.text.strip()[:LONGEST]


def _short(text: str) -> str:
    """A log line without its prefixes."""
    from copilot.logs import parse

    said = parse(text).lines[0].message.strip() or text.strip()
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"


def _experiment(answer: Answer, lang: Lang) -> "Iterator[RenderableType]":
    """The one thing to try."""
    from rich.console import Group
    from rich.panel import Panel

    if answer.experiment is None:
        if answer.status in ("diagnosed", "partial"):
            yield plain(say("experiment.none", lang), "yellow")
        return
    body = Group(*_experiment_lines(answer.experiment, lang))
    title = say("experiment" if answer.experiment.kind == "change" else "observe", lang)
    yield Panel(body, title=title, title_align="left", border_style="green")


def change_sentence(change: Change, lang: Lang) -> str:
    """A change in words."""
    if change.to is None:
        return say("change.remove", lang, parameter=change.parameter, before=change.before)
    key = "change.set" if change.before is None else "change.change"
    return say(key, lang, parameter=change.parameter, before=change.before, to=change.to)


def _experiment_lines(experiment: Experiment, lang: Lang) -> "Iterator[Text]":
    """The panel's lines."""
    if experiment.change is not None:
        yield plain(change_sentence(experiment.change, lang), "bold")
    if experiment.observe:
        yield plain(experiment.observe, "bold")
    if experiment.replaces:
        yield plain(say("change.gone", lang, parameter=experiment.replaces), "bold")
    for change in experiment.revert:
        yield plain(f"{say('revert', lang)}: {change_sentence(change, lang)}")
    yield plain(f"{say('why', lang)}: {experiment.why}")
    if experiment.predicted:
        yield plain(f"{say('predicted', lang)}: {experiment.predicted.text}")
    for line in (experiment.diff or "").rstrip("\n").split("\n") if experiment.diff else ():
        style = "green" if line.startswith("+") else "red" if line.startswith("-") else "dim"
        yield plain(f"  {line}", style)
    for command in experiment.commands:
        yield from (plain(line, "cyan") for line in f"  $ {command}".split("\n"))
    for key, value in (
        ("if_right", experiment.expect.if_right),
        ("if_wrong", experiment.expect.if_wrong),
        ("watch", ", ".join(experiment.expect.watch)),
        ("undo", experiment.undo),
    ):
        if value:
            yield plain(f"{say(key, lang)}: {value}")


def _list(key: str, items: tuple[str, ...], lang: Lang, *, numbered: bool = False) -> "Iterator[RenderableType]":
    """A heading and its items, if there are any."""
    if not items:
        return
    yield plain(f"\n{say(key, lang)}", "bold")
    for number, item in enumerate(items, 1):
        mark = f"{number}. " if numbered else "· "
        yield indented(plain(f"{mark}{item}"), 2)


if TYPE_CHECKING:
    from rich.text import Text
