"""Two records side by side: what differs by more than chance, and which settings differ."""

from collections.abc import Iterator

from copilot.measure.spread import beyond
from copilot.model.measurement import Compared, Differing, Measurement, MeasurementComparison, Phase, Spread

FIGURES = (("first_token_s", "less"), ("per_token_s", "less"), ("tokens_per_s", "more"))
"""Figure of a phase -> what is better."""


def compare(a: Measurement, b: Measurement) -> MeasurementComparison:
    """A against B, figure by figure, for the phases that both have."""
    pairs = [(phase, other) for phase in a.phases if (other := b.phase(phase.name)) is not None]
    rows = tuple(row for phase, other in pairs for row in _rows(phase, other))
    return MeasurementComparison(
        a=a.id, b=b.id, same_shape=a.shape == b.shape, rows=rows, differing=tuple(_differing(a, b))
    )


def _rows(a: Phase, b: Phase) -> Iterator[Compared]:
    for figure, better in FIGURES:
        one: Spread | None = getattr(a, figure)
        other: Spread | None = getattr(b, figure)
        if one is None or other is None or one.median == 0:
            continue
        apart = beyond(one, other)
        wins = (other.median < one.median) == (better == "less")
        yield Compared(
            phase=a.name,
            figure=figure,
            a=one,
            b=other,
            ratio=other.median / one.median,
            beyond_spread=apart,
            better="same" if not apart else "b" if wins else "a",
        )


def _differing(a: Measurement, b: Measurement) -> Iterator[Differing]:
    """Settings, versions and machines that are not the same; load and GPU included."""
    left, right = _flat(a), _flat(b)
    for name in sorted(left.keys() | right.keys()):
        if left.get(name) != right.get(name):
            yield Differing(name=name, a=left.get(name), b=right.get(name))


def _flat(record: Measurement) -> dict[str, str]:
    around = record.surroundings
    plain = around.model_dump(exclude={"settings", "kv_tokens", "kv_tokens_predicted"}, exclude_none=True)
    found = {name: str(value) for name, value in plain.items()}
    found |= {name: str(value) for name, value in record.shape.model_dump().items()}
    found |= {f"gpu {index}": f"{gpu.name} {gpu.total_mib} MiB" for index, gpu in enumerate(record.gpus)}
    return found | around.settings
