import errno
import gc
import os
import shutil
import subprocess
import sys
import tempfile
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import schedrig

COLUMNS = {
    "trial": np.int64,
    "run": np.int64,
    "cell": np.int32,
    "metric": np.int32,
    "block": np.int32,
    "value": np.float64,
}


@pytest.fixture
def store() -> schedrig.Store:
    return schedrig.Store("example.db")


def test_a_store_tells_its_boots_runs_cells_and_trials(store: schedrig.Store) -> None:
    assert store.path == Path("example.db")
    assert repr(store) == "Store('example.db')"
    (run,) = store.runs
    assert store.latest_run == run.id
    (boot,) = store.boots
    assert run.boot == boot.id
    assert boot.boot.kernel.release == os.uname().release
    assert schedrig.Plan.from_toml(run.record.plan).digest == run.record.plan_digest
    assert schedrig.Plan.from_toml(run.record.plan).seed == run.record.seed
    trials = store.trials(run.id)
    assert len(trials) == 8
    assert {trial.record.cell for trial in trials} == set(store.cells(run.id))
    assert store.cells(99) == []
    assert store.trials(99) == []


def test_records_are_equal_by_value_and_cannot_be_changed(store: schedrig.Store) -> None:
    (first,), (second,) = store.runs, store.runs
    assert first is not second
    assert first == second
    assert first != object()
    one, other = store.cells(1)
    assert one != other
    assert {one: 1, other: 2}[store.cells(1)[0]] == 1
    cell = store.cells(1)[0]
    assert eval(repr(cell).replace("Cell(", "dict("))["workload"] == "pipe-ping-pong"
    with pytest.raises(AttributeError):
        cell.workload = "empty"  # type: ignore[misc]
    with pytest.raises(TypeError):
        schedrig.Cell()


def test_columns_are_views_of_the_memory_they_were_read_into(store: schedrig.Store) -> None:
    readings = store.readings()
    for name, dtype in COLUMNS.items():
        column = getattr(readings, name)
        assert column.dtype == dtype
        assert column.shape == (len(readings),)
        assert column.base is readings
        assert np.shares_memory(column, getattr(readings, name))


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_cannot_be_written(store: schedrig.Store, name: str) -> None:
    column = getattr(store.readings(), name)
    with pytest.raises(ValueError):
        column[0] = 1
    with pytest.raises(ValueError):
        column.setflags(write=True)


def test_a_column_keeps_the_readings_alive(store: schedrig.Store) -> None:
    readings = store.readings()
    values, copied = readings.value, readings.value.copy()
    address = id(readings)
    del readings, store
    gc.collect()
    assert id(values.base) == address
    assert np.array_equal(values, copied)


def test_readings_agree_with_the_trials(store: schedrig.Store) -> None:
    readings = store.readings()
    told = [
        (trial.id, trial.record.block, trial.record.cell, reading.metric.name, reading.value)
        if reading.metric.extent == "whole"
        else (
            trial.id,
            trial.record.block,
            trial.record.cell,
            reading.metric.name,
            reading.value / trial.record.work,
        )
        for trial in store.trials(1)
        if trial.record.purpose == "measured"
        for reading in trial.record.readings
    ]
    columns = zip(
        readings.trial.tolist(),
        readings.block.tolist(),
        [readings.cells[cell] for cell in readings.cell],
        [readings.metrics[metric].name for metric in readings.metric],
        readings.value.tolist(),
    )
    assert list(columns) == told


def test_a_selection_restricts_what_it_names(store: schedrig.Store) -> None:
    everything = len(store.readings(trials="all"))
    assert len(store.readings()) * 4 == everything * 3
    assert len(store.readings(run=1, boot=1, workload="pipe-ping-pong")) == len(store.readings())
    wall_time = store.readings(metric="wall_time")
    assert [metric.name for metric in wall_time.metrics] == ["wall_time"]
    assert len(wall_time) == 6
    for nothing in (
        store.readings(run=99),
        store.readings(boot=99),
        store.readings(workload="empty"),
        store.readings(metric="furlongs"),
    ):
        assert len(nothing) == 0
        assert nothing.value.shape == (0,)
        assert not nothing.value.flags.writeable
    with pytest.raises(schedrig.BadInput, match="'some' is none of: valid, all"):
        store.readings(trials="some")  # type: ignore[arg-type]


def test_a_frame_has_the_documented_columns(store: schedrig.Store) -> None:
    readings = store.readings()
    frame = readings.frame()
    categories = ["workload", "parameters", "placement", "bandwidth", "counting", "pass"]
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
        "run": "int64",
        "trial": "int64",
        "block": "int32",
        **dict.fromkeys(categories + ["metric", "unit"], "category"),
        "value": "float64",
    }
    assert frame.value.tolist() == readings.value.tolist()
    assert frame.parameters.tolist() == [readings.cells[i].parameters for i in readings.cell]
    assert frame.metric.tolist() == [readings.metrics[i].name for i in readings.metric]
    units = frame.groupby("metric", observed=True).unit.unique().map(list).to_dict()
    assert units["wall_time"] == ["ns/loop"]
    assert units["context_switches"] == ["1/loop"]
    assert units["migrations"] == ["1"]


def test_no_readings_make_a_frame_with_the_same_columns(store: schedrig.Store) -> None:
    empty, frame = store.readings(run=99).frame(), store.readings().frame()
    assert len(empty) == 0
    assert empty.dtypes.map(str).to_dict() == frame.dtypes.map(str).to_dict()


def test_a_frame_owns_its_values(store: schedrig.Store) -> None:
    readings = store.readings()
    frame = readings.frame()
    before = readings.value.copy()
    frame.loc[:, "value"] = 0.0
    assert np.array_equal(readings.value, before)


def test_pandas_and_numpy_are_imported_only_when_asked_for() -> None:
    program = """
import sys, schedrig
assert not {"numpy", "pandas"} & set(sys.modules)
readings = schedrig.Store("example.db").readings()
readings.value
assert "pandas" not in sys.modules
readings.frame()
assert "pandas" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_missing_store_keeps_errno_and_path() -> None:
    with pytest.raises(FileNotFoundError) as refusal:
        schedrig.Store("missing.db")
    assert refusal.value.errno == errno.ENOENT
    assert refusal.value.filename == "missing.db"
    assert not Path("missing.db").exists()


def test_what_is_no_store_keeps_errno_and_path() -> None:
    Path("plain.db").write_text("not a database, but long enough to look at " * 40)
    with pytest.raises(OSError) as refusal:
        schedrig.Store("plain.db")
    assert refusal.value.errno == errno.EINVAL
    assert refusal.value.filename == "plain.db"
    assert "SQLite" in refusal.value.strerror


def test_a_path_of_odd_bytes_comes_back_as_it_was() -> None:
    name = os.fsdecode(b"\xff.db")
    with pytest.raises(FileNotFoundError) as refusal:
        schedrig.Store(name)
    assert refusal.value.filename == name


def test_a_store_that_may_not_be_written_is_read_but_gets_no_run() -> None:
    program = """
import os, schedrig, sys
here = schedrig.machine()  # as long as we may see the program
os.chdir(sys.argv[1])
if os.geteuid() == 0:
    os.setgroups([]), os.setegid(65534), os.seteuid(65534)
assert len(schedrig.Store("example.db").readings()) > 0
try:
    schedrig.run(schedrig.Plan("empty", countings="off"), "example.db", allow_debug=True)
except PermissionError as error:
    assert error.filename == "example.db", error
else:
    raise AssertionError("it was written")
"""
    with tempfile.TemporaryDirectory() as folder:  # pytest's own are closed to other users
        shutil.copy("example.db", folder)
        os.chmod(f"{folder}/example.db", 0o444)
        os.chmod(folder, 0o555)
        subprocess.run([sys.executable, "-c", program, folder], check=True)
        os.chmod(folder, 0o755)


def test_a_run_that_is_not_there_keeps_errno_and_path(store: schedrig.Store) -> None:
    with pytest.raises(FileNotFoundError) as refusal:
        schedrig.compare(store, run=99)
    assert refusal.value.filename == "example.db"
    assert "99" in refusal.value.strerror


def test_threads_share_a_store_in_turns(store: schedrig.Store) -> None:
    def look(number: int) -> int:
        return len(store.readings()) + len(store.trials(1))

    expected = look(0)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(look, range(200))) == {expected}


def test_readings_go_when_nobody_looks(store: schedrig.Store) -> None:
    column = store.readings().value
    watched = weakref.ref(column)
    del column
    assert watched() is None


def test_a_frames_categories_stand_in_plan_order(store: schedrig.Store) -> None:
    frame = store.readings(metric="wall_time").frame()
    means = frame.groupby("parameters", observed=False).value.mean()
    assert isinstance(means, pd.Series)
    assert list(means.index) == ["loops=10 tasks=processes", "loops=20 tasks=processes"]
