"""What to look at next where nothing is recognised: the lines above the ones at hand, or a fuller log."""

from copilot.model.finding import Findings
from copilot.model.reply import ReplyExperiment
from copilot.model.text import Lang, Text

_ABOVE = Text(
    en="The lines above the first one that was given: docker logs CONTAINER > server.log 2>&1 saves the whole log "
    "(at least --tail 400); ask again with that file.",
    zh="给出的第一行之前的内容：用 docker logs 容器名 > server.log 2>&1 保存完整日志"
    "（至少 --tail 400），再用该文件提问。",
)
_WHY_ABOVE = Text(
    en="The log begins after its cause: what is left of it only says that another process failed, and points up.",
    zh="日志从原因之后开始：剩下的内容只说明另一个进程失败，并指向上文。",
)
_FULLER = Text(
    en="Start once more with env:VLLM_LOGGING_LEVEL=DEBUG (Ollama: OLLAMA_DEBUG=1) and keep the whole log, "
    "from the first line to the exit, with `docker inspect` of the container.",
    zh="设置 VLLM_LOGGING_LEVEL=DEBUG（Ollama：OLLAMA_DEBUG=1）再启动一次，保留从第一行到退出的完整日志，"
    "以及该容器的 `docker inspect` 输出。",
)
_WHY_FULLER = Text(
    en="Nothing in the evidence matches a known failure; a guess would cost more than a fuller log.",
    zh="证据中没有与已知故障相符的内容；猜测的代价比一份更完整的日志更高。",
)
_RIGHT = Text(en="The fuller log names the cause.", zh="更完整的日志会指出原因。")
_WRONG = Text(
    en="The log still says nothing: look at the host (dmesg, disk, memory).",
    zh="日志仍然没有线索：请检查主机（dmesg、磁盘、内存）。",
)


def unrecognised(findings: Findings, lang: Lang) -> ReplyExperiment:
    """The one observation that brings the cause into view; no guess."""
    observe, why = (_ABOVE, _WHY_ABOVE) if findings.late else (_FULLER, _WHY_FULLER)
    return ReplyExperiment(
        why=why.in_(lang),
        kind="observe",
        observe=observe.in_(lang),
        if_right=_RIGHT.in_(lang),
        if_wrong=_WRONG.in_(lang),
    )
