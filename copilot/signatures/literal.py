"""The plain text that a pattern cannot match without: a fast filter before the pattern itself runs."""

LONG_ENOUGH = 4
_CLASSES = "dDwWsSbBAZ0123456789"


def literals(pattern: str) -> tuple[str, ...]:
    """Lower-case texts of which at least one is in every match; empty where the pattern promises none."""
    found = []
    for branch in _branches(pattern):
        longest = max(_runs(branch), key=len, default="")
        if len(longest) < LONG_ENOUGH:
            return ()
        found.append(longest.lower())
    return tuple(found)


def _branches(pattern: str) -> list[str]:
    """The alternatives at the top level."""
    branches, depth, inside, start, at = [], 0, False, 0, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif inside:
            inside = char != "]"
        elif char == "[":
            inside = True
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and depth == 0:
            branches.append(pattern[start:at])
            start = at + 1
        at += 1
    return [*branches, pattern[start:]]


def _runs(branch: str) -> list[str]:
    """Runs of plain characters outside groups and classes; a character with a quantifier ends its run."""
    runs, run, depth, at = [], "", 0, 0
    while at < len(branch):
        char, step = branch[at], 1
        plain = ""
        if char == "\\" and at + 1 < len(branch):
            plain, step = ("" if branch[at + 1] in _CLASSES else branch[at + 1]), 2
        elif char == "[":
            step = _class_length(branch, at)
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        elif char not in ".^$*+?{}":
            plain = char
        at += step
        optional = at < len(branch) and branch[at] in "*?{"
        if plain and depth == 0 and not optional:
            run += plain
        else:
            runs.append(run)
            run = ""
            at += _quantifier_length(branch, at) if optional else 0
    return [*runs, run]


def _class_length(branch: str, start: int) -> int:
    at = start + 1
    if branch[at : at + 1] == "^":
        at += 1
    if branch[at : at + 1] == "]":
        at += 1
    while at < len(branch) and branch[at] != "]":
        at += 2 if branch[at] == "\\" else 1
    return at + 1 - start


def _quantifier_length(branch: str, at: int) -> int:
    if branch[at] == "{":
        end = branch.find("}", at)
        return end + 1 - at if end > 0 else 1
    return 1
