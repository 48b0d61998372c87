"""copilot: from the log of a crashed self-hosted LLM server to the next single thing to try."""

__version__ = "0.1.0"
