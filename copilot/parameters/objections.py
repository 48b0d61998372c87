"""The findings of the audit: one function per thing that can be wrong with a setting."""

from copilot.model.finding import Finding, LineRef, Proposal
from copilot.model.text import Text
from copilot.model.words import Confidence, Phase
from copilot.parameters import successors
from copilot.parameters.audited import Audited
from copilot.parameters.paths import topic_of
from copilot.parameters.remedies import mend, put, remove, renames, replacement


def unknown_flag(audited: Audited) -> Finding:
    """No release has such a flag: argparse stops the start."""
    name, meant = audited.name, audited.found.suggestions
    hint_en = f" Did you mean {meant[0]}?" if meant else ""
    hint_zh = f" 是否想写 {meant[0]}？" if meant else ""
    settled = audited.found.version is not None or bool(meant)  # a fork of unknown version may have flags of its own
    return _finding(
        audited,
        "unknown",
        Text(en=f"{name} does not exist", zh=f"不存在 {name} 这个参数"),
        Text(
            en=f"{audited.reader} has no parameter {name}, and refuses to start with it.{hint_en}",
            zh=f"{audited.reader} 没有 {name} 这个参数，带上它会拒绝启动。{hint_zh}",
        ),
        renames(audited),
        confidence=None if settled else "low",
        blocking=settled,
    )


def unknown_variable(audited: Audited) -> Finding:
    """A variable that claims to be the engine's and that no release reads."""
    name, meant = audited.name, audited.found.suggestions
    hint_en = f" Did you mean {meant[0].removeprefix('env:')}?" if meant else ""
    hint_zh = f" 是否想写 {meant[0].removeprefix('env:')}？" if meant else ""
    return _finding(
        audited,
        "unknown",
        Text(en=f"{name} is not read", zh=f"{name} 不会被读取"),
        Text(
            en=f"{audited.reader} knows no variable {name}: setting it changes nothing.{hint_en}",
            zh=f"{audited.reader} 没有变量 {name}，设置它不起作用。{hint_zh}",
        ),
        renames(audited),
        confidence="medium" if meant else "low",
    )


def unread(audited: Audited, meant: str) -> Finding:
    """A name that looks like another program's variable (`HUGGINGFACE_TOKEN`)."""
    name, right = audited.name, meant.removeprefix("env:")
    return _finding(
        audited,
        "unread",
        Text(en=f"{name} is not read", zh=f"{name} 不会被读取"),
        Text(
            en=f"Nothing in the server reads {name}; the variable is {right}.",
            zh=f"服务端不会读取 {name}；应使用 {right}。",
        ),
        (put(audited, meant, audited.setting.value), remove(audited)),
        confidence="medium",
    )


def ambiguous(audited: Audited) -> Finding:
    """A prefix of several flags: argparse stops the start."""
    name, listed = audited.name, ", ".join(audited.found.suggestions)
    return _finding(
        audited,
        "ambiguous",
        Text(en=f"{name} is ambiguous", zh=f"{name} 有歧义"),
        Text(
            en=f"{audited.reader} has no {name}; as an abbreviation it could mean {listed}, so the start is refused.",
            zh=f"{audited.reader} 没有 {name}；作为缩写它可能指 {listed}，因此拒绝启动。",
        ),
        (remove(audited), *renames(audited)[:3]),
    )


def removed(audited: Audited) -> Finding:
    """An older release had it. A flag stops the start, a variable is ignored."""
    name, last = audited.name, audited.found.until
    follow = successors.of(audited.found.parameter or "", audited.engine, audited.found.version)
    en = f"{audited.reader} no longer has {name}; {last} was the last version with it."
    zh = f"{audited.reader} 已没有 {name}；最后支持它的版本是 {last}。"
    effect = (" The start is refused.", "因此拒绝启动。") if audited.is_flag else (" It is ignored.", "该设置被忽略。")
    note = follow.note if follow else Text(en="", zh="")
    return _finding(
        audited,
        "removed" if audited.is_flag else "ignored",
        Text(en=f"{name} is gone in this version", zh=f"该版本已移除 {name}"),
        Text(en=f"{en}{effect[0]} {note.en}".strip(), zh=f"{zh}{effect[1]}{note.zh}"),
        replacement(audited),
    )


def not_yet(audited: Audited) -> Finding:
    """Only newer releases have it."""
    name, first = audited.name, audited.found.since
    effect = (" The start is refused.", "因此拒绝启动。") if audited.is_flag else (" It is ignored.", "该设置被忽略。")
    return _finding(
        audited,
        "not-yet" if audited.is_flag else "ignored",
        Text(en=f"{name} exists only from {first} on", zh=f"{name} 从 {first} 起才有"),
        Text(
            en=f"{audited.reader} does not have {name} yet; it came with {first}.{effect[0]}",
            zh=f"{audited.reader} 还没有 {name}，{first} 才加入。{effect[1]}",
        ),
        (remove(audited),),
    )


def ineffective(audited: Audited) -> Finding:
    """Accepted, and without effect."""
    name, why = audited.name, audited.found.note or Text(en="", zh="")
    return _finding(
        audited,
        "ignored",
        Text(en=f"{name} has no effect in this version", zh=f"{name} 在该版本中无效果"),
        Text(
            en=f"{audited.reader} accepts {name} and does nothing with it. {why.en}",
            zh=f"{audited.reader} 接受 {name}，但不起作用。{why.zh}",
        ),
        replacement(audited),
        blocking=False,
    )


def depends(audited: Audited) -> Finding:
    """The version is unknown, and newer ones no longer have the setting."""
    name, last = audited.name, audited.found.until
    effect = ("refuse to start with it", "会拒绝启动") if audited.is_flag else ("ignore it", "会忽略它")
    return _finding(
        audited,
        "version-dependent",
        Text(en=f"{name} depends on the version", zh=f"{name} 取决于版本"),
        Text(
            en=f"{name} exists up to {last}; newer versions {effect[0]}. The version here is not known.",
            zh=f"{name} 只存在到 {last}；更新的版本{effect[1]}。当前版本未知。",
        ),
        replacement(audited),
        confidence="low",
        blocking=False,
    )


def bad_value(audited: Audited, wrong: Text) -> Finding:
    """The parameter exists and does not take this value."""
    name = audited.name
    return _finding(
        audited,
        "value",
        Text(en=f"{name} does not take this value", zh=f"{name} 不接受该取值"),
        wrong,
        (mend(audited, wrong),),
        confidence="high" if audited.is_flag and audited.found.certain and not _open_list(audited) else "medium",
        blocking=audited.engine == "vllm",
    )


def switch_value(audited: Audited) -> Finding:
    """`--enable-x=False`: refused since 0.8.5, although vLLM's own warning advised it until 0.10.2."""
    name, flag = audited.name, audited.found.parameter or ""
    off = f"--no-{flag.removeprefix('--')}"
    text = Text(
        en=f"{name} is a switch and takes no value; to turn it off write {off}, or leave it out where that exists.",
        zh=f"{name} 是开关，不接受取值；要关闭请写 {off}（若支持）或删掉。",
    )
    return bad_value(audited, text)


def _finding(  # noqa: PLR0913 - the two texts and the two judgements are what the callers differ in
    audited: Audited,
    kind: str,
    title: Text,
    cause: Text,
    proposals: tuple[Proposal, ...],
    *,
    confidence: Confidence | None = None,
    blocking: bool | None = None,
) -> Finding:
    parameter = audited.found.parameter or audited.setting.parameter
    stops = audited.is_flag if blocking is None else blocking
    phase: Phase = "config" if stops else "none"
    return Finding(
        id=f"setting:{kind}:{parameter}",
        origin="setting",
        category="config",
        topic=topic_of(parameter),
        parameters=(parameter,),
        confidence=confidence or ("high" if audited.found.certain else "low"),
        blocking=stops and audited.found.certain,
        phase=phase,
        title=title,
        cause=cause,
        lines=_lines(audited, parameter, cause),
        proposals=tuple(p.model_copy(update={"cost": cost}) for cost, p in enumerate(proposals)),
    )


def _lines(audited: Audited, parameter: str, why: Text) -> tuple[LineRef, ...]:
    setting = audited.setting
    if not setting.line:
        return ()
    return (
        LineRef(
            source=setting.source,
            line=setting.line,
            text=setting.spelled or setting.parameter.removeprefix("env:"),
            role="cause",
            parameter=parameter,
            topic=topic_of(parameter),
            why=why,
            file=setting.file,
        ),
    )


def _open_list(audited: Audited) -> bool:
    """Values that a plug-in may add to."""
    return audited.found.type == "str" and bool(audited.found.choices)
