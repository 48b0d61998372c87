"""What to try about a setting that is wrong: one change each."""

import difflib

from copilot.model.finding import Proposal
from copilot.model.text import Text
from copilot.parameters import successors
from copilot.parameters.audited import Audited
from copilot.parameters.registry import registry
from copilot.parameters.values import problem

_MISSPELT = 0.6
"""Likeness from which a value is a slip of the pen: below it (`int3`, `inc`) another thing was meant."""
_RENAMED = 0.7
"""Similarity from which a value of the successor is the old one under a new name (`FLASHINFER_VLLM_V1`)."""


def remove(audited: Audited) -> Proposal:
    """Leave the setting out."""
    name, refused = audited.name, audited.is_flag and audited.found.status != "ignored"
    why = Text(
        en=f"{audited.reader} does not use {name}; leave it out.", zh=f"{audited.reader} 不使用 {name}，删掉即可。"
    )
    if refused:
        why = Text(en=f"{audited.reader} refuses {name}; leave it out.", zh=f"{audited.reader} 不接受 {name}，应删掉。")
    return Proposal(
        parameter=audited.setting.parameter,
        to=None,
        why=why,
        if_right=_if_right(audited),
        if_wrong=_if_wrong(audited),
    )


def put(audited: Audited, parameter: str, value: str | None) -> Proposal:
    """Write another parameter in its place."""
    old, new = audited.name, parameter.removeprefix("env:")
    return Proposal(
        parameter=parameter,
        to=value,
        replaces=audited.setting.parameter,
        why=Text(
            en=f"{new} is what {audited.reader} reads in place of {old}.",
            zh=f"{audited.reader} 读取的是 {new}，而不是 {old}。",
        ),
        if_right=_if_right(audited),
        if_wrong=_if_wrong(audited),
    )


def renames(audited: Audited) -> tuple[Proposal, ...]:
    """The names that may be meant, the likeliest first, and leaving it out."""
    meant = tuple(put(audited, name, audited.value) for name in audited.found.suggestions[:2])
    return (*meant, remove(audited))


def replacement(audited: Audited) -> tuple[Proposal, ...]:
    """The successor with its value where both are known, and leaving it out."""
    version = audited.found.version
    follow = successors.of(audited.found.parameter or "", audited.engine, version)
    if follow is None or follow.parameter is None or follow.value is None:
        return (remove(audited),)
    value = audited.value if follow.value == "same" else follow.value
    there = registry().find(follow.parameter, audited.engine, version)
    if problem(there, value, audited.engine) is not None:
        close = difflib.get_close_matches(value or "", there.choices, n=1, cutoff=_RENAMED)
        return (*(put(audited, follow.parameter, name) for name in close), remove(audited))
    return (put(audited, follow.parameter, value), remove(audited))


def mend(audited: Audited, wrong: Text) -> Proposal:
    """The nearest value that is accepted, else the default, else no setting at all."""
    found = audited.found
    close = difflib.get_close_matches(audited.value or "", found.choices, n=1, cutoff=_MISSPELT)
    return Proposal(
        parameter=found.parameter or audited.setting.parameter,
        to=close[0] if close else None,
        why=wrong,
        if_right=_if_right(audited),
        if_wrong=_if_wrong(audited),
    )


def _if_right(audited: Audited) -> Text:
    if audited.is_flag:
        return Text(en="The server gets past reading its arguments.", zh="服务能通过参数解析阶段。")
    return Text(
        en="The setting takes effect, or nothing changes where it did nothing.",
        zh="设置开始生效；若原本无效则没有变化。",
    )


def _if_wrong(audited: Audited) -> Text:
    if audited.is_flag:
        return Text(
            en="The same usage error comes again, or names another argument.",
            zh="再次出现同样的用法错误，或指向另一个参数。",
        )
    return Text(en="The start fails as before: the cause lies elsewhere.", zh="启动仍以同样方式失败：原因在别处。")
