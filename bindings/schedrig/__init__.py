"""What a Linux kernel build costs scheduler-bound work, with and without CPU bandwidth limits.

A plan is made of lists whose product is the cells; `run` carries it out and keeps every trial in
a store; `compare` tells how much each cell differs from the first, with intervals.

>>> import schedrig
>>> plan = schedrig.Plan("pipe-ping-pong loops=10,20", countings="off", repeat=3, warm_up=0)
>>> outcome = schedrig.run(plan, store="new.db", allow_debug=True)
>>> store = schedrig.Store("new.db")
>>> [row.label for row in schedrig.compare(store, outcome.run)[0].rows]
['loops=10', 'loops=20']
>>> frame = store.readings(metric="wall_time").frame()
>>> frame.groupby("parameters", observed=False).value.count().tolist()
[3, 3]

Times are in nanoseconds and metrics as they stand in the store; values of metrics that are counted
per work are divided by it ('ns/loop'). What is returned cannot be changed and is equal by value.
Errors: BadInput for what cannot be meant, Unavailable for what this machine cannot give, OSError
with errno and path for what the system refuses.

The examples here read ``example.db``, a store with one run of the plan above, warmed up once.
"""

from schedrig._core import (
    BadInput,
    Boot,
    BuildInfo,
    Cell,
    Comparison,
    ComparisonFigure,
    ComparisonRow,
    Difference,
    Fairness,
    FairnessFigure,
    FairnessMode,
    FairnessRow,
    FairnessTable,
    Finding,
    Interval,
    KernelBuild,
    Machine,
    Metric,
    Outcome,
    Parameter,
    Plan,
    Progress,
    Reading,
    Readings,
    RunRecord,
    SpreadDifference,
    Store,
    StoredBoot,
    StoredRun,
    StoredTrial,
    Summary,
    TaskReading,
    ThrottleFigures,
    TrialCounts,
    TrialRecord,
    Unavailable,
    WorkloadEntry,
    __version__,
    build_info,
    compare,
    fairness,
    machine,
    run,
    text_table,
    welch,
    workloads,
)

__all__ = [
    "BadInput",
    "Boot",
    "BuildInfo",
    "Cell",
    "Comparison",
    "ComparisonFigure",
    "ComparisonRow",
    "Difference",
    "Fairness",
    "FairnessFigure",
    "FairnessMode",
    "FairnessRow",
    "FairnessTable",
    "Finding",
    "Interval",
    "KernelBuild",
    "Machine",
    "Metric",
    "Outcome",
    "Parameter",
    "Plan",
    "Progress",
    "Reading",
    "Readings",
    "RunRecord",
    "SpreadDifference",
    "Store",
    "StoredBoot",
    "StoredRun",
    "StoredTrial",
    "Summary",
    "TaskReading",
    "ThrottleFigures",
    "TrialCounts",
    "TrialRecord",
    "Unavailable",
    "WorkloadEntry",
    "__version__",
    "build_info",
    "compare",
    "fairness",
    "machine",
    "run",
    "text_table",
    "welch",
    "workloads",
]
