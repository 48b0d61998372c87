"""Secrets out, evidence in: text whose secrets are replaced by stable placeholders.

`redact(text)` for one text; a `Redactor` where several texts of one session must share their numbers.
"""

from copilot.redaction.redactor import Redacted, Redactor, redact

__all__ = ["Redacted", "Redactor", "redact"]
