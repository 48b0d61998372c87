"""Statistics, from SciPy: 95 % intervals over cases, and the exact paired test."""

from collections.abc import Mapping, Sequence

from copilot.model.text import Frozen

CONFIDENCE = 0.95
RESAMPLES = 2_000
SEED = 20_250_701
"""Fixed: the same logs give the same report."""


class Share(Frozen):
    """A mean over cases with its interval."""

    value: float
    low: float
    high: float
    n: int
    """Cases, not samples: epochs of one case are not independent."""


class Paired(Frozen):
    """Two rows on the same cases: how often only one of them is right, and the exact McNemar p-value."""

    a: str
    b: str
    metric: str
    n: int
    both: int
    only_a: int
    only_b: int
    neither: int
    p: float
    """Two-sided; 1 where they never differ."""
    differ: tuple[str, ...] = ()
    """The cases on which only one is right: `+` where that is a."""


def share(found: Share | None) -> str:
    """`87 % (79-92)`."""
    return "-" if found is None else f"{found.value:.0%} ({100 * found.low:.0f}-{100 * found.high:.0f})"


def share_of(by_case: Mapping[str, Sequence[float]]) -> Share | None:
    """Mean of the cases' means; Wilson's interval where each is 0 or 1, else a bootstrap over cases."""
    means = [sum(values) / len(values) for values in by_case.values() if values]
    if not means:
        return None
    value = sum(means) / len(means)
    low, high = _wilson(means) if all(mean in (0.0, 1.0) for mean in means) else _bootstrap(means)
    return Share(value=round(value, 4), low=round(low, 4), high=round(high, 4), n=len(means))


def _wilson(means: Sequence[float]) -> tuple[float, float]:
    """Wilson's score interval of a proportion."""
    from scipy.stats import binomtest

    interval = binomtest(int(sum(means)), len(means)).proportion_ci(CONFIDENCE, method="wilson")
    return max(0.0, float(interval.low)), min(1.0, float(interval.high))


def _bootstrap(means: Sequence[float]) -> tuple[float, float]:
    """Percentile bootstrap of the mean over cases."""
    if len(set(means)) == 1:
        return means[0], means[0]
    import numpy as np
    from scipy.stats import bootstrap

    found = bootstrap(
        (np.array(means),),
        np.mean,
        confidence_level=CONFIDENCE,
        n_resamples=RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(SEED),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def mcnemar(names: tuple[str, str], metric: str, a: Mapping[str, float], b: Mapping[str, float]) -> Paired:
    """Exact McNemar test on the cases that both have; a case counts as right when most of its epochs are."""
    from scipy.stats import binomtest

    cases = sorted(a.keys() & b.keys())
    right = [(case, a[case] > 0.5, b[case] > 0.5) for case in cases]  # noqa: PLR2004 - the majority of epochs
    only_a = [case for case, first, second in right if first and not second]
    only_b = [case for case, first, second in right if second and not first]
    discordant = len(only_a) + len(only_b)
    both = sum(first and second for _, first, second in right)
    return Paired(
        a=names[0],
        b=names[1],
        metric=metric,
        n=len(cases),
        both=both,
        only_a=len(only_a),
        only_b=len(only_b),
        neither=len(cases) - both - discordant,
        p=float(f"{binomtest(len(only_a), discordant).pvalue:.6g}") if discordant else 1.0,  # never a probability of 0
        differ=(*(f"+{case}" for case in only_a), *(f"-{case}" for case in only_b)),
    )
