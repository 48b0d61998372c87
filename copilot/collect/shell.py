"""Words of a command line with their places, as a shell would split them.

One splitter for a real command line, for compose's `command: "..."` string and for prose that holds a command: quotes
that are never closed and apostrophes inside words stay as they are instead of being errors.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

_OPERATORS = frozenset({"&&", "||", "|", "&", "|&"})
_CONTINUATIONS = {"\\": "\n", "`": "\n", "^": "\n"}
"""sh, PowerShell and cmd.exe write a long command over several lines with these."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a command."""

    text: str
    """Without its quotes."""
    line: int = 0
    """Line in the source's text, from 1; 0 where there is none."""
    start: int = -1
    """Offset of the first character (quotes included) in the text that was split; -1 where there is none."""
    end: int = -1
    quoted: bool = False


def split(text: str, line: int = 1) -> tuple[Token, ...]:
    """All words of one command, newlines being blanks; `line` is the number of the text's first line."""
    return tuple(token for statement in statements(text, line, newline_ends=False) for token in statement)


def statements(text: str, line: int = 1, *, newline_ends: bool = True) -> Iterator[tuple[Token, ...]]:
    """The words, statement by statement: `;`, `&&`, `|` and (if asked) a newline without continuation end one."""
    text = text.replace("\r\n", " \n")
    found: list[Token] = []
    at = 0
    while at < len(text):
        skip = _continuation(text, at)
        if skip:
            at += skip
        elif text[at] in "\n;":
            if (text[at] == ";" or newline_ends) and found:
                yield tuple(found)
                found = []
            at += 1
        elif text[at].isspace():
            at += 1
        elif newline_ends and text[at] == "#":
            at = _line_end(text, at)
        else:
            token = _word(text, at)
            at = token.end
            if token.text in _OPERATORS and not token.quoted:
                if found:
                    yield tuple(found)
                found = []
            else:
                found.append(replace(token, line=line + text.count("\n", 0, token.start)))
    if found:
        yield tuple(found)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _continuation(text: str, at: int) -> int:
    """Length of a line continuation that starts here, or 0; one flattened into a single line counts too."""
    if text[at] not in _CONTINUATIONS:
        return 0
    blank = at + 1
    while blank < len(text) and text[blank] in " \t":
        blank += 1
    if blank < len(text) and text[blank] == "\n":
        return blank + 1 - at
    alone = (at == 0 or text[at - 1].isspace()) and (blank == len(text) or blank > at + 1)
    return blank - at if alone else 0


def _word(text: str, at: int) -> Token:
    """The word that starts at `at`."""
    start, out, quoted = at, [], False
    while at < len(text) and not text[at].isspace():
        char = text[at]
        if char == ";" and not _closes_later(text, at):
            break
        if char in "'\"" and (end := _quote_end(text, at, start)) > at:
            out.append(_unescape(text[at + 1 : end]) if char == '"' else text[at + 1 : end])
            at, quoted = end + 1, True
        elif char == "\\" and at + 1 < len(text) and text[at + 1] in "\"'\\ $`;&|()":
            out.append(text[at + 1])
            at += 2
        elif (
            char == "$"
            and text[at + 1 : at + 2] == "{"
            and (end := text.find("}", at)) > 0
            and "\n" not in text[at:end]
        ):
            out.append(text[at : end + 1])  # `${A:-b c}` is one word until it is interpolated
            at = end + 1
        elif char in "{[" and not out:
            end = _bracket_end(text, at)
            out.append(text[at:end])
            at = end
        else:
            out.append(char)
            at += 1
    return Token("".join(out), 0, start, max(at, start + 1), quoted)


def _closes_later(text: str, at: int) -> bool:
    """Whether a `;` is part of a word (`a;b`): then it does not end the statement."""
    return at > 0 and at + 1 < len(text) and text[at - 1].isalnum() and text[at + 1].isalnum()


def _quote_end(text: str, at: int, word_start: int) -> int:
    """Index of the closing quote, or -1 where the character is an apostrophe or is never closed."""
    quote = text[at]
    if quote == "'" and at > word_start and text[at - 1].isalpha() and at + 1 < len(text) and text[at + 1].isalpha():
        return -1
    end = at + 1
    while end < len(text):
        if text[end] == "\\" and quote == '"':
            end += 2
            continue
        if text[end] == quote:
            return end
        end += 1
    return -1


def _unescape(inner: str) -> str:
    out, at = [], 0
    while at < len(inner):
        if inner[at] == "\\" and at + 1 < len(inner) and inner[at + 1] in '"\\$`\n':
            if inner[at + 1] != "\n":
                out.append(inner[at + 1])
            at += 2
        else:
            out.append(inner[at])
            at += 1
    return "".join(out)


def script_of(text: str, token: Token) -> tuple[str, tuple[int, ...]] | None:
    """The script that one quoted word holds (`bash -c "..."`): its text, and the offset in `text` of each character.

    None where the word is not one pair of quotes. One more offset stands for the script's end.
    """
    raw = text[token.start : token.end]
    if raw[:1] not in {"'", '"'} or len(raw) < len("''") or _quote_end(raw, 0, 0) != len(raw) - 1:
        return None
    found, at, end = [], token.start + 1, token.end - 1
    while at < end:
        if raw[0] == '"' and text[at] == "\\" and text[at + 1] in '"\\$`\n':
            if text[at + 1] != "\n":
                found.append((text[at + 1], at))
            at += 2
        else:
            found.append((text[at], at))
            at += 1
    return "".join(char for char, _ in found), (*(place for _, place in found), end)


def _bracket_end(text: str, at: int) -> int:
    """End of an unquoted JSON value (people paste `{...}` without its quotes); one character where it never closes.

    A value without quotation marks inside ends at the first blank, as in a shell.
    """
    depth, end, in_string = 0, at, False
    while end < len(text) and text[end] != "\n":
        char = text[end]
        if char == '"':
            in_string = not in_string
        elif not in_string and char in "{[":
            depth += 1
        elif not in_string and char in "}]":
            depth -= 1
            if depth == 0:
                return end + 1
        elif not in_string and char.isspace() and '"' not in text[at:end]:
            return end
        end += 1
    return at + 1


def join(tokens: tuple[str, ...] | list[str]) -> str:
    """The words as one line that `split` takes apart again."""
    return " ".join(quote(token) for token in tokens)


def quote(word: str) -> str:
    """The word, in quotes where a shell needs them. Placeholders and `$NAME` stay bare so that they can be read."""
    if word and not any(c.isspace() or c in "'\"\\;&|()*?`#{}[]!" for c in word):
        return word
    return f"'{word}'" if "'" not in word else _double(word)


def _double(word: str) -> str:
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$").replace("`", "\\`") + '"'


def spoken(words: Sequence[str], within: str = "") -> str:
    """The words as they stand inside a script that is itself in quotes (`within`: its quote, or nothing)."""
    if within == "'":
        return " ".join(_double(w) if quote(w) != w else w for w in words)
    text = join(list(words))
    return _double(text)[1:-1] if within == '"' else text
