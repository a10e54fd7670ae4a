"""What is missing, or not allowed, is said with what would change it; the rest is measured."""

import os
import pathlib
import sqlite3
import subprocess

import pytest
from conftest import Run

GRID = (
    "run",
    "pipe-ping-pong",
    "loops=500",
    "--bandwidth",
    "none,group,20000/100000",
    "--repeat",
    "2",
    "--allow-debug",
)

as_root = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can put on and off what is missing"
)


def as_nobody(folder: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the program as a user who owns nothing but `folder`."""
    folder.chmod(0o777)
    for parent in folder.parents:
        if (
            parent != pathlib.Path("/")
            and parent.owner() == "root"
            and parent.is_relative_to("/tmp/pytest-of-root")
        ):
            parent.chmod(0o755)
    program = os.environ["SCHEDRIG_PROGRAM"]
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"]
    environment = os.environ | {"SCHEDRIG_STORE": str(folder / "nobody.db"), "COLUMNS": "80"}
    return subprocess.run(
        [*user, program, *arguments],
        env=environment,
        cwd=folder,
        text=True,
        capture_output=True,
        timeout=120,
    )


def without_cpu_controller(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the program in a mount namespace of its own that `script` has changed first."""
    program = os.environ["SCHEDRIG_PROGRAM"]
    done = subprocess.run(
        [
            "unshare",
            "--mount",
            "sh",
            "-c",
            f'{script} || exit 99; exec "$@"',
            "sh",
            program,
            *arguments,
        ],
        text=True,
        capture_output=True,
        timeout=120,
    )
    if done.returncode == 99:
        pytest.skip(f"cannot be tried here: {done.stderr}")
    return done


@as_root
def test_without_root_the_cells_that_are_left_run_and_are_marked(tmp_path: pathlib.Path) -> None:
    done = as_nobody(tmp_path, *GRID)
    assert done.returncode == 0, done.stderr
    assert "cells with a control group are left out" in done.stderr
    assert "2 valid, 0 invalid, 0 failed" in done.stdout
    with sqlite3.connect(tmp_path / "nobody.db") as store:
        cells = [
            bandwidth
            for (bandwidth,) in store.execute("SELECT DISTINCT bandwidth FROM observation")
        ]
    store.close()
    assert cells == ["none"]
    table = as_nobody(tmp_path, "compare")
    assert "cells with a control group are left out" in table.stdout
    assert max(map(len, table.stdout.splitlines())) <= 80


@as_root
def test_without_root_a_plan_of_groups_alone_is_refused(tmp_path: pathlib.Path) -> None:
    done = as_nobody(tmp_path, "run", "empty", "--bandwidth", "group", "--allow-debug")
    assert done.returncode == 4
    assert "to change it: run as root" in done.stderr


@as_root
def test_without_a_cpu_controller_a_group_is_refused_and_nothing_started(
    store: pathlib.Path,
) -> None:
    umount = (
        "for m in $(awk '/ - cgroup/ && /cpu/ {print $5}' /proc/self/mountinfo | sort -r);"
        " do umount $m || exit 1; done"
    )
    done = without_cpu_controller(umount, *GRID, "--store", str(store))
    assert done.returncode == 4, done.stdout + done.stderr
    assert "cpu" in done.stderr and "controller" in done.stderr
    assert "to change it: " in done.stderr
    assert not store.exists() or sqlite3.connect(store).execute(
        "SELECT count(*) FROM run"
    ).fetchone() == (0,)


@as_root
def test_a_read_only_cgroup_is_refused_and_nothing_started(store: pathlib.Path) -> None:
    remount = (
        "m=$(awk '/ - cgroup / && /[ ,]cpu(,|$)/ {print $5; exit}' /proc/self/mountinfo)"
        ' && test -n "$m" && mount -o remount,bind,ro $m'
    )
    done = without_cpu_controller(remount, *GRID, "--store", str(store))
    assert done.returncode == 4, done.stdout + done.stderr
    assert "Read-only" in done.stderr or "read-only" in done.stderr
    assert not store.exists() or sqlite3.connect(store).execute(
        "SELECT count(*) FROM run"
    ).fetchone() == (0,)


def test_a_cgroup_parent_that_does_not_exist_is_named(schedrig: Run) -> None:
    done = schedrig(*GRID, "--cgroup-parent", "/sys/fs/cgroup/no-such-group")
    assert "/sys/fs/cgroup/no-such-group" in done.stderr
    assert done.returncode in (2, 4)


def test_the_doctor_names_what_is_missing_and_what_would_change_it(schedrig: Run) -> None:
    done = schedrig("doctor")
    missing = [line for line in done.stdout.splitlines() if line.startswith("--")]
    assert done.returncode == (4 if missing else 0)
    assert "control groups" in done.stdout
