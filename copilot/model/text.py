"""A sentence in both languages of the interface, and the text that has lost its secrets."""

from typing import Literal, NewType

from pydantic import BaseModel, ConfigDict

Lang = Literal["en", "zh"]

RedactedText = NewType("RedactedText", str)
"""Text that went through `copilot.redaction`. Only this type may reach a disk, a prompt or a screen."""


class Frozen(BaseModel):
    """Base of every value that crosses a border: immutable, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Text(Frozen):
    """One sentence a person reads, in English and in Chinese."""

    en: str
    zh: str

    def in_(self, lang: Lang) -> str:
        """The sentence in the language asked for."""
        return self.zh if lang == "zh" else self.en

    def fill(self, **values: object) -> "Text":
        """The sentence with its `{names}` replaced in both languages; unknown names stay as they are."""
        en, zh = self.en, self.zh
        for name, value in values.items():
            en, zh = en.replace(f"{{{name}}}", str(value)), zh.replace(f"{{{name}}}", str(value))
        return Text(en=en, zh=zh)
