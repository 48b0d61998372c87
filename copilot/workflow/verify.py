"""What to look at after a start, in order, before going on to the application."""

from copilot.model.evidence import Evidence
from copilot.model.finding import Findings
from copilot.model.text import Lang, Text

DEFAULT_PORTS = {"vllm": 8000, "ollama": 11434}
GONE = Text(
    en="The line that stopped this start is gone from the new log.",
    zh="导致这次启动失败的那一行，在新日志里不再出现。",
)


def verify_steps(findings: Findings, evidence: Evidence, lang: Lang) -> tuple[str, ...]:
    """The error is gone; the GPU numbers agree with the ledger; `/v1/models` answers; one small chat answers."""
    port = _port(findings, evidence)
    steps = [] if findings.healthy else [GONE]
    if findings.ledger is not None:
        steps.append(
            Text(
                en="`nvidia-smi`: used memory agrees with the ledger (the budget, not more).",
                zh="`nvidia-smi`：已用显存与账本一致（不超过预算）。",
            )
        )
    steps += [
        Text(
            en=f"`curl -s http://127.0.0.1:{port}/v1/models` answers with the model's name.",
            zh=f"`curl -s http://127.0.0.1:{port}/v1/models` 返回模型名称。",
        ),
        Text(
            en="`copilot check` sends one small chat; only then go on to the application.",
            zh="`copilot check` 发一次很小的对话；通过之后再去用应用。",
        ),
    ]
    return tuple(step.in_(lang) for step in steps)


def _port(findings: Findings, evidence: Evidence) -> int:
    """The published port where it is known, else the flag's, else the engine's default."""
    if evidence.container is not None:
        for mapping in evidence.container.ports:
            host = mapping.partition("->")[0].rpartition(":")[2]
            if host.isdigit():
                return int(host)
    flag = findings.service.effective("--port")
    if flag is not None and flag.value and flag.value.isdigit():
        return int(flag.value)
    return DEFAULT_PORTS.get(findings.engine or "vllm", 8000)
