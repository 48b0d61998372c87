"""Prompts as files, the schema of the reply, and reading the reply."""

from copilot.prompting.prompt import Prompt, load_prompt
from copilot.prompting.replies import parse_reply
from copilot.prompting.schema import reply_schema

__all__ = ["Prompt", "load_prompt", "parse_reply", "reply_schema"]
