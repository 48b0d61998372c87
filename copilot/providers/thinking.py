"""Separates a reasoning model's `<think>` block from its reply while both stream."""

_OPEN, _CLOSE = "<think>", "</think>"


class ThinkFilter:
    """Feed it pieces; it gives back the part of them that is reply."""

    def __init__(self) -> None:
        """Nothing was fed yet."""
        self._held = ""
        self._thinking: bool | None = None
        """None: not yet known whether the text starts with a block."""

    def feed(self, piece: str) -> str:
        """The reply text that is certain after this piece."""
        self._held += piece
        if self._thinking is None:
            head = self._held.lstrip()
            if head.startswith(_OPEN):
                self._thinking = True
            elif _OPEN.startswith(head[: len(_OPEN)]):
                return ""
            else:
                self._thinking = False
        if self._thinking:
            before, closed, after = self._held.partition(_CLOSE)
            self._held = after.lstrip() if closed else before[-len(_CLOSE) :]
            self._thinking = not closed
            if not closed:
                return ""
        shown, self._held = self._held, ""
        return shown


def without_thinking(text: str) -> str:
    """The reply after its `<think>` block: closed, never closed, or opened by the chat template."""
    if _CLOSE in text:
        return text.rpartition(_CLOSE)[2].lstrip()
    return "" if text.lstrip().startswith(_OPEN) else text
