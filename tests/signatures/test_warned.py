"""A warning did not stop a start that an error stopped; alone it is all there is."""

from pathlib import Path

from signatures.asked import asked

START = "INFO 12-01 10:00:00 [api_server.py:1241] vLLM API server version 0.10.1\n"
LENGTH = (
    "WARNING 12-01 10:00:01 [model.py:2274] User-specified max_model_len (4096) is greater than the derived "
    "max_model_len (max_position_embeddings=2048 or model_max_length=None in model's config.json).\n"
)
HEADS = "ValueError: Total number of attention heads (14) must be divisible by tensor parallel size (4).\n"


def test_the_error_alone_is_the_fault(tmp_path: Path) -> None:
    found = asked(tmp_path, log=START + LENGTH + HEADS)
    assert [fault.parameters[0] for fault in found.faults] == ["--tensor-parallel-size"]


def test_without_an_error_the_warning_counts(tmp_path: Path) -> None:
    found = asked(tmp_path, log=START + LENGTH)
    assert [fault.parameters[0] for fault in found.faults] == ["--max-model-len"]
