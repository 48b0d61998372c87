"""No experiment contradicts a measured number."""

from copilot.checks.context import Context
from copilot.model.reply import Objection, Reply


def check(reply: Reply, context: Context) -> tuple[Objection, ...]:
    """Object to a utilisation that asks for more than is free, and to a context longer than the log says fits."""
    experiment, ledger = reply.experiment, context.findings.ledger
    if experiment is None or ledger is None or experiment.kind != "change" or experiment.to is None:
        return ()
    detail = ""
    try:
        value = float(experiment.to)
    except ValueError:
        return ()
    total, free = ledger.gib("total"), ledger.gib("free")
    if experiment.parameter == "--gpu-memory-utilization" and total and free and value * total > free:
        detail = f"{value} of {total:.2f} GiB is {value * total:.2f} GiB, and only {free:.2f} GiB are free"
    if experiment.parameter == "--max-model-len" and ledger.tokens and value > ledger.tokens > 0:
        detail = f"the log says that {ledger.tokens} tokens fit, not {value:.0f}"
    return (Objection(check="numbers_hold", detail=detail, where="experiment"),) if detail else ()
