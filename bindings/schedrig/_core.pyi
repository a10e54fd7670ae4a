"""The C++ side of schedrig; what each name means stands in its docstring."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from os import PathLike
from pathlib import Path
from typing import Final, Literal, SupportsIndex

import numpy as np
import numpy.typing as npt
import pandas as pd

__version__: str

class BadInput(ValueError): ...

class Unavailable(RuntimeError):
    why: str
    remedy: str

class Cell:
    workload: Final[str]
    parameters: Final[str]
    placement: Final[str]
    bandwidth: Final[str]
    counting: Final[str]
    pass_: Final[str]

class Metric:
    name: Final[str]
    unit: Final[str]
    better: Final[Literal["lower", "higher", "neither"]]
    scale: Final[Literal["ratio", "difference"]]
    extent: Final[Literal["per_work", "whole"]]

class Reading:
    metric: Final[Metric]
    value: Final[float]

class TaskReading:
    task: Final[int]
    cpu: Final[int]
    metric: Final[Metric]
    value: Final[float]

class TrialRecord:
    cell: Final[Cell]
    cpus: Final[str]
    work_unit: Final[str]
    block: Final[int]
    position: Final[int]
    purpose: Final[Literal["measured", "warm_up"]]
    validity: Final[Literal["valid", "invalid", "failed"]]
    reason: Final[str]
    started_at_ns: Final[int]
    work: Final[float]
    readings: Final[list[Reading]]
    notes: Final[list[str]]
    task_readings: Final[list[TaskReading]]

class StoredTrial:
    id: Final[int]
    run: Final[int]
    record: Final[TrialRecord]

class KernelBuild:
    build_id: Final[str]
    release: Final[str]
    version: Final[str]
    config_digest: Final[str]

class Boot:
    boot_id: Final[str]
    kernel: Final[KernelBuild]
    machine: Final[str]
    host: Final[str]
    environment: Final[dict[str, str]]

class StoredBoot:
    id: Final[int]
    boot: Final[Boot]

class TrialCounts:
    valid: Final[int]
    invalid: Final[int]
    failed: Final[int]
    warm_up: Final[int]

class RunRecord:
    plan: Final[str]
    plan_digest: Final[str]
    seed: Final[int]
    label: Final[str]
    started_at_ns: Final[int]
    ending: Final[Literal["unfinished", "finished", "interrupted", "failed"]]
    marks: Final[list[str]]

class StoredRun:
    id: Final[int]
    boot: Final[int]
    record: Final[RunRecord]
    trials: Final[TrialCounts]
    first_trial_at_ns: Final[int]
    last_trial_at_ns: Final[int]

class Plan:
    placements: Final[list[str]]
    bandwidths: Final[list[str]]
    repeat: Final[int]
    warm_up: Final[int]
    seed: Final[int]
    deadline: Final[timedelta]
    label: Final[str]
    digest: Final[str]
    def __init__(
        self,
        workloads: str | Sequence[str],
        *,
        placements: str | Sequence[str] = ...,
        bandwidths: str | Sequence[str] = ...,
        countings: str | Sequence[str] = ...,
        events: str | Sequence[str] = ...,
        repeat: SupportsIndex | None = ...,
        warm_up: SupportsIndex | None = ...,
        seed: SupportsIndex | None = ...,
        deadline: timedelta | float | None = ...,
        label: str = ...,
    ) -> None: ...
    @staticmethod
    def from_file(path: str | PathLike[str]) -> Plan: ...
    @staticmethod
    def from_toml(text: str, name: str = ...) -> Plan: ...
    def toml(self) -> str: ...
    def cells(self) -> list[Cell]: ...

class Finding:
    what: Final[str]
    there: Final[bool]
    sentence: Final[str]
    remedy: Final[str]

class Machine:
    topology: Final[str]
    allowed: Final[str]
    isolated: Final[str]
    counting: Final[Literal["cpu", "task", "off"]]
    placements: Final[dict[str, str]]
    refusals: Final[dict[str, str]]
    groups: Final[Path | None]
    workload_program: Final[Path]
    findings: Final[list[Finding]]

class Parameter:
    name: Final[str]
    unit: Final[str]
    meaning: Final[str]
    usual: Final[str]
    allowed: Final[str]

class WorkloadEntry:
    name: Final[str]
    summary: Final[str]
    work_unit: Final[str]
    parameters: Final[list[Parameter]]
    positional: Final[list[str]]
    aliases: Final[dict[str, str]]

class BuildInfo:
    version: Final[str]
    commit: Final[str]
    build_type: Final[str]
    compiler: Final[str]
    flags: Final[str]
    workloads: Final[str]
    may_measure: Final[bool]

class Progress:
    run: Final[int]
    trial: Final[TrialRecord]
    done: Final[int]
    total: Final[int]
    left: Final[timedelta]

class Outcome:
    run: Final[int]
    ending: Final[Literal["finished"]]
    trials: Final[TrialCounts]
    without_result: Final[list[Cell]]
    marks: Final[list[str]]

class Readings:
    trial: Final[npt.NDArray[np.int64]]
    run: Final[npt.NDArray[np.int64]]
    cell: Final[npt.NDArray[np.int32]]
    metric: Final[npt.NDArray[np.int32]]
    block: Final[npt.NDArray[np.int32]]
    value: Final[npt.NDArray[np.float64]]
    cells: Final[list[Cell]]
    metrics: Final[list[Metric]]
    def __len__(self) -> int: ...
    def frame(self) -> pd.DataFrame: ...

class Store:
    path: Final[Path]
    boots: Final[list[StoredBoot]]
    runs: Final[list[StoredRun]]
    latest_run: Final[int | None]
    def __init__(self, path: str | PathLike[str]) -> None: ...
    def cells(self, run: int) -> list[Cell]: ...
    def trials(self, run: int) -> list[StoredTrial]: ...
    def readings(
        self,
        *,
        run: int | None = ...,
        boot: int | None = ...,
        workload: str | None = ...,
        metric: str | None = ...,
        trials: Literal["valid", "all"] = ...,
    ) -> Readings: ...

class Interval:
    lower: Final[float]
    upper: Final[float]

class Difference:
    unit: Final[Literal["percent", "plain"]]
    kind: Final[Literal["none", "without_error", "estimated", "exact"]]
    estimate: Final[float | None]
    interval: Final[Interval | None]
    degrees_of_freedom: Final[float | None]
    p: Final[float | None]
    caveat: Final[str]

class Summary:
    n: Final[int]
    mean: Final[float]
    median: Final[float]
    minimum: Final[float]
    maximum: Final[float]
    standard_deviation: Final[float | None]
    geometric_mean: Final[float | None]

class FairnessMode:
    lower: Final[float]
    upper: Final[float]
    mean: Final[float]
    tasks: Final[int]
    cpus: Final[list[int]]
    on_cpus: Final[int]

class Fairness:
    tasks: Final[int]
    mean: Final[float]
    standard_deviation: Final[float]
    range: Final[float]
    jain_index: Final[float | None]
    coefficient_of_variation: Final[float | None]
    modes: Final[list[FairnessMode]]

class FairnessFigure:
    summary: Final[Summary]
    interval: Final[Interval | None]

class SpreadDifference:
    test: Final[Literal["none", "trials", "tasks"]]
    difference: Final[Difference]
    conclusion: Final[Literal["unknown", "within_noise", "more_even", "less_even"]]

class FairnessRow:
    trials: Final[list[Fairness]]
    mean: Final[FairnessFigure | None]
    standard_deviation: Final[FairnessFigure | None]
    range: Final[FairnessFigure | None]
    coefficient_of_variation: Final[FairnessFigure | None]
    jain_index: Final[FairnessFigure | None]
    caveat: Final[str]
    spread: Final[SpreadDifference | None]

class FairnessTable:
    metric: Final[Metric]
    rows: Final[list[FairnessRow]]

class ComparisonFigure:
    summary: Final[Summary | None]
    difference: Final[Difference | None]

class ThrottleFigures:
    periods: Final[float]
    throttled_periods: Final[float]
    delivered_cpus: Final[float | None]
    allowed_cpus: Final[float | None]
    bound_cpus: Final[float | None]

class ComparisonRow:
    cell: Final[Cell]
    label: Final[str]
    cpus: Final[str]
    trials: Final[TrialCounts]
    reasons: Final[dict[str, int]]
    figures: Final[list[ComparisonFigure]]
    throttle: Final[ThrottleFigures | None]

class Comparison:
    run: Final[int]
    run_label: Final[str]
    boot: Final[Boot]
    shared: Final[Cell]
    cpus: Final[str]
    work_unit: Final[str]
    confidence: Final[float]
    columns: Final[list[Metric]]
    rows: Final[list[ComparisonRow]]
    fairness: Final[list[FairnessTable]]
    marks: Final[list[str]]
    notes: Final[list[str]]
    def frame(self) -> pd.DataFrame: ...

def machine(cgroup_parent: str | PathLike[str] | None = ...) -> Machine: ...
def workloads() -> list[WorkloadEntry]: ...
def build_info() -> BuildInfo: ...
def run(
    plan: Plan,
    store: str | PathLike[str] = ...,
    progress: Callable[[Progress], object] | None = ...,
    cgroup_parent: str | PathLike[str] | None = ...,
    allow_debug: bool = ...,
) -> Outcome: ...
def compare(store: Store, run: int | None = ...) -> list[Comparison]: ...
def text_table(
    comparisons: Sequence[Comparison],
    width: SupportsIndex = ...,
    metrics: Sequence[str] | None = ...,
) -> str: ...
def fairness(amounts: npt.ArrayLike, cpus: Sequence[int] | None = ...) -> Fairness | None: ...
def welch(
    base: npt.ArrayLike,
    candidate: npt.ArrayLike,
    scale: Literal["ratio", "difference"] = ...,
    confidence: float = ...,
) -> Difference: ...
