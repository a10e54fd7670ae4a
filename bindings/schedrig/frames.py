"""Readings and comparisons as pandas frames. Imported, with pandas, when the first is asked for."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pandas as pd

from schedrig._core import Comparison, Metric, Readings, workloads

CELL_PARTS = {
    "workload": "workload",
    "parameters": "parameters",
    "placement": "placement",
    "bandwidth": "bandwidth",
    "counting": "counting",
    "pass": "pass_",
}


def unit_text(metric: Metric, work_unit: str) -> str:
    """The unit of a metric's values in reports: "ns/loop", or "ns" where it is not per work."""
    return f"{metric.unit}/{work_unit}" if metric.extent == "per_work" else metric.unit


def categorical(texts: Iterable[str], codes: npt.NDArray[np.int32]) -> pd.Categorical:
    """The column whose element i is `texts[codes[i]]`; equal texts become one category."""
    categories: dict[str, int] = {}
    merged = [categories.setdefault(text, len(categories)) for text in texts]
    # Empty readings have no texts: an int column of no elements is indexed all the same.
    return pd.Categorical.from_codes(np.array(merged, dtype=np.int32)[codes], list(categories))


def readings_frame(readings: Readings) -> pd.DataFrame:
    """What Readings.frame returns."""
    cells, metrics = readings.cells, readings.metrics
    columns = {"run": readings.run, "trial": readings.trial, "block": readings.block}
    for name, attribute in CELL_PARTS.items():
        columns[name] = categorical((getattr(cell, attribute) for cell in cells), readings.cell)
    columns["metric"] = categorical((metric.name for metric in metrics), readings.metric)
    # A metric's unit depends on the cell's workload: one text for each pair of the two.
    work_units = {entry.name: entry.work_unit for entry in workloads()}
    columns["unit"] = categorical(
        (
            unit_text(metric, work_units.get(cell.workload, "work"))
            for cell in cells
            for metric in metrics
        ),
        readings.cell * np.int32(len(metrics)) + readings.metric,
    )
    columns["value"] = readings.value
    return pd.DataFrame(columns)


def comparison_frame(comparison: Comparison) -> pd.DataFrame:
    """What Comparison.frame returns."""
    rows = []
    for row in comparison.rows:
        for metric, figure in zip(comparison.columns, row.figures):
            unit = unit_text(metric, comparison.work_unit)
            line = {"label": row.label, "metric": metric.name, "unit": unit, "n": 0, "caveat": ""}
            if figure.summary is not None:
                line |= {"n": figure.summary.n, "mean": figure.summary.mean}
            if (difference := figure.difference) is not None:
                line |= {"estimate": difference.estimate, "p": difference.p}
                line["estimate_unit"] = "percent" if difference.unit == "percent" else unit
                line["caveat"] = difference.caveat
                if (interval := difference.interval) is not None:
                    line |= {"low": interval.lower, "high": interval.upper}
            rows.append(line)
    frame = pd.DataFrame(
        rows,
        columns=[
            "label",
            "metric",
            "unit",
            "n",
            "mean",
            "estimate",
            "low",
            "high",
            "estimate_unit",
            "p",
            "caveat",
        ],
    )
    numbers = dict.fromkeys(["mean", "estimate", "low", "high", "p"], "float64")
    texts = dict.fromkeys(["label", "metric", "unit", "estimate_unit"], "category")
    return frame.astype(numbers | texts | {"n": "int64"})
