"""`copilot compare`: two logs, and the three sentences about a switch."""

from copilot.engines import EngineFacts
from copilot.engines import read as read_engine
from copilot.errors import UsageError
from copilot.logs import clean, compare, decode, is_binary, parse
from copilot.model.answer import Change, ComparedChange, ComparedLine, Expect, Experiment
from copilot.model.comparison import ComparisonDocument, Effect, Phases, SwitchEffect
from copilot.model.evidence import Evidence, Service, SourceText
from copilot.model.finding import CompareLine, Comparison, Proposal
from copilot.model.log import Log
from copilot.model.text import Lang, RedactedText, Text
from copilot.model.words import Topic
from copilot.parameters import registry
from copilot.ports import Files
from copilot.redaction import Redactor
from copilot.signatures import Facts, match
from copilot.workflow.choose import choices

PATHS: tuple[tuple[tuple[str, ...], Topic], ...] = (
    (("PIN_MEMORY", "V2_MODEL_RUNNER", "cpu-offload", "UVA"), "memory path"),
    (("ATTENTION", "attention", "FLASH"), "attention"),
    (("HF_", "download", "XET", "MODELSCOPE"), "download"),
    (("NCCL", "GLOO", "parallel", "all-reduce", "shm"), "parallelism"),
    (("memory", "max-", "kv-cache", "eager", "MAX_", "NUM_PARALLEL", "CONTEXT"), "memory budget"),
    (("CUDA_", "device", "gpus", "GPU"), "device"),
)
"""Which topic a switch's path shows in."""


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
        self.facts: EngineFacts = read_engine(parsed, engine, None, None)
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
    switch = _switch(parameter, found, b, lang) if parameter else None
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


def _topic(parameter: str) -> Topic:
    """The topic under which a switch would show."""
    for words, topic in PATHS:
        if any(word in parameter for word in words):
            return topic
    return "other"


def _switch(spelled: str, found: Comparison, b: Side, lang: Lang) -> SwitchEffect:
    """The three sentences: does its path differ; what else touches it; (the experiment stands beside)."""
    engine, version = b.facts.name or "vllm", b.facts.version
    lookup = registry().find(spelled, engine, version)
    if lookup.parameter is None and lookup.status == "unknown":
        near = f"Near: {', '.join(lookup.suggestions[:3])}." if lookup.suggestions else "Check the spelling."
        raise UsageError(f"{spelled} is no parameter that copilot knows.", near)
    name = lookup.parameter or spelled
    effect, because = _effect(name, found, lookup.status, version)
    return SwitchEffect(
        name=name,
        effect=effect,
        because=because.in_(lang),
        same_path=registry().same_path(name, engine, version),
    )


def _effect(name: str, found: Comparison, status: str, version: str | None) -> tuple[Effect, Text]:
    """Whether the switch did anything, and why that can be said."""
    if status in ("removed", "not_yet", "ignored", "unknown"):
        return "not_read", Text(
            en=f"{name} is not read by version {version}, so it cannot change anything.",
            zh=f"版本 {version} 不读取 {name}，所以它不可能改变任何东西。",
        )
    topic = _topic(name)
    bare = name.removeprefix("env:").removeprefix("--")
    own = tuple(line for line in (*found.gone, *found.new) if bare in line.text or bare.replace("-", "_") in line.text)
    differing = [line for line in (*found.gone, *found.new) if line.topic == topic and line not in own]
    differing += [c.b for c in found.changed if c.b.topic == topic]
    if differing:
        return "some", Text(
            en=f"Its path ({topic}) differs, first in line {differing[0].line}: {differing[0].text.strip()[:120]}",
            zh=f"它的路径（{topic}）有变化，首先在第 {differing[0].line} 行：{differing[0].text.strip()[:120]}",
        )
    if found.phase_a != found.phase_b:
        return "some", Text(
            en=f"The starts got differently far: {found.phase_a} and {found.phase_b}.",
            zh=f"两次启动走到的阶段不同：{found.phase_a} 与 {found.phase_b}。",
        )
    if own:
        return "none", Text(
            en=f"{name} was read (line {own[0].line} names it), and nothing on its path differs: "
            "it is not effective here.",
            zh=f"{name} 已被读取（第 {own[0].line} 行提到它），但它的路径上没有任何变化：在这里不起作用。",
        )
    return "none", Text(
        en=f"Nothing on its path differs, and neither log names {name}: see whether the container has it "
        "(`docker inspect`), because it is either not set there or not effective.",
        zh=f"它的路径上没有任何变化，两份日志也都没有提到 {name}：请用 `docker inspect` 看容器里有没有它，"
        "要么没有设置进去，要么不起作用。",
    )


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
