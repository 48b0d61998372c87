"""The evidence and findings as the words of a prompt. Everything here is redacted text."""

import json
from collections.abc import Iterable

from copilot.model.answer import Change
from copilot.model.evidence import Evidence
from copilot.model.finding import Finding, Findings, Proposal
from copilot.model.ledger import Ledger
from copilot.model.names import MEANINGS
from copilot.parameters import registry
from copilot.workflow.state import State, Tried

MAX_PARAMETERS = 80
SOURCE_CHARACTERS = 6_000
"""Of each side source (compose, inspect, gpu) at most this much goes into the full prompt."""


def describe(state: State, *, compact: bool) -> dict[str, str]:
    """Every input of the diagnose prompts but the log."""
    evidence, findings = state["evidence"], state["findings"]
    told = state["options"].findings
    return {
        "lang": "Chinese (简体中文)" if state["options"].lang == "zh" else "English",
        "engine": findings.engine or "unknown",
        "version": findings.version or "unknown",
        "settings": _settings(findings),
        "sources": _sources(evidence, 1_200 if compact else SOURCE_CHARACTERS),
        "findings": _findings(findings.found, compact=compact) if told else "(not given)",
        "ledger": _ledger(findings.ledger) if told else "(not given)",
        "history": _history(state.get("history", ())),
        "parameters": ", ".join(plausible_parameters(findings, evidence)[: 40 if compact else MAX_PARAMETERS]),
    }


def _settings(findings: Findings) -> str:
    """`parameter = value (source)` per effective setting."""
    names = dict.fromkeys(s.parameter for s in findings.service.settings)
    rows = []
    for name in names:
        setting = findings.service.effective(name)
        if setting is not None:
            rows.append(f"{name} = {setting.value if setting.value is not None else 'true'} ({setting.source})")
    return "\n".join(rows[:60]) or "(none known)"


def _sources(evidence: Evidence, limit: int) -> str:
    """The side sources with numbered lines."""
    parts = []
    for text in evidence.texts:
        if text.source in ("log", "inspect"):
            continue
        numbered = "\n".join(f"{n:>4} | {line}" for n, line in enumerate(text.text.split("\n"), 1))
        parts.append(f"[{text.source}: {text.file}]\n{numbered[:limit]}")
    container = evidence.container
    if container is not None:
        parts.append(
            f"[inspect] status={container.status} exit_code={container.exit_code} oom_killed={container.oom_killed} "
            f"restarts={container.restart_count} shm_size={container.shm_size} ipc={container.ipc_mode} "
            f"gpu_requested={container.gpu_requested} error={container.error or '-'}"
        )
    return "\n\n".join(parts) or "(none)"


def _findings(found: Iterable[Finding], *, compact: bool) -> str:
    """Each finding with its lines and proposals."""
    rows = []
    for number, finding in enumerate(found, 1):
        lines = ", ".join(f"{r.source} {r.line} ({r.role})" for r in finding.lines[:6])
        rows.append(
            f"{number}. [{finding.confidence}] {finding.title.en}: {finding.cause.en} "
            f"category={finding.category}; parameters={', '.join(finding.parameters)}; lines={lines or '-'}"
        )
        shown = finding.proposals[: 1 if compact else 3]
        rows += [f"   proposal: {_proposed(proposal)} ({proposal.why.en})" for proposal in shown]
    return "\n".join(rows) or "(code recognised nothing)"


def _proposed(proposal: Proposal) -> str:
    """The value in quotes, as the reply holds it: small models take "1: the reason" for the value."""
    if proposal.kind != "change":
        return "observe"
    return f"parameter={proposal.parameter} to={json.dumps(proposal.to, ensure_ascii=False)}"


def _ledger(ledger: Ledger | None) -> str:
    """Rows of the ledger."""
    if ledger is None:
        return "(memory is not in question)"
    rows = [f"{row.name} {row.gib:.2f} GiB ({row.origin})" for row in ledger.rows]
    return "\n".join([*rows, ledger.verdict.en])


def _change(change: Change | None) -> str:
    """A change in words."""
    return "an observation" if change is None else f"{change.parameter} -> {change.to}"


def _history(history: Iterable[Tried]) -> str:
    """What was tried, compactly."""
    rows = [
        f"round {t.round}: {_change(t.change)}: {t.verdict or 'not retested'}"
        + ("; it was NOT in effect" if t.in_effect is False else "")
        for t in history
    ]
    return "\n".join(rows) or "(first round)"


def plausible_parameters(findings: Findings, evidence: Evidence) -> tuple[str, ...]:
    """Names a reply may use: the findings', the settings', what lies on their paths, then the contract's list."""
    version, engine = findings.version, findings.engine or "vllm"
    names: dict[str, None] = {}
    for finding in findings.found:
        names.update(dict.fromkeys((*finding.parameters, *(p.parameter for p in finding.proposals if p.parameter))))
    for finding in findings.found:
        for parameter in finding.parameters:
            names.update(dict.fromkeys(registry().same_path(parameter, engine, version)))
    names.update(dict.fromkeys(s.parameter for s in findings.service.settings))
    if evidence.engine != "ollama":
        names.update(dict.fromkeys(COMMON))
    names.update(dict.fromkeys(MEANINGS))
    allowed = [name for name in names if not name.startswith(("--", "env:")) or _exists(name, engine, version)]
    return tuple(allowed)


def _exists(name: str, engine: str, version: str | None) -> bool:
    """Whether the version may have it (unknown counts as yes)."""
    return registry().exists(name, engine, version) is not False


COMMON = (
    "--model",
    "--dtype",
    "--quantization",
    "--max-model-len",
    "--gpu-memory-utilization",
    "--max-num-seqs",
    "--max-num-batched-tokens",
    "--kv-cache-dtype",
    "--enforce-eager",
    "--tensor-parallel-size",
    "--trust-remote-code",
    "--port",
    "--api-key",
    "--served-model-name",
    "env:HF_TOKEN",
    "env:HF_HUB_DISABLE_XET",
    "env:HF_ENDPOINT",
    "env:HF_HUB_OFFLINE",
    "env:VLLM_USE_V2_MODEL_RUNNER",
    "env:VLLM_WSL2_ENABLE_PIN_MEMORY",
    "env:NCCL_P2P_DISABLE",
    "env:CUDA_VISIBLE_DEVICES",
)
"""Names that most failures of a vLLM start concern: offered even when no finding names them."""
