"""The own labelled corpus: what stands in «» is gone, everything else is as it was."""

from collections.abc import Iterator

import pytest

from copilot.redaction import redact
from copilot.redaction.placeholders import PLACEHOLDER
from copilot.redaction.rules import Rule, candidates, rules
from copilot.redaction.span import Span
from redaction.redaction_vectors import fill, innocents, pieces, places, vector

PLACES = places()
INNOCENTS = innocents()
RULES = [(f"{rule.id}-{number}", rule) for number, rule in enumerate(rules())]


@pytest.mark.parametrize("template", [t for _, t in PLACES], ids=[n for n, _ in PLACES])
def test_nothing_of_a_secret_is_left(template: str) -> None:
    for seed in range(3):
        case = vector("", template, seed)
        around = fill(template, seed)
        for secret in case.secrets:
            around = around.replace(f"«{secret}»", "")
        left = [
            part for s in case.secrets for part in pieces(s) if part in redact(case.text).text and part not in around
        ]
        assert not left, case.text


@pytest.mark.parametrize("text", INNOCENTS, ids=[str(n) for n in range(len(INNOCENTS))])
def test_innocent_text_is_byte_for_byte_the_same(text: str) -> None:
    assert redact(text).text == text


def test_innocent_lines_stay_innocent_among_each_other() -> None:
    text = "\n".join(INNOCENTS)
    assert redact(text).text == text


def found_by(rule: Rule, text: str) -> Iterator[Span]:
    lines = [lines for candidate, lines in candidates(text, text.lower()) if candidate is rule]
    return rule.find(text, lines[0] if lines else [])


@pytest.mark.parametrize("rule", [r for _, r in RULES], ids=[n for n, _ in RULES])
def test_every_rule_has_its_hits_and_misses(rule: Rule) -> None:
    assert rule.hits
    assert rule.misses
    for hit in rule.hits:
        case = vector("", hit)
        found = [span.value for span in found_by(rule, case.text)]
        assert any(case.secrets[0] in value or value in case.secrets[0] for value in found), case.text
    for miss in rule.misses:
        text = fill(miss)
        assert not list(found_by(rule, text)), text


def test_a_shape_has_no_group_but_its_secret() -> None:
    assert [rule.id for rule in rules() if rule.pattern.groups != len(rule.pattern.groupindex)] == []


@pytest.mark.parametrize(("shape", "kind"), [("hf_<a*34>", "huggingface-token"), ("AKIA<u*16>", "aws-access-key-id")])
def test_a_value_is_named_by_its_shape_whatever_it_stands_behind(shape: str, kind: str) -> None:
    assert redact(f"MY_SECRET={fill(shape)}").found == {kind: 1}


@pytest.mark.parametrize("template", [t for _, t in PLACES], ids=[n for n, _ in PLACES])
def test_twice_is_once_and_lines_keep_their_numbers(template: str) -> None:
    text = vector("", template).text
    once = redact(text).text
    assert redact(once).text == once
    assert once.count("\n") == text.count("\n")


@pytest.mark.parametrize("line", ["HF_TOKEN={}", "docker login -p {}", "Authorization: Bearer {}"])
def test_the_placeholder_is_all_that_changes_in_a_line(line: str) -> None:
    secret = fill("hf_<a*34>")
    out = redact(f"before 12\n{line.format(secret)} after\nmax_num_batched_tokens=2048\n").text
    assert PLACEHOLDER.sub("#", out) == f"before 12\n{line.format('#')} after\nmax_num_batched_tokens=2048\n"
