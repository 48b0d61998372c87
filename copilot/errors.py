"""Errors a user can meet. Each ends in one sentence that says what happened and one that says what to do.

CopilotError
├── UsageError            2   wrong options, or an input that cannot be read
├── NothingCollected      3   no source gave anything
├── ProviderError         4   the provider failed and no fallback was allowed
│   ├── ProviderUnreachable
│   ├── ProviderRefused       401, 403, 404, 400: asking again will not help
│   ├── ProviderOverloaded    429, 5xx after all retries
│   ├── ProviderTooLong       the prompt does not fit the model's context
│   └── ProviderGarbled       an answer that is not what the protocol promises
├── NoExperiment          5   a fault was found, but nothing passed the checks
├── ThresholdMissed     100   an evaluation ran and missed a threshold
└── Interrupted         130   Ctrl-C
"""


class CopilotError(Exception):
    """Base of all expected errors: `message` says what happened, `hint` what to do."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(CopilotError):
    """Wrong usage or unreadable input."""

    exit_code = 2


class NothingCollected(CopilotError):
    """No source gave any evidence."""

    exit_code = 3


class ProviderError(CopilotError):
    """The provider failed."""

    exit_code = 4


class ProviderUnreachable(ProviderError):
    """No connection, a time limit, or TLS."""


class ProviderRefused(ProviderError):
    """The endpoint refused: key, path, model or request."""


class ProviderOverloaded(ProviderError):
    """Still overloaded after all retries."""


class ProviderTooLong(ProviderError):
    """The prompt does not fit; `limit` is the context length in tokens if the endpoint told it."""

    def __init__(self, message: str, hint: str = "", limit: int | None = None) -> None:
        super().__init__(message, hint)
        self.limit = limit


class ProviderGarbled(ProviderError):
    """The reply is not what the protocol promises (HTML, half a JSON, an endless stream)."""


class NoExperiment(CopilotError):
    """A fault was found, but no experiment passed the checks."""

    exit_code = 5


class ThresholdMissed(CopilotError):
    """An evaluation missed a threshold."""

    exit_code = 100


class Interrupted(CopilotError):
    """The person pressed Ctrl-C."""

    exit_code = 130
