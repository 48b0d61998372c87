"""Where a Chinese sentence may go on in the next line: between any two characters, not only at a space."""

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.containers import Lines
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod, OverflowMethod

_NOT_FIRST = "，。；：！？、）」』》”’…,.;:!?)]}"
"""Marks that stay with what is before them."""
_NOT_LAST = "（「『《“‘([{"
"""Marks that stay with what comes after them."""


class Prose(Text):
    """A text that Rich wraps as before, except where it holds wide characters."""

    def wrap(  # noqa: PLR0913 - the signature is of Rich
        self,
        console: "Console",
        width: int,
        *,
        justify: "JustifyMethod | None" = None,
        overflow: "OverflowMethod | None" = None,
        tab_size: int = 8,
        no_wrap: bool | None = None,
    ) -> Lines:
        """The lines of this text in so many columns."""
        if no_wrap or overflow == "ignore" or not any(_wide(sign) for sign in self.plain):
            return super().wrap(console, width, justify=justify, overflow=overflow, tab_size=tab_size, no_wrap=no_wrap)
        lines = Lines()
        for line in self.split(allow_blank=True):
            for part in line.divide(breaks(line.plain, width)):
                part.rstrip()
                lines.append(part)
        return lines


def breaks(text: str, width: int) -> list[int]:
    """The offsets at which a new line begins, for lines of at most `width` columns."""
    found: list[int] = []
    start, possible, column = 0, 0, 0
    for offset, sign in enumerate(text):
        if offset > start and _between(text[offset - 1], sign):
            possible = offset
        column += cell_len(sign)
        if column > width and not sign.isspace() and offset > start:
            start = possible if possible > start else offset
            found.append(start)
            column = cell_len(text[start : offset + 1])
    return found


def _between(before: str, after: str) -> bool:
    """Whether a line may end between two characters."""
    if before.isspace():
        return not after.isspace()
    return (_wide(before) or _wide(after)) and after not in _NOT_FIRST and before not in _NOT_LAST and after != " "


def _wide(sign: str) -> bool:
    return cell_len(sign) > 1
