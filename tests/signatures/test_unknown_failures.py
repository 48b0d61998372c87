"""What no signature knows stays unknown: no finding, however much a log shouts."""

import pytest

from copilot.signatures import load, match
from copilot.signatures.signature import Vector
from signatures.vector_evidence import facts_of

VLLM = next(s for s in load() if s.folder == "vllm")
START = """\
(APIServer pid=1) INFO 12-01 16:52:06 [utils.py:240] vLLM API server version 0.25.0
(EngineCore pid=67) INFO 12-01 16:52:12 [gpu_model_runner.py:4100] Starting to load model /models/heron-7b...
"""
MADE_UP = {
    "exception of nobody": START
    + "(EngineCore pid=67) ERROR 12-01 16:52:14 [core.py:1231] heron.errors.PlumageError: feather count is odd (17)",
    "assertion without words": START
    + """(EngineCore pid=67) ERROR 12-01 16:52:14 [core.py:1231]   File "/opt/x/planner.py", line 9, in plan
(EngineCore pid=67) ERROR 12-01 16:52:14 [core.py:1231]     assert left == right
(EngineCore pid=67) ERROR 12-01 16:52:14 [core.py:1231] AssertionError""",
    "value error of a plug-in": START
    + "(EngineCore pid=67) ERROR 12-01 16:52:14 [core.py:1231] ValueError: lattice of order 5 has no dual",
    "database": """\
2026-03-04 10:11:12.000 UTC [1] FATAL:  data directory has wrong ownership
2026-03-04 10:11:12.001 UTC [1] HINT:  The server must be started by the user that owns it.""",
    "web application": """\
Traceback (most recent call last):
  File "/app/shop/views.py", line 12, in basket
    raise BasketError("basket is closed")
shop.errors.BasketError: basket is closed""",
    "wrapper alone": "(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above."
    " Failed core proc(s): {}",
}


@pytest.mark.parametrize("text", MADE_UP.values(), ids=MADE_UP)
def test_no_signature_fires(text: str) -> None:
    found = match(facts_of(Vector(text=text), VLLM))
    assert [finding.id for finding in found] == []
