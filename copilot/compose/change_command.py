"""One flag of a service's command: changed, added or removed where it stands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from copilot.collect.arguments import Argument, parse, program_end
from copilot.collect.shell import spoken
from copilot.collect.vocabulary import spell, turned_off
from copilot.compose.command import Word, said
from copilot.compose.document import Entry, is_sequence, items
from copilot.compose.surgery import Edit, add_entry, inside, line_end, line_start, remove, replace_scalar, written
from copilot.compose.target import NotEditableError, Target
from copilot.model.text import Text

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

_FALSE = frozenset({"false", "False", "0"})


@dataclass(frozen=True)
class Command:
    """The words that hold the engine's flags: those of `command`, or of `entrypoint` where the flags stand there."""

    target: Target
    key: str

    @cached_property
    def entry(self) -> Entry | None:
        """Its entry in the service."""
        return self.target.entries.get(self.key)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Its words."""
        return said(self.target.document, self.target.entries, self.target.env)[self.key]

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """Its flags."""
        return parse([w.token for w in self.words], self.target.dialect)

    def having(self, parameter: str) -> Argument | None:
        """The flag that counts: the last of several."""
        return next((a for a in reversed(self.arguments) if a.parameter == parameter), None)

    def item(self, word: Word) -> "Node":
        """The list item of a word."""
        if self.entry is None or word.item is None:
            raise _elsewhere(self.key)
        return items(self.entry.value)[word.item]


def _elsewhere(what: str) -> NotEditableError:
    return NotEditableError(
        Text(
            en=f"{what} is made from a variable with several words; change that variable.",
            zh=f"{what} 来自一个含多个词的变量；请修改该变量。",
        )
    )


def place_of(target: Target, parameter: str) -> Command:
    """Where a flag stands, or where it would be added."""
    command, entry = Command(target, "command"), Command(target, "entrypoint")
    if entry.having(parameter) and not command.having(parameter):
        return entry
    if command.entry is None and (entry.arguments or program_end([w.token for w in entry.words])):
        return entry
    return command


def command_edits(target: Target, parameter: str, to: str | None) -> list[Edit]:
    """The edits that set a flag to `to`, or remove it (None). A switch takes `true`, `false` or nothing."""
    place = place_of(target, parameter)
    found = place.having(parameter)
    if found is None and to is None:
        return []
    wanted = _wanted(target, parameter, to, found)
    if found is None:
        return _add(place, [] if wanted is None else wanted)
    return _remove(place, found) if wanted is None else _replace(place, found, wanted)


def _wanted(target: Target, parameter: str, to: str | None, found: Argument | None) -> list[str] | None:
    """The words to stand there; None: none."""
    known = spell(parameter, target.dialect)
    if to is None:
        return None
    name = found.spelled if found and found.spelled.startswith("-") else parameter
    if not known.switch:
        return [to] if found and found.positional else [name, to]
    if to in _FALSE:
        negative = turned_off(parameter, target.dialect)
        return None if negative is None else [negative]
    return [parameter if name.startswith("--no-") else name]


def _replace(place: Command, found: Argument, wanted: Sequence[str]) -> list[Edit]:
    """Only the word that holds the value changes, where that is enough."""
    if found.joined:
        return [_word_edit(place, place.words[found.last], "=".join(wanted))]
    if len(wanted) == 1:
        return [_word_edit(place, place.words[found.first], wanted[0])]
    if found.last == found.first:
        raise NotEditableError(
            Text(en=f"{found.spelled} stands there without a value.", zh=f"{found.spelled} 在那里没有值。")
        )
    extra = [place.words[i] for i in range(found.first + 2, found.last + 1)]
    return [_word_edit(place, place.words[found.first + 1], wanted[-1]), *_drop(place, extra)]


def _word_edit(place: Command, word: Word, new: str) -> Edit:
    if word.token.start < 0:
        raise _elsewhere(word.written)
    if word.item is not None:
        return replace_scalar(place.target.document, place.item(word), new)
    return Edit(word.token.start, word.token.end, inside(spoken([new], word.within), word.style))


def _remove(place: Command, found: Argument) -> list[Edit]:
    gone = place.words[found.first : found.last + 1]
    if len(gone) == len(place.words) and place.entry is not None:
        return remove(place.target.document, place.target.parent(place.entry), [place.entry.key_node])
    return _drop(place, gone)


def _drop(place: Command, gone: Sequence[Word]) -> list[Edit]:
    if not gone or place.entry is None:
        return []
    if any(w.token.start < 0 for w in gone):
        raise _elsewhere(gone[0].written)
    if gone[0].item is not None:
        nodes = [place.item(w) for w in gone]
        return remove(place.target.document, place.entry.value, nodes)
    return [_cut(place.target.document.text, gone[0].token.start, gone[-1].token.end)]


def _cut(text: str, start: int, end: int) -> Edit:
    """Words inside a string: their whole lines where they stand alone, else with the blanks before them."""
    begin, stop = line_start(text, start), line_end(text, end)
    alone = not text[begin:start].strip() and text[end:stop].strip() in {"", "\\"}
    after = text.find("\n", stop)
    if alone and after >= 0:
        dangling = re.search(r"[ \t]*\\[ \t]*\r?\n\Z", text[:begin])
        if dangling and not text[end:stop].strip():
            # the last line of a continued command: the line before must not go on any more
            return Edit(dangling.start(), stop, "")
        return Edit(begin, after + 1, "")
    blanks = re.search(r"[ \t]+\Z", text[:start])
    if blanks and text[begin:start].strip():
        return Edit(blanks.start(), end, "")
    following = re.match(r"[ \t]*", text[end:])
    return Edit(start, end + (following.end() if following else 0), "")


def _add(place: Command, wanted: Sequence[str]) -> list[Edit]:
    if not wanted:
        return []
    document = place.target.document
    if place.entry is None:
        listed = ", ".join(written(w, '"') for w in wanted)
        return [add_entry(document, place.target.node, [f"{place.key}: [{listed}]"])]
    if not place.words:
        raise NotEditableError(Text(en=f"{place.key} is empty.", zh=f"{place.key} 是空的。"))
    last = place.words[place.arguments[-1].last] if place.arguments else place.words[-1]
    if last.token.start < 0:
        raise _elsewhere(last.written)
    if last.item is not None and is_sequence(place.entry.value):
        return [_add_item(place, last, wanted)]
    return [_add_text(document.text, place.words, last, wanted)]


def _add_item(place: Command, last: Word, wanted: Sequence[str]) -> Edit:
    """Behind the last flag's item, quoted like the list's other flags, joined with `=` where they are."""
    text, sequence = place.target.document.text, place.entry.value if place.entry else None
    flags = [w for w in place.words if w.token.text.startswith("--")]
    style = flags[-1].style if flags else last.style
    joined = bool(flags) and all("=" in w.token.text for w in flags) and len(wanted) > 1
    parts = ["=".join(wanted)] if joined else list(wanted)
    values = [written(p, style if style in {"'", '"'} else None) for p in parts]
    if getattr(sequence, "flow_style", False):
        begin = line_start(text, last.token.start)
        own_line = not text[begin : last.token.start].strip()
        between = f",\n{text[begin : last.token.start]}" if own_line else ", "
        return Edit(last.token.end, last.token.end, "".join((", " if i else between) + v for i, v in enumerate(values)))
    at = line_end(text, last.token.end)
    begin = line_start(text, last.token.start)
    dash = re.match(r"\s*-\s+", text[begin:])
    lead = dash[0] if dash else "- "
    return Edit(at, at, "".join(f"\n{lead}{value}" for value in values))


def _add_text(text: str, all_words: Sequence[Word], last: Word, wanted: Sequence[str]) -> Edit:
    """Inside a string or a block: on a line of its own where the others are, else behind the last word."""
    new = inside(spoken(wanted, last.within), last.style)
    begin, at = line_start(text, last.token.start), last.token.end
    lines = {w.token.line for w in all_words}
    first_on_line = next((w for w in all_words if w.token.line == last.token.line), last)
    starts_line = not text[begin : first_on_line.token.start].strip()
    if len(lines) == 1 or not starts_line:
        return Edit(at, at, f" {new}")
    indent = text[begin : first_on_line.token.start]
    before = text[:begin].rstrip("\r\n")
    continued = " \\" if before.endswith("\\") else ""
    return Edit(at, at, f"{continued}\n{indent}{new}")
