import math
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import schedrig

PROGRAM = Path(schedrig.__file__).parents[2] / "bin/schedrig"


@pytest.fixture
def comparison() -> schedrig.Comparison:
    (comparison,) = schedrig.compare(schedrig.Store("example.db"))
    return comparison


def printed(*options: str) -> str:
    return subprocess.run(
        [PROGRAM, "compare", "--store", "example.db", *options],
        check=True,
        capture_output=True,
        text=True,
    ).stdout


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_table_is_the_one_that_the_program_prints(
    comparison: schedrig.Comparison, width: int
) -> None:
    assert schedrig.text_table([comparison], width) == printed(f"--width={width}")
    chosen = schedrig.text_table([comparison], width, metrics=["migrations", "wall_time"])
    assert chosen == printed(f"--width={width}", "--metrics=migrations,wall_time")
    everything = [metric.name for metric in comparison.columns]
    assert schedrig.text_table([comparison], width, everything) == printed(
        f"--width={width}", "--metrics=all"
    )
    assert len(comparison.columns) == len(everything)


def test_refuses_a_metric_that_was_not_measured(comparison: schedrig.Comparison) -> None:
    with pytest.raises(schedrig.BadInput, match="'furlongs' was not measured"):
        schedrig.text_table([comparison], metrics=["wall_time", "furlongs"])


@pytest.mark.parametrize("width", [39, 1001, -(10**30)])
def test_refuses_a_width_that_no_table_has(comparison: schedrig.Comparison, width: int) -> None:
    with pytest.raises(schedrig.BadInput, match="allowed is 40 to 1000"):
        schedrig.text_table([comparison], width)


def test_a_comparison_is_open_data(comparison: schedrig.Comparison) -> None:
    assert comparison.run == 1
    assert comparison.shared.workload == "pipe-ping-pong"
    assert comparison.work_unit == "loop"
    assert comparison.confidence == 0.95
    base, other = comparison.rows
    assert (base.label, other.label) == ("loops=10", "loops=20")
    assert base.trials.valid == other.trials.valid == 3
    assert base.trials.warm_up == 1
    assert len(base.figures) == len(other.figures) == len(comparison.columns)
    assert {figure.difference for figure in base.figures} == {None}
    assert None not in {figure.difference for figure in other.figures}


def test_figures_are_welchs_of_the_readings(comparison: schedrig.Comparison) -> None:
    readings = schedrig.Store("example.db").readings(metric="wall_time")
    base, candidate = (readings.value[readings.cell == cell] for cell in (0, 1))
    place = [metric.name for metric in comparison.columns].index("wall_time")
    figure = comparison.rows[1].figures[place]
    assert figure.difference == schedrig.welch(base, candidate)
    assert figure.summary is not None
    assert figure.summary.mean == pytest.approx(candidate.mean())


def test_a_frame_has_the_documented_columns(comparison: schedrig.Comparison) -> None:
    frame = comparison.frame()
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
        "label": "category",
        "metric": "category",
        "unit": "category",
        "n": "int64",
        "mean": "float64",
        "estimate": "float64",
        "low": "float64",
        "high": "float64",
        "estimate_unit": "category",
        "p": "float64",
        "caveat": "object",
    }
    assert len(frame) == 2 * len(comparison.columns)
    wall_time = frame[(frame.label == "loops=20") & (frame.metric == "wall_time")].iloc[0]
    place = [metric.name for metric in comparison.columns].index("wall_time")
    difference = comparison.rows[1].figures[place].difference
    assert difference is not None and difference.interval is not None
    assert wall_time.unit == "ns/loop"
    assert wall_time.estimate_unit == "percent"
    assert (wall_time.estimate, wall_time.p) == (difference.estimate, difference.p)
    assert (wall_time.low, wall_time.high) == (difference.interval.lower, difference.interval.upper)
    assert frame[frame.label == "loops=10"].estimate.isna().all()


def test_a_store_without_a_run_is_told_so() -> None:
    Path("none.db").touch()
    with pytest.raises(OSError, match="no run was ever kept in it"):
        schedrig.compare(schedrig.Store("none.db"))


def test_fairness_takes_tasks_that_numpy_takes_too() -> None:
    amounts = np.random.default_rng(5).normal(750, 20, 200)
    ours = schedrig.fairness(amounts)
    assert ours is not None
    assert ours.tasks == 200
    assert ours.range == pytest.approx(np.ptp(amounts), rel=1e-12)
    assert ours.mean == pytest.approx(amounts.mean(), rel=1e-12)
    assert ours.standard_deviation == pytest.approx(amounts.std(), rel=1e-12)
    jain = amounts.sum() ** 2 / (200 * (amounts**2).sum())
    assert ours.jain_index == pytest.approx(jain, rel=1e-12)
    assert [mode.cpus for mode in ours.modes] == [[]]


def test_fairness_says_what_it_cannot_say() -> None:
    assert schedrig.fairness([]) is None
    nothing = schedrig.fairness([0, 0], cpus=[1, 0])
    assert nothing is not None
    assert (nothing.jain_index, nothing.coefficient_of_variation) == (None, None)
    assert [(mode.tasks, mode.cpus, mode.on_cpus) for mode in nothing.modes] == [(2, [0, 1], 2)]


def test_fairness_refuses_what_no_task_can_get() -> None:
    with pytest.raises(schedrig.BadInput, match="amounts: -1 is out of range"):
        schedrig.fairness([2, -1])
    with pytest.raises(schedrig.BadInput, match="not finite"):
        schedrig.fairness([2, math.inf])
    with pytest.raises(schedrig.BadInput, match="cpus has 1 elements; there are 2 amounts"):
        schedrig.fairness([2, 1], cpus=[0])


def test_a_workload_that_tells_no_tasks_apart_has_no_fairness(
    comparison: schedrig.Comparison,
) -> None:
    assert comparison.fairness == []


def test_the_fairness_of_a_run_is_that_of_its_tasks() -> None:
    plan = schedrig.Plan(
        ["massive-intr tasks=3 seconds=1 work_us=1000", "massive-intr tasks=1 seconds=1"],
        placements="all",
        countings="off",
        repeat=1,
        warm_up=0,
    )
    schedrig.run(plan, "fair.db", allow_debug=True)
    store = schedrig.Store("fair.db")
    (comparison,) = schedrig.compare(store)
    if comparison.rows[0].trials.valid < 1 or comparison.rows[1].trials.valid < 1:
        pytest.skip(f"the machine let no trial be valid: {comparison.rows[0].reasons}")
    (table,) = comparison.fairness
    three, one = table.rows
    first = next(
        trial.record
        for trial in store.trials(1)
        if trial.record.cell == comparison.rows[0].cell and trial.record.validity == "valid"
    )
    told = [(reading.value, reading.cpu) for reading in first.task_readings]
    assert three.trials == [schedrig.fairness([v for v, _ in told], [cpu for _, cpu in told])]
    assert three.spread is None and three.mean is not None
    assert three.mean.summary.mean == three.trials[0].mean
    assert one.caveat == "a single task shares with nobody"
    assert one.spread is not None
    assert (one.spread.test, one.spread.conclusion) == ("none", "unknown")
    text = schedrig.text_table([comparison], metrics=["rounds"])
    assert "fairness: rounds of each task" in text
    assert "fairness" not in schedrig.text_table([comparison], metrics=["wall_time"])


def samples(seed: int) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    random = np.random.default_rng(seed)
    sizes = random.integers(2, 60, 2)
    return (
        random.lognormal(10, random.uniform(0.001, 0.5), sizes[0]),
        random.lognormal(10.01, random.uniform(0.001, 0.5), sizes[1]),
    )


@pytest.mark.parametrize("seed", range(50))
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_welch_on_logarithms_agrees_with_scipy(seed: int, confidence: float) -> None:
    base, candidate = samples(seed)
    ours = schedrig.welch(base, candidate, scale="ratio", confidence=confidence)
    theirs = stats.ttest_ind(np.log(candidate), np.log(base), equal_var=False)
    assert ours.kind == "estimated" and ours.unit == "percent"
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)
    shift = np.log(candidate).mean() - np.log(base).mean()
    assert ours.estimate == pytest.approx(100 * math.expm1(shift), rel=1e-9)
    assert ours.interval is not None and ours.degrees_of_freedom is not None
    # Through the probability that lies outside: scipy's quantiles hold only to 1e-8.
    standard_error = shift / theirs.statistic
    for end, sign in ((ours.interval.lower, -1), (ours.interval.upper, 1)):
        reach = sign * (math.log1p(end / 100) - shift) / standard_error
        outside = 2 * stats.t.sf(reach, ours.degrees_of_freedom)
        assert outside == pytest.approx(1 - confidence, rel=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_welch_of_plain_values_agrees_with_scipy(seed: int) -> None:
    base, candidate = samples(seed)
    ours = schedrig.welch(base, candidate, scale="difference")
    theirs = stats.ttest_ind(candidate, base, equal_var=False)
    assert ours.unit == "plain"
    assert ours.estimate == pytest.approx(candidate.mean() - base.mean(), rel=1e-9)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)


def test_welch_takes_views_with_strides_and_other_types() -> None:
    values = np.arange(1, 21)
    assert schedrig.welch(values[::2], values[1::2]) == schedrig.welch(
        values[::2].astype(float).tolist(), values[1::2].astype(float).tolist()
    )


def test_welch_refuses_what_is_no_sample() -> None:
    good = [1.0, 2.0]
    with pytest.raises(schedrig.BadInput, match="candidate has 2 dimensions"):
        schedrig.welch(good, [good, good])
    with pytest.raises(schedrig.BadInput, match="base holds a value that is not finite"):
        schedrig.welch([1.0, math.nan], good)
    with pytest.raises(schedrig.BadInput, match="between 0 and 1"):
        schedrig.welch(good, good, confidence=1.0)
    with pytest.raises(schedrig.BadInput, match="none of: ratio, difference"):
        schedrig.welch(good, good, scale="log")  # type: ignore[arg-type]


def test_welch_says_what_it_cannot_say() -> None:
    none = schedrig.welch([], [1.0, 2.0])
    assert (none.kind, none.estimate, none.interval, none.p) == ("none", None, None, None)
    assert none.caveat
    assert schedrig.welch([100.0, 100.0], [110.0, 110.0]).kind == "exact"
