"""The short notes beside rows, in Chinese. A note without a translation stays as it is."""

import re

from copilot.model.text import Lang

_NOTES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), chinese)
    for pattern, chinese in (
        (
            r"^(\d+) batched tokens, (\d+) sequences, not calibrated here$",
            r"\1 个批处理 token、\2 条序列，此处未经校准",
        ),
        (r"^(\d+) batched tokens, (\d+) sequences$", r"\1 个批处理 token、\2 条序列"),
        (r"^one sequence of (\d+) tokens$", r"一条 \1 个 token 的序列"),
        (r"^([\d.]+) × total$", r"\1 × 总量"),
        (r"^outside the share in this version$", "此版本不计入占比"),
        (r"^eager mode captures none$", "eager 模式不捕获"),
        (r"^NCCL buffers included$", "含 NCCL 缓冲区"),
        (r"^WSL2: it moves$", "WSL2：会变动"),
        (r"^CUDA context$", "CUDA 上下文"),
        (r"^context × parallel requests$", "上下文 × 并行请求数"),
        (r"^(\d+) cards together$", r"\1 张卡合计"),
        (r"^the engine's own estimate$", "引擎自己的估计"),
        (r"^total less free, .*$", "总量减去空闲，含启动时的 CUDA 上下文"),
        (r"^asked less weights, .*$", "要求减去权重、激活和运行库"),
        (r"^asked less free$", "要求减去空闲"),
        (r"^needed less available$", "所需减去可用"),
        (r"^below zero before .*$", "KV 缓存分到之前已低于零"),
        (r"^with a share of ([\d.]+), which fits$", r"占比取放得下的 \1 时"),
    )
)


def note_in(note: str, lang: Lang) -> str:
    """The note in the language asked for."""
    if lang == "en":
        return note
    for pattern, chinese in _NOTES:
        if pattern.match(note):
            return pattern.sub(chinese, note)
    return note
