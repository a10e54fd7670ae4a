"""A killed run leaves nothing once the next command has started, and loses no trial it reported."""

import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import time

import pytest
from conftest import Run

MOMENTS = int(os.environ.get("SCHEDRIG_KILL_MOMENTS", "6"))
GRID = (
    "--bandwidth",
    "none,group,group:2000/10000",
    "--repeat",
    "1000",
    "--warm-up",
    "0",
    "--allow-debug",
)

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="groups can only be made by root")


def groups() -> list[pathlib.Path]:
    """Every group of ours below any mounted hierarchy."""
    lines = pathlib.Path("/proc/self/mountinfo").read_text().splitlines()
    mounts = [line.split()[4] for line in lines if " - cgroup" in line]
    return [path for mount in mounts for path in pathlib.Path(mount).glob("**/schedrig-*")]


def workloads() -> list[int]:
    """Every process that is a workload of the program under test, or a child of one."""
    program = pathlib.Path(os.environ["SCHEDRIG_PROGRAM"]).resolve().with_name("schedrig-workload")
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (process / "exe").readlink() == program:
                found.append(int(process.name))
        except OSError:  # it ended meanwhile, or is a kernel thread
            pass
    return found


def start_grid(store: pathlib.Path) -> subprocess.Popen[str]:
    """A run of the grid that goes on until it is stopped."""
    program = os.environ["SCHEDRIG_PROGRAM"]
    return subprocess.Popen(
        [program, "run", "pipe-ping-pong", "loops=2000", *GRID, "--store", str(store)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("moment", range(MOMENTS))
def test_a_kill_at_a_random_moment_leaves_nothing(
    schedrig: Run, store: pathlib.Path, moment: int
) -> None:
    random.seed()
    delay = random.uniform(0, 1.5)
    started = start_grid(store)
    time.sleep(delay)
    assert started.poll() is None, started.stderr and started.stderr.read()
    started.send_signal(signal.SIGKILL)
    _, told = started.communicate()
    reported = [int(number) for number in re.findall(r"^trial (\d+) of .*\n", told, re.MULTILINE)]

    next_one = schedrig("doctor")
    assert next_one.returncode in (0, 4)
    assert groups() == [], f"killed after {delay:.3f} s; {next_one.stderr}"
    assert workloads() == [], f"killed after {delay:.3f} s"
    if reported:
        kept = sqlite3.connect(store).execute("SELECT count(*) FROM trial").fetchone()[0]
        assert kept >= max(reported), f"killed after {delay:.3f} s"
    if store.exists():
        assert sqlite3.connect(store).execute("PRAGMA integrity_check").fetchone() == ("ok",)
        again = schedrig("run", "empty", "--repeat", "1", "--warm-up", "0", "--allow-debug")
        assert again.returncode == 0, again.stderr


def test_a_living_runs_groups_are_left_alone_and_a_second_run_names_it(
    schedrig: Run, store: pathlib.Path
) -> None:
    living = start_grid(store)
    try:
        assert living.stderr is not None
        for line in living.stderr:
            if line.startswith("trial 3 of "):
                break
        assert groups() != []
        second = schedrig("run", "empty", "--allow-debug", "--store", str(store) + ".second")
        assert f"process {living.pid} of root" in second.stderr
        assert second.returncode == 4
        assert groups() != []
    finally:
        living.send_signal(signal.SIGINT)
        out, _ = living.communicate(timeout=30)
    assert living.returncode == 130
    assert "interrupted" in out
    assert groups() == []
    assert workloads() == []
    assert sqlite3.connect(store).execute(
        "SELECT count(*) FROM run WHERE ending = 'unfinished'"
    ).fetchone() == (0,)
