"""The A/B question for a switch: whether a start with it differs, on its path, from one without it."""

from copilot.engines import EngineFacts
from copilot.errors import UsageError
from copilot.model.comparison import Effect, SwitchEffect
from copilot.model.finding import CompareLine, Comparison
from copilot.model.text import Lang, Text
from copilot.model.words import Topic
from copilot.parameters import registry

PATHS: tuple[tuple[tuple[str, ...], Topic], ...] = (
    (("PIN_MEMORY", "V2_MODEL_RUNNER", "cpu-offload", "UVA"), "memory path"),
    (("ATTENTION", "attention", "FLASH"), "attention"),
    (("HF_", "download", "XET", "MODELSCOPE"), "download"),
    (("NCCL", "GLOO", "parallel", "all-reduce", "shm"), "parallelism"),
    (("memory", "max-", "kv-cache", "eager", "MAX_", "NUM_PARALLEL", "CONTEXT"), "memory budget"),
    (("CUDA_", "device", "gpus", "GPU"), "device"),
)
"""Which topic a switch's path shows in."""


def _topic(parameter: str) -> Topic:
    """The topic under which a switch would show."""
    for words, topic in PATHS:
        if any(word in parameter for word in words):
            return topic
    return "other"


def switch_effect(spelled: str, found: Comparison, facts: EngineFacts, lang: Lang) -> SwitchEffect:
    """Does its path differ, and what else touches it in this version. UsageError for a name that nobody knows."""
    engine, version = facts.name or "vllm", facts.version
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
    bare = name.removeprefix("env:").removeprefix("--")
    own = tuple(line for line in (*found.gone, *found.new) if bare in line.text or bare.replace("-", "_") in line.text)
    differs = _difference(_topic(name), found, own)
    return ("some", differs) if differs is not None else ("none", _without_difference(name, own))


def _difference(topic: Topic, found: Comparison, own: tuple[CompareLine, ...]) -> Text | None:
    """What differs on the switch's path besides the lines that only print the switch itself."""
    differing = [line for line in (*found.gone, *found.new) if line.topic == topic and line not in own]
    differing += [c.b for c in found.changed if c.b.topic == topic]
    if differing:
        return Text(
            en=f"Its path ({topic}) differs, first in line {differing[0].line}: {differing[0].text.strip()[:120]}",
            zh=f"它的路径（{topic}）有变化，首先在第 {differing[0].line} 行：{differing[0].text.strip()[:120]}",
        )
    if found.phase_a != found.phase_b:
        return Text(
            en=f"The starts got differently far: {found.phase_a} and {found.phase_b}.",
            zh=f"两次启动走到的阶段不同：{found.phase_a} 与 {found.phase_b}。",
        )
    return None


def _without_difference(name: str, own: tuple[CompareLine, ...]) -> Text:
    """Read but not effective, or perhaps not even there."""
    if own:
        return Text(
            en=f"{name} was read (line {own[0].line} names it), and nothing on its path differs: "
            "it is not effective here.",
            zh=f"{name} 已被读取（第 {own[0].line} 行提到它），但它的路径上没有任何变化：在这里不起作用。",
        )
    return Text(
        en=f"Nothing on its path differs, and neither log names {name}: see whether the container has it "
        "(`docker inspect`), because it is either not set there or not effective.",
        zh=f"它的路径上没有任何变化，两份日志也都没有提到 {name}：请用 `docker inspect` 看容器里有没有它，"
        "要么没有设置进去，要么不起作用。",
    )
