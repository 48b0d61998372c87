"""Every signature file: its own real lines hit, its look-alikes do not, and both languages are there."""

import re

import pytest

from copilot.checks import value_valid
from copilot.checks.context import Context
from copilot.model.finding import Findings
from copilot.model.names import is_listed
from copilot.model.reply import Reply, ReplyExperiment
from copilot.signatures import load, mark_noise, match
from copilot.signatures.literal import literals
from copilot.signatures.load import see_patterns
from copilot.signatures.signature import Signature, Vector
from signatures.vector_evidence import facts_of

SIGNATURES = load()
FAULTS = [s for s in SIGNATURES if not s.noise]


def _vectors(kind: str) -> list[object]:
    return [
        pytest.param(s, v, id=f"{s.folder}/{s.id}-{n}") for s in SIGNATURES for n, v in enumerate(getattr(s, kind), 1)
    ]


def _seen(signature: Signature, vector: Vector) -> bool:
    facts = facts_of(vector, signature)
    if signature.noise:
        return bool(mark_noise(facts))
    return signature.id in {finding.id for finding in match(facts)}


@pytest.mark.parametrize(("signature", "vector"), _vectors("hits"))
def test_hit(signature: Signature, vector: Vector) -> None:
    assert _seen(signature, vector)


@pytest.mark.parametrize(("signature", "vector"), _vectors("misses"))
def test_miss(signature: Signature, vector: Vector) -> None:
    assert not _seen(signature, vector)


@pytest.mark.parametrize(
    ("signature", "vector"),
    [p for p in _vectors("hits") if p.values[1].first is not None],  # type: ignore[attr-defined]
)
def test_first_proposal(signature: Signature, vector: Vector) -> None:
    finding = next(f for f in match(facts_of(vector, signature)) if f.id == signature.id)
    first = finding.proposals[0]
    shown = "observe" if first.kind == "observe" else f"{first.parameter}={first.to or ''}"
    assert shown == vector.first


@pytest.mark.parametrize("signature", FAULTS, ids=lambda s: f"{s.folder}/{s.id}")
def test_fault_always_has_something_to_try(signature: Signature) -> None:
    for vector in signature.hits:
        finding = next(f for f in match(facts_of(vector, signature)) if f.id == signature.id)
        assert finding.proposals
        texts = [t for p in finding.proposals for t in (p.why, p.if_right, p.if_wrong)]
        assert not [t for t in (*texts, finding.title, finding.cause) if re.search(r"\{[a-z_]+\}", t.en + t.zh)]


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda s: f"{s.folder}/{s.id}")
def test_form(signature: Signature) -> None:
    assert signature.hits
    for name in (*signature.parameters, *(p.parameter for p in signature.propose if p.parameter)):
        assert name.startswith(("--", "env:", "{")) or is_listed(name), name
    assert re.search("[一-鿿]", signature.title.zh)


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda s: f"{s.folder}/{s.id}")
def test_text_filter_sees_the_same_patterns(signature: Signature) -> None:
    """Files are filtered by the raw text of their patterns: written otherwise they would never be parsed."""
    from importlib.resources import files

    text = (files("copilot.signatures") / signature.folder / f"{signature.id}.toml").read_text("utf-8")
    assert see_patterns(text) == tuple(look.pattern for look in signature.see)


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda s: f"{s.folder}/{s.id}")
def test_patterns_have_a_text_to_filter_by(signature: Signature) -> None:
    assert all(literals(look.pattern) for look in signature.see)


def test_ids_are_unique() -> None:
    ids = [s.id for s in SIGNATURES]
    assert sorted(ids) == sorted(set(ids))


def test_superseded_ids_exist() -> None:
    known = {s.id for s in SIGNATURES}
    assert not [(s.id, other) for s in SIGNATURES for other in s.supersedes if other not in known]


@pytest.mark.parametrize("signature", FAULTS, ids=lambda s: f"{s.folder}/{s.id}")
def test_what_is_proposed_may_stand_in_a_file(signature: Signature) -> None:
    """A value that the rules refuse leaves the person without an experiment."""
    for vector in signature.hits:
        facts = facts_of(vector, signature)
        finding = next(f for f in match(facts) if f.id == signature.id)
        context = Context(facts.evidence, Findings(engine=facts.engine.name))
        for proposal in finding.proposals:
            experiment = ReplyExperiment(
                why="", kind=proposal.kind, parameter=proposal.parameter, to=proposal.to, if_right="", if_wrong=""
            )
            told = value_valid.check(Reply(status="diagnosed", experiment=experiment), context)
            assert not [o.detail for o in told if "plain text" in o.detail], proposal.to
