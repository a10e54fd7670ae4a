"""Measuring two sides in turn, and what their ratio is: for the programs of this folder."""

import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass

from scipy import stats


@dataclass(frozen=True)
class Ratio:
    """What pairs of measurements say of ours against theirs."""

    ours: float  #: the median
    theirs: float  #: the median
    mean: float  #: the geometric mean of ours / theirs
    low: float  #: of its 95 % interval: Student's t on the logarithms
    high: float
    pairs: int


def in_turn(
    pairs: int, ours: Callable[[], float], theirs: Callable[[], float]
) -> list[tuple[float, float]]:
    """Measures both, A B, then B A, and so on; one pair before that is not counted."""
    ours(), theirs()
    measured = []
    for pair in range(pairs):
        if pair % 2 == 0:
            first = ours()
            measured.append((first, theirs()))
        else:
            second = theirs()
            measured.append((ours(), second))
    return measured


def ratio(measured: list[tuple[float, float]]) -> Ratio:
    """Of at least two pairs."""
    logs = [math.log(ours / theirs) for ours, theirs in measured]
    mean = statistics.fmean(logs)
    half = stats.t.ppf(0.975, len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    ours, theirs = (statistics.median(side) for side in zip(*measured))
    return Ratio(
        ours, theirs, math.exp(mean), math.exp(mean - half), math.exp(mean + half), len(logs)
    )
