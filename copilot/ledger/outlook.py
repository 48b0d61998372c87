"""What a forecast means, in sentences: the verdict, what was assumed, and what suits the card."""

from copilot.ledger.forecast import Fit
from copilot.ledger.notes import note_in
from copilot.ledger.ollama import Offload
from copilot.ledger.plan import Card, Plan
from copilot.ledger.releases import NEWEST
from copilot.model.architecture import Architecture
from copilot.model.text import Text

_REASONS: dict[str, Text] = {
    "": Text(
        en="It starts: {available} GiB of KV cache hold about {tokens} tokens, "
        "one sequence of {length} needs {needed} GiB.",
        zh="可以启动：{available} GiB 的 KV 缓存约容纳 {tokens} 个 token，一条 {length} 的序列需要 {needed} GiB。",
    ),
    "free": Text(
        en="It does not start: {asked} GiB is asked for and only {free} GiB is free.",
        zh="无法启动：要求 {asked} GiB，而空闲只有 {free} GiB。",
    ),
    "weights": Text(
        en="It does not start: weights ({weights} GiB) and activations leave nothing of {asked} GiB for the KV cache.",
        zh="无法启动：权重（{weights} GiB）和激活占满了 {asked} GiB，KV 缓存没有空间。",
    ),
    "cache": Text(
        en="It does not start: one sequence of {length} tokens needs {needed} GiB of KV cache, "
        "about {available} is left.",
        zh="无法启动：一条 {length} 个 token 的序列需要 {needed} GiB 的 KV 缓存，大约只剩 {available} GiB。",
    ),
    "graphs": Text(
        en="It fails late: the CUDA graphs ({graphs} GiB) come on top of the {asked} GiB asked for, "
        "{free} GiB is free.",
        zh="会在最后失败：CUDA 图（{graphs} GiB）在要求的 {asked} GiB 之外，空闲只有 {free} GiB。",
    ),
}
_NARROW = Text(
    en=" It is close: within the interval of the estimate it could go the other way.",
    zh="余量很小：在估计区间内也可能相反。",
)


def verdict(fit: Fit) -> Text:
    """Whether it starts and why, with the numbers that decide."""
    words = {name: f"{fit.gib(name):.2f}" for name in ("asked", "free", "weights", "graphs")}
    said = _REASONS[fit.reason].fill(
        available=f"{fit.gib('kv_available'):.2f}",
        needed=f"{fit.gib('kv_needed'):.2f}",
        tokens=f"{fit.kv_tokens.value:,}",
        length=f"{fit.length:,}",
        **words,
    )
    return said if fit.sure else Text(en=said.en + _NARROW.en, zh=said.zh + _NARROW.zh)


def offload_verdict(found: Offload) -> Text:
    """How much of the model Ollama puts on the card."""
    words = {"layers": found.layers, "of": found.of, "context": f"{found.context:,}"}
    if found.whole:
        return Text(
            en="All {of} layers fit on the GPU with a context of {context}.",
            zh="上下文 {context} 时，全部 {of} 层都能放进显存。",
        ).fill(**words)
    return Text(
        en="{layers} of {of} layers fit on the GPU with a context of {context}; "
        "the CPU computes the rest, much slower.",
        zh="上下文 {context} 时，{of} 层中有 {layers} 层能放进显存；其余由 CPU 计算，慢得多。",
    ).fill(**words)


def assumptions(architecture: Architecture, card: Card, plan: Plan, fit: Fit) -> tuple[Text, ...]:
    """What the forecast takes for granted."""
    row, held = fit.row("activation"), card.total - fit.gib("free")
    newest = ".".join(str(part) for part in NEWEST)
    said = (
        (not plan.release.known, _VERSION.fill(v=newest)),
        (plan.release.known and plan.release.number > NEWEST, _NEWER.fill(v=newest)),
        (row is not None, _profile(row.note if row else "")),
        (card.free is None, (_DESKTOP if card.wsl else _ALONE).fill(gib=f"{held:.2f}")),
        (architecture.origin == "table", _TABLE.fill(m=architecture.model)),
        (architecture.extra_parameters_m > 0, _TOWERS),
        (plan.tensor_parallel > 1, _PER_GPU),
        (card.wsl, _WSL),
    )
    return tuple(text for holds, text in said if holds)


def _profile(note: str) -> Text:
    return Text(en=_PROFILE.en.replace("{note}", note), zh=_PROFILE.zh.replace("{note}", note_in(note, "zh")))


_VERSION = Text(en="Version not given: {v}'s defaults.", zh="未给出版本：按 {v} 的默认值。")
_NEWER = Text(
    en="The version is newer than {v}, the last one whose sources were read: its defaults are assumed.",
    zh="该版本比已读源码的最后版本 {v} 更新：按 {v} 的默认值计算。",
)
_PROFILE = Text(
    en="Profile run: {note}. The estimates were calibrated on one H200 with 8,192 batched tokens, vLLM 0.25.0; "
    "elsewhere the interval is wider.",
    zh="显存探测：{note}。估计值用一张 H200、8,192 个批处理 token、vLLM 0.25.0 校准；其他情况区间更宽。",
)
_ALONE = Text(
    en="Nothing else uses the card; the CUDA context takes {gib} GiB before the engine looks.",
    zh="假定没有其他程序使用这张卡；引擎检查之前 CUDA 上下文占 {gib} GiB。",
)
_DESKTOP = Text(
    en="Free memory was not given: Windows, its desktop and the CUDA context are taken to hold {gib} GiB.",
    zh="未给出空闲显存：假定 Windows 及其桌面和 CUDA 上下文共占 {gib} GiB。",
)
_TABLE = Text(en="Shape of {m} from the built-in table.", zh="{m} 的结构取自内置表。")
_TOWERS = Text(en="Towers beside the decoder count as weights.", zh="解码器以外的编码塔计入权重。")
_PER_GPU = Text(en="Figures are per GPU.", zh="数字按每张卡计算。")
_WSL = Text(
    en="WSL2: free memory moves with the desktop, so the margin is larger.",
    zh="WSL2：空闲显存会随桌面程序变化，因此余量更大。",
)


_MIDDLE, _BIG = 14.0, 40.0


def advice(card: Card) -> Text:
    """Which engine and which settings suit a card of this size."""
    if card.count > 1:
        return Text(
            en="{n} cards: vLLM with --tensor-parallel-size {n} and shm_size 8gb or more; Ollama spreads layers but "
            "computes on one card at a time.",
            zh="{n} 张卡：用 vLLM，设 --tensor-parallel-size {n}，shm_size 至少 8gb；"
            "Ollama 只是分摊层，同一时刻只有一张卡在计算。",
        ).fill(n=card.count)
    if card.total < _MIDDLE:
        return Text(
            en="8 to 12 GB: Ollama with a 4-bit model of 7 to 9 B is the easy way; vLLM takes up to 3 B in 16 bits "
            "or 7 B in 4 bits, with --max-model-len 4096, few sequences and --enforce-eager.",
            zh="8 到 12 GB：用 Ollama 跑 7–9 B 的 4 位模型最省事；vLLM 适合 16 位的 3 B 以内或 4 位的 7 B，"
            "并设 --max-model-len 4096、少量并发和 --enforce-eager。",
        )
    if card.total < _BIG:
        return Text(
            en="16 to 32 GB: vLLM with 7 to 9 B in 16 bits or 14 to 32 B in 4 bits; Ollama for one user at a time.",
            zh="16 到 32 GB：vLLM 适合 16 位的 7–9 B，或 4 位的 14–32 B；单人使用可选 Ollama。",
        )
    return Text(
        en="40 GB and more: vLLM; keep the default share and batch sizes.",
        zh="40 GB 以上：用 vLLM，保持默认占比和批大小。",
    )
