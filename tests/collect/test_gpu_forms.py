"""One NVIDIA H200 as the NVML adapter and nvidia-smi's three forms show it: the same type, the same values."""

from pathlib import Path

import pytest

from copilot.adapters.nvml import REASONS, reason
from copilot.collect import read_gpus
from copilot.model.evidence import GpuReport

DATA = Path(__file__).parent / "data" / "h200"
"""What the card printed while another process held 20 GiB of it (`idle`: nothing did)."""


def report(name: str) -> GpuReport:
    return read_gpus((DATA / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("form", ["nvml.csv", "query.csv", "plain.csv", "query.xml", "table.txt"])
def test_every_form_is_read_to_the_same(form: str) -> None:
    exact, found = report("nvml.csv"), report(form)
    assert found.problem is None
    (one,), (other,) = exact.gpus, found.gpus
    assert (
        (other.index, other.name, other.total_mib) == (one.index, one.name, one.total_mib) == (0, "NVIDIA H200", 143771)
    )
    assert found.driver == exact.driver == "580.159.04"
    # nvidia-smi rounds up, and its table has no free memory
    assert abs((other.used_mib or 0) - (one.used_mib or 0)) <= 1
    assert other.free_mib is None or abs(other.free_mib - (one.free_mib or 0)) <= 1
    assert (other.free_mib is None) == (form == "table.txt")
    assert other.compute_capability == (None if form in {"query.xml", "table.txt"} else "9.0")
    assert found.cuda == (None if form in {"query.csv", "plain.csv"} else "13.0")
    assert other.processes == (() if form == "plain.csv" else ("420 python3 20998 MiB",))


def test_free_is_not_total_less_used() -> None:
    """The driver keeps 616 MiB that are in neither: a free value that was computed would be too high."""
    (gpu,) = report("nvml.csv").gpus
    assert gpu.total_mib - (gpu.used_mib or 0) - (gpu.free_mib or 0) == 616


@pytest.mark.parametrize("form", ["idle.csv", "idle.txt"])
def test_a_card_that_nobody_holds(form: str) -> None:
    (gpu,) = report(form).gpus
    assert gpu.processes == ()
    assert gpu.used_mib == 0


def test_every_error_of_nvml_has_a_sentence() -> None:
    import pynvml

    kinds = [type(pynvml.NVMLError(code)) for code in range(1, 40)]
    assert len({kind.__name__ for kind in kinds}) > 20
    told = [reason(kind.__new__(kind, 999) if kind is pynvml.NVMLError else kind()) for kind in kinds]
    assert set(told) <= set(REASONS.values())
    assert all(hasattr(pynvml, name) for name in REASONS)
    assert reason(pynvml.NVMLError_LibraryNotFound()) == REASONS["NVMLError_LibraryNotFound"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Failed to initialize NVML: Driver/library version mismatch", "driver mismatch"),
        ("Failed to initialize NVML: GPU access blocked by the operating system", "blocked by the operating system"),
        ("No devices were found", "no devices"),
        ("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.", "no driver"),
        ("bash: nvidia-smi: command not found", "no nvidia-smi"),
        ("Failed to initialize NVML: Unknown Error", "unknown nvml error"),
        ("", "empty"),
        ("something else", "not understood"),
    ],
)
def test_no_card_is_a_value_with_a_reason(text: str, problem: str) -> None:
    found = read_gpus(text)
    assert found.gpus == ()
    assert found.problem == problem
