"""From signatures and one evidence to findings."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import get_args

from copilot.model.evidence import Setting
from copilot.model.finding import Finding, LineRef
from copilot.model.text import Text
from copilot.model.words import Confidence, Role
from copilot.signatures.conditions import holds, in_range
from copilot.signatures.facts import Facts
from copilot.signatures.load import candidates
from copilot.signatures.named import named_settings
from copilot.signatures.pages import Hit, Page, boots, find, other
from copilot.signatures.propose import Seen, proposals
from copilot.signatures.settle import settle
from copilot.signatures.signature import Look, Signature

_REPEATED = Text(en="The same message again.", zh="同一条信息的重复。")
_SETS = Text(en="Sets {parameter}, which this fault concerns.", zh="此处设置了 {parameter}，与该故障有关。")
_NOISE = Text(en="Follows from the cause, or means nothing.", zh="由原因引发，或无关紧要。")
_RAISED = re.compile(r"^\s*(?:(?:[A-Za-z_]\w*\.)*[A-Z]\w*: |Value error, )?")
_MILD = ("DEBUG", "INFO", "WARNING")
COPIES = 2
"""Repetitions of the decisive line that are shown."""
_SAME = Text(en="The same failure in the words of another layer.", zh="同一故障在另一层的表述。")


def match(facts: Facts) -> tuple[Finding, ...]:
    """The failures seen: those of the last boot first, then by how early they strike."""
    logs, texts = boots(facts.log), other(facts.evidence.texts)
    haystack = "\n".join(page.lowered for page in (*logs, *texts))
    found = []
    for signature in candidates(haystack, facts.engine.name):
        if signature.noise or not _concerns(signature, facts):
            continue
        for boot in reversed(logs or (None,)):
            finding = _in_boot(signature, facts, boot, texts)
            if finding is not None:
                found.append(finding)
                break
    mild = frozenset(line.number for line in facts.log.lines if line.level in _MILD)
    return settle(found, {s.id: s for s in candidates(haystack, facts.engine.name)}, mild)


def mark_noise(facts: Facts) -> tuple[LineRef, ...]:
    """The lines that are wrappers, shutdown noise or harmless warnings, in log order."""
    logs = boots(facts.log)
    haystack = "\n".join(page.lowered for page in logs)
    marked: dict[int, LineRef] = {}
    for signature in candidates(haystack, facts.engine.name):
        if signature.noise and _concerns(signature, facts):
            for look in signature.see:
                for hit in find(look, logs):
                    marked.setdefault(hit.line.number, _ref(signature, look, hit, "noise"))
    return tuple(marked[number] for number in sorted(marked))


def _concerns(signature: Signature, facts: Facts) -> bool:
    if facts.engine.name is not None and signature.engine and facts.engine.name not in signature.engine:
        return False
    return in_range(facts.engine.version, signature.since, signature.until)


def _in_boot(signature: Signature, facts: Facts, boot: Page | None, texts: tuple[Page, ...]) -> Finding | None:
    pages = (boot, *texts) if boot else texts
    lines, captures = _seen(signature, pages, facts)
    if not lines:
        return None
    if not all(holds(c, facts, captures, pages) for c in signature.need):
        return None
    if any(holds(c, facts, captures, pages) for c in signature.unless):
        return None
    more, captures = _supporting(signature, pages, captures, {(ref.source, ref.line) for ref in lines})
    return _finding(signature, Seen(facts, captures, pages, _names(signature)), (*lines, *more), boot)


def _seen(signature: Signature, pages: Sequence[Page], facts: Facts) -> tuple[list[LineRef], dict[str, str]]:
    """The decisive lines: per pattern the first, and some of its repetitions."""
    lines: list[LineRef] = []
    captures: dict[str, str] = {}
    taken: set[tuple[str, str, int]] = set()
    for look in signature.see:
        hits = [hit for hit in find(look, pages) if hit.key not in taken]
        if look.names_setting:
            hits = list(_naming(hits, facts))
        taken.update(hit.key for hit in hits)
        if hits:
            captures = {**hits[0].captures, **captures}
            lines.append(_ref(signature, look, hits[0], "cause"))
            lines += _repeated(signature, look, hits)
    return lines, captures


def _naming(hits: Iterable[Hit], facts: Facts) -> Iterator[Hit]:
    """The hits that name a setting; of several the one that the person made."""
    for hit in hits:
        names = named_settings(hit.line.message, facts.engine.version)
        if names:
            chosen = next((name for name in names if facts.setting(name) is not None), names[0])
            yield replace(hit, captures={**hit.captures, "setting": chosen})


def _repeated(signature: Signature, look: Look, hits: Sequence[Hit]) -> list[LineRef]:
    """Copies of the first line, and the last line that says the same in other words: that one ended the program."""
    first, said = hits[0], hits[0].line.message.strip()
    same = [hit for hit in hits[1:] if hit.captures == first.captures]
    copies = [_ref(signature, look, h, "symptom", _REPEATED) for h in same if h.line.message.strip() == said][:COPIES]
    others = [h for h in same if h.line.message.strip() != said and h.page is first.page and _rethrown(h, first)]
    return [*copies, *(_ref(signature, look, hit, "cause", _SAME) for hit in others[-1:])]


def _rethrown(hit: Hit, first: Hit) -> bool:
    """Whether the sentence is the first one's, at most with another exception's name before it."""
    return first.before.endswith(_RAISED.sub("", hit.before))


def _supporting(
    signature: Signature, pages: Sequence[Page], captures: dict[str, str], taken: Iterable[tuple[str, int]]
) -> tuple[list[LineRef], dict[str, str]]:
    lines: list[LineRef] = []
    seen = set(taken)
    for look in signature.also:
        for hit in find(look, pages):
            if (hit.page.source, hit.line.number) not in seen:
                seen.add((hit.page.source, hit.line.number))
                lines.append(_ref(signature, look, hit, look.role))
            captures = {**hit.captures, **captures}
            break
    return lines, captures


def _ref(signature: Signature, look: Look, hit: Hit, role: Role, why: Text | None = None) -> LineRef:
    first = signature.parameters[0] if signature.parameters else None
    reason = why or look.why or (_NOISE if signature.noise else signature.title)
    return LineRef(
        source=hit.page.source,
        line=hit.line.number,
        text=hit.line.text,
        role=role,
        parameter=None if role == "noise" else _named(look.parameter or first or "", hit.captures) or None,
        topic=signature.topic,
        why=reason.fill(**hit.captures),
        file=hit.page.file,
    )


def _finding(signature: Signature, seen: Seen, lines: Sequence[LineRef], boot: Page | None) -> Finding:
    captures = dict(seen.captures)
    words = seen.words
    cause = signature.cause or signature.title
    return Finding(
        id=signature.id,
        category=signature.category,
        topic=signature.topic,
        parameters=tuple(_named(p, captures) for p in signature.parameters),
        confidence=_confidence(signature, seen),
        blocking=signature.blocking,
        boot=boot.boot or 0 if boot else 0,
        phase=signature.phase,
        title=signature.title.fill(**words),
        cause=cause.fill(**words),
        lines=(*lines, *_settings(signature, seen, lines)),
        proposals=proposals(signature.propose, seen),
        captures=captures,
        supersedes=signature.supersedes,
        weight=signature.weight,
    )


def _names(signature: Signature) -> frozenset[str]:
    """Every capture that its patterns can make; a wording that lacks one leaves a question mark in the texts."""
    looks = (*signature.see, *signature.also)
    return frozenset(name for look in looks for name in re.compile(look.pattern).groupindex)


def _named(parameter: str, captures: Mapping[str, str]) -> str:
    for name, value in captures.items():
        parameter = parameter.replace(f"{{{name}}}", value)
    return parameter


def _confidence(signature: Signature, seen: Seen) -> Confidence:
    order = get_args(Confidence)
    levels = [signature.confidence]
    levels += [d.confidence for d in signature.doubt if holds(d, seen.facts, seen.captures, seen.pages)]
    return max(levels, key=order.index)


def _settings(signature: Signature, seen: Seen, lines: Sequence[LineRef]) -> list[LineRef]:
    """Where the fault's settings are written, as context lines."""
    reasons = {s.parameter: s.why for s in signature.settings}
    cited = {(ref.source, ref.file, ref.line) for ref in lines}
    refs = []
    for parameter in dict.fromkeys((*signature.parameters, *reasons)):
        for setting in seen.facts.settings(_named(parameter, seen.captures)):
            if (setting.source, setting.file, setting.line) not in cited and setting.line:
                cited.add((setting.source, setting.file, setting.line))
                ref = _setting_line(setting, seen.facts, reasons.get(parameter) or _SETS)
                refs += [ref.model_copy(update={"topic": signature.topic})] if ref else []
    return refs


def _setting_line(setting: Setting, facts: Facts, why: Text) -> LineRef | None:
    try:
        if setting.source == "log":
            text = facts.log.line(setting.line).text
        else:
            source = facts.evidence.text(setting.source, setting.file or None)
            text = source.line(setting.line) if source else ""
    except IndexError:
        return None
    if not text:
        return None
    return LineRef(
        source=setting.source,
        line=setting.line,
        text=text,
        role="context",
        parameter=setting.parameter,
        why=why.fill(parameter=setting.parameter),
        file=setting.file,
    )
