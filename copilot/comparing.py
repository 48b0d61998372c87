"""`copilot compare`: two logs, and the three sentences about a switch."""

from copilot.engines import EngineFacts, identify
from copilot.engines import read as read_engine
from copilot.errors import UsageError
from copilot.logs import clean, compare, decode, is_binary, parse
from copilot.model.answer import Change, ComparedChange, ComparedLine, Expect, Experiment
from copilot.model.comparison import ComparisonDocument, Phases
from copilot.model.evidence import Evidence, Service, SourceText
from copilot.model.finding import CompareLine, Proposal
from copilot.model.log import Log
from copilot.model.text import Lang, RedactedText
from copilot.ports import Files
from copilot.redaction import Redactor
from copilot.signatures import Facts, match
from copilot.switch import switch_effect
from copilot.workflow.choose import choices


class Side:
    """One log, redacted and read."""

    def __init__(self, files: Files, path: str, engine: str | None, redactor: Redactor) -> None:
        """Read one file; UsageError when it is missing, binary or empty."""
        data = files.read(path)
        if is_binary(data):
            raise UsageError(f"{files.show(path)} is not a text file.", "Give a container's log.")
        text = redactor.redact(clean(decode(data))).text
        if not text.strip():
            raise UsageError(f"{files.show(path)} is empty.", "Save it with: docker logs NAME > A.log 2>&1")
        parsed = parse(text)
        self.facts: EngineFacts = read_engine(parsed, identify(parsed, None, engine), None, None)
        self.log = Log(parsed.lines, self.facts.boots)
        source = SourceText(source="log", file="server.log", text=RedactedText(text))
        self.evidence = Evidence(texts=(source,), service=Service(settings=self.facts.settings))

    @property
    def last(self) -> Log:
        """The last boot."""
        boots = self.log.boots
        return Log(self.log.of_boot(len(boots) - 1), boots[-1:]) if boots else self.log


def compare_logs(
    files: Files, paths: tuple[str, str], parameter: str | None, engine: str | None, lang: Lang
) -> ComparisonDocument:
    """Compare two logs; with a parameter, answer whether it changed anything on its path."""
    redactor = Redactor()
    a, b = (Side(files, path, engine, redactor) for path in paths)
    phase_a, phase_b = (s.last.boots[-1].phase if s.last.boots else "none" for s in (a, b))
    found = compare(a.last, b.last, phase_a, phase_b)
    if b.facts.healthy and not a.facts.healthy:
        found = found.model_copy(update={"verdict": "fixed"})
    switch = switch_effect(parameter, found, b.facts, lang) if parameter else None
    return ComparisonDocument(
        verdict=found.verdict,
        phase=Phases(a=phase_a, b=phase_b),
        same=found.same,
        gone=tuple(map(_line, found.gone)),
        new=tuple(map(_line, found.new)),
        changed=tuple(ComparedChange(a=_line(c.a), b=_line(c.b)) for c in found.changed),
        parameter=switch,
        experiment=_experiment(b, parameter, lang) if not b.facts.healthy else None,
    )


def _line(line: CompareLine) -> ComparedLine:
    return ComparedLine(line=line.line, text=line.text, topic=line.topic)


def _experiment(side: Side, parameter: str | None, lang: Lang) -> Experiment | None:
    """The single next experiment from the later start's findings, other than the switch itself."""
    facts = Facts(evidence=side.evidence, log=side.log, engine=side.facts, ledger=None)
    open_ = [c.proposal for c in choices(match(facts), side.evidence.service, ())]
    rest = [p for p in open_ if p.parameter != parameter] or open_
    return _as_experiment(rest[0], lang) if rest else None


def _as_experiment(proposal: Proposal, lang: Lang) -> Experiment:
    """A proposal in the answer's shape; there is no file to change here."""
    change = None
    if proposal.kind == "change" and proposal.parameter:
        change = Change(parameter=proposal.parameter, before=None, to=proposal.to)
    return Experiment(
        fault=None,
        kind="change" if change else "observe",
        change=change,
        observe=proposal.observe.in_(lang) if proposal.observe else None,
        why=proposal.why.in_(lang),
        expect=Expect(if_right=proposal.if_right.in_(lang), if_wrong=proposal.if_wrong.in_(lang), watch=proposal.watch),
    )
