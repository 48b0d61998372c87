"""Which line is cited: the message itself, in each layer's words, and no source code."""

from copilot.model.finding import Finding
from copilot.signatures import load, match
from copilot.signatures.signature import Vector
from signatures.vector_evidence import facts_of

BY_ID = {s.id: s for s in load()}


def _found(name: str, text: str) -> Finding:
    facts = facts_of(Vector(text=text), BY_ID[name])
    return next(f for f in match(facts) if f.id == name)


def _causes(finding: Finding) -> list[int]:
    return [ref.line for ref in finding.lines if ref.role == "cause"]


def test_message_and_not_the_source_above_it() -> None:
    finding = _found(
        "uva-not-available",
        """\
(EngineCore pid=3597) ERROR 12-01 16:57:11 [core.py:1231]   File "/x/buffer_utils.py", line 47, in __init__
(EngineCore pid=3597) ERROR 12-01 16:57:11 [core.py:1231]     raise RuntimeError("UVA is not available")
(EngineCore pid=3597) ERROR 12-01 16:57:11 [core.py:1231] RuntimeError: UVA is not available""",
    )
    assert _causes(finding) == [3]


def test_raise_whose_frame_was_cut_off_is_source_too() -> None:
    finding = _found(
        "uva-not-available", '    raise RuntimeError("UVA is not available")\nRuntimeError: UVA is not available'
    )
    assert _causes(finding) == [2]


def test_source_counts_where_nothing_else_says_it() -> None:
    text = '  File "/x/buffer.py", line 9, in f\n    assert is_uva_available()\nAssertionError'
    assert _causes(_found("uva-not-available", text)) == [2]


def test_same_sentence_under_another_exception_is_cited_too() -> None:
    sentence = "Repo id must be in the form 'repo_name' or 'namespace/repo_name': '/models/finch'."
    text = f"huggingface_hub.errors.HFValidationError: {sentence}\n\nOSError: {sentence}"
    assert _causes(_found("model-path-missing", text)) == [1, 3]


def test_sentence_quoted_by_a_wrapper_is_not() -> None:
    text = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
    wrapped = "RuntimeError: Orchestrator failed: CUDA out of memory. Tried to allocate 2.00 GiB."
    assert 2 not in _causes(_found("oom-unknown-stage", text + wrapped))
