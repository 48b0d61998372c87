"""Secrets out, evidence in: text whose secrets are replaced by stable placeholders.

`redact(text)` for one text; a `Redactor` where several texts of one session must share their numbers; a `Stream` for
text of any length.
"""

from copilot.redaction.redactor import Redacted, Redactor, redact
from copilot.redaction.stream import Stream

__all__ = ["Redacted", "Redactor", "Stream", "redact"]
