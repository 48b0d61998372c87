"""From the `propose` entries of a signature to proposals for this evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from copilot.model.finding import Proposal
from copilot.model.text import Text
from copilot.signatures.conditions import holds, in_range
from copilot.signatures.facts import Facts
from copilot.signatures.pages import Page
from copilot.signatures.proposers import COMPUTE, Computed
from copilot.signatures.signature import Propose

_IN_PLACE = Text(
    en="What helps against this is set already, and the failure is still there: first make sure that the running"
    " server has it.",
    zh="对此有效的设置已经写上，而故障仍在：先确认运行中的服务器确实拿到了它。",
)
_LOOK = Text(
    en="Compare {parameter} in the file with what the server was started with: docker inspect --format"
    " '{{json .Config.Cmd}} {{json .Config.Env}}' CONTAINER, and the log's line \"non-default args\".",
    zh="把文件中的 {parameter} 与服务器实际启动参数对照:docker inspect --format"
    " '{{json .Config.Cmd}} {{json .Config.Env}}' 容器名，以及日志中的 \"non-default args\" 一行。",
)
_ABSENT = Text(
    en="It is missing there: recreate the container (docker compose up -d; restart does not take a changed file).",
    zh="那里没有：重建容器（docker compose up -d；restart 不会读取改动后的文件）。",
)
_PRESENT = Text(
    en="It is there: then it has no effect in this version, or the value is not the right one for this model.",
    zh="那里有：则它在该版本中不起作用，或该值不适合此模型。",
)
_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off"}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a match knows when its proposals are made."""

    facts: Facts
    captures: Mapping[str, str]
    pages: Sequence[Page]
    """The boot in question and the other texts."""
    names: frozenset[str] = frozenset()
    """All captures that the patterns can make."""

    @property
    def words(self) -> dict[str, str]:
        """What `{names}` in texts stand for."""
        return {**dict.fromkeys(self.names, "?"), **self.captures}


def proposals(entries: Sequence[Propose], seen: Seen) -> tuple[Proposal, ...]:
    """The proposals that apply, in the file's order, none twice."""
    made: list[Proposal] = []
    for entry in entries:
        if _applies(entry, seen):
            made += _made(entry, seen)
    if not made:
        made = [_whether_it_arrived(entries, seen)]
    unique = {(p.kind, p.parameter, p.to, p.observe): p for p in reversed(made)}
    kept = [p for p in made if unique[p.kind, p.parameter, p.to, p.observe] is p]
    return tuple(p.model_copy(update={"cost": cost}) for cost, p in enumerate(kept))


def _whether_it_arrived(entries: Sequence[Propose], seen: Seen) -> Proposal:
    """Every change that is known is made already: whether the server has it decides what to do next."""
    named = next((entry.parameter for entry in entries if entry.parameter), None)
    parameter = _filled(named, seen.captures) or "the setting"
    return Proposal(
        kind="observe",
        observe=_LOOK.fill(parameter=parameter),
        why=_IN_PLACE,
        if_right=_ABSENT,
        if_wrong=_PRESENT,
        watch=entries[0].watch if entries else (),
    )


def _applies(entry: Propose, seen: Seen) -> bool:
    if not in_range(seen.facts.engine.version, entry.since, entry.until):
        return False
    asked = [holds(c, seen.facts, seen.captures, seen.pages) for c in entry.need]
    return all(asked) and not any(holds(c, seen.facts, seen.captures, seen.pages) for c in entry.unless)


def _made(entry: Propose, seen: Seen) -> list[Proposal]:
    if entry.compute is not None:
        computed = COMPUTE[entry.compute](seen.facts, seen.captures, entry.args)
    else:
        computed = (Computed(to=_filled(entry.to, seen.captures)),)
    named = [replace(v, parameter=_filled(v.parameter or entry.parameter, seen.captures)) for v in computed]
    return [_proposal(entry, value, seen) for value in named if _changes(entry, value, seen.facts)]


def _filled(template: str | None, captures: Mapping[str, str]) -> str | None:
    if template is None:
        return None
    for name, value in captures.items():
        template = template.replace(f"{{{name}}}", value)
    return template


def _changes(entry: Propose, value: Computed, facts: Facts) -> bool:
    """Whether the change would change anything: not a value that is set already, not removing what nobody sets."""
    if entry.kind == "observe":
        return True
    current = facts.setting(value.parameter or "")
    if value.to is not None:
        return current is None or not _same(current.value, value.to)
    return current is not None or not facts.evidence.service.settings


def _same(current: str | None, wanted: str) -> bool:
    now, new = ("true" if current is None else current).strip().lower(), wanted.strip().lower()
    return now == new or any(now in words and new in words for words in (_TRUE, _FALSE))


def _proposal(entry: Propose, value: Computed, seen: Seen) -> Proposal:
    words = {**seen.words, **value.words, "to": value.to or ""}
    why = entry.why.fill(**words)
    if value.note is not None:
        why = Text(en=f"{why.en} {value.note.en}", zh=f"{why.zh}{value.note.zh}")
    return Proposal(
        kind=entry.kind,
        parameter=value.parameter,
        to=value.to,
        observe=entry.observe.fill(**words) if entry.observe else None,
        why=why,
        if_right=entry.if_right.fill(**words),
        if_wrong=entry.if_wrong.fill(**words),
        watch=tuple(_filled(text, words) or text for text in entry.watch),
    )
