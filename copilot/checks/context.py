"""What the rules may look at."""

from dataclasses import dataclass

from copilot.model.answer import Change
from copilot.model.evidence import Evidence
from copilot.model.finding import Findings
from copilot.model.reply import ReplyLine
from copilot.parameters import registry

ENGINES = ("vllm", "ollama")


@dataclass(frozen=True)
class Context:
    """Evidence, findings, and the changes tried before (with what came of them not being our concern here)."""

    evidence: Evidence
    findings: Findings
    tried: tuple[Change, ...] = ()
    observed: tuple[str, ...] = ()

    @property
    def engine(self) -> str:
        """The engine whose names count; vLLM where it is unknown."""
        return self.findings.engine or "vllm"

    def engine_of(self, parameter: str) -> str:
        """The engine whose name this is: the one at hand, or, where that is unknown, one that has the name."""
        if self.findings.engine:
            return self.findings.engine
        known = (one for one in ENGINES if registry().find(parameter, one, None).status in ("ok", "ignored"))
        return next(known, self.engine)

    def text_of(self, line: ReplyLine) -> str | None:
        """The verbatim text of a cited line, or None where there is no such line."""
        text = self.evidence.text(line.source, line.file or None)
        if text is None:
            return None
        try:
            return text.line(line.line)
        except IndexError:
            return None
