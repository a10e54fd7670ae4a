"""Bad input gets status 2 (4 where the machine is at fault) and a message that names it."""

import os
import pathlib
import sqlite3
import subprocess

import pytest
from conftest import Run

PING = ("run", "pipe-ping-pong", "loops=10", "--allow-debug")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--bandwidth", "500/100000"), "'500' is out of range; allowed is 1000 to 17592186044415"),
        (("--bandwidth", "20000/999"), "'999' is out of range; allowed is 1000 to 1000000"),
        (("--bandwidth", "20000/1000001"), "'1000001' is out of range; allowed is 1000 to 1000000"),
        (("--bandwidth", "20000"), "20000"),
        (("--bandwidth", "abc/100000"), "'abc' is not a number"),
        (("--repeat", "0"), "--repeat: '0' is out of range; allowed is 1 to 1000000"),
        (("--repeat", "-1"), "--repeat: '-1' is out of range; allowed is 1 to 1000000"),
        (("--repeat", "abc"), "--repeat: 'abc' is not a number; allowed is 1 to 1000000"),
        (("--repeat", "1e99"), "--repeat: '1e99' is not a number; allowed is 1 to 1000000"),
        (("--repeat", "99999999999999999999"), "is out of range"),
        (("--warm-up", "-1"), "--warm-up: '-1' is out of range; allowed is 0 to 1000"),
        (("--deadline", "0"), "--deadline: '0' is out of range; allowed is 1 to 86400"),
        (("--seed", "x"), "--seed: 'x' is not a number"),
        (("--placement", "smae-cpu"), "did you mean 'same-cpu'?"),
        (("--placement", "4000"), "CPU 4000"),
        (("--placement", "0-9999"), "9999"),
        (
            ("--counting", "both"),
            "counting 'both' is none of: auto, cpu, task, cgroup, system, off",
        ),
        (("--events", "cycels"), "cycles"),
        (
            ("--plan", "no/such/plan.toml"),
            "--plan: open no/such/plan.toml: No such file or directory (ENOENT)",
        ),
        (("--no-such-option",), "--no-such-option"),
    ],
)
def test_an_option_that_cannot_be_meant_is_named(
    schedrig: Run, store: pathlib.Path, arguments: tuple[str, ...], message: str
) -> None:
    done = schedrig(*PING, *arguments)
    assert message in done.stderr
    assert done.returncode == 2
    assert done.stdout == ""
    assert not store.exists() or sqlite3.connect(store).execute(
        "SELECT count(*) FROM run"
    ).fetchone() == (0,)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("pipe-pingpong",),
            "there is no workload 'pipe-pingpong'; did you mean 'pipe-ping-pong'?",
        ),
        (("xyzzy",), "there is no workload 'xyzzy'; there is: pipe-ping-pong, "),
        (("pipe-ping-pong", "lops=3"), "there is no parameter 'lops' (did you mean 'loops'?)"),
        (
            ("pipe-ping-pong", "loops=0"),
            "parameter loops: '0' is out of range; allowed is 1 to 1000000000",
        ),
        (("pipe-ping-pong", "tasks=fibres"), "'fibres' is not one of: processes, threads"),
        ((), "a workload is missing"),
    ],
)
def test_a_workload_that_cannot_be_meant_is_named(
    schedrig: Run, store: pathlib.Path, words: tuple[str, ...], message: str
) -> None:
    done = schedrig("run", *words)
    assert message in done.stderr
    assert done.returncode == 2
    assert not store.exists()


def test_a_command_that_does_not_exist_is_named_and_the_nearest_offered(schedrig: Run) -> None:
    done = schedrig("comapre")
    assert "there is no command 'comapre'" in done.stderr
    assert "did you mean 'compare'?" in done.stderr
    assert done.returncode == 2


def test_a_typo_in_a_plan_file_is_told_with_line_and_column(
    schedrig: Run, tmp_path: pathlib.Path
) -> None:
    plan = tmp_path / "grid.toml"
    plan.write_text('repeat = 2\nbandwith = ["none"]\n[[workload]]\nname = "empty"\n')
    done = schedrig("run", "--plan", str(plan))
    assert f"{plan}:2:1: a plan has no 'bandwith'; did you mean 'bandwidth'?" in done.stderr
    assert done.returncode == 2


def test_a_bad_quota_in_a_plan_file_is_told_with_line_and_column(
    schedrig: Run, tmp_path: pathlib.Path
) -> None:
    plan = tmp_path / "grid.toml"
    plan.write_text('repeat = 2\nbandwidth = ["500/100000"]\n[[workload]]\nname = "empty"\n')
    done = schedrig("run", "--plan", str(plan))
    assert f"{plan}:2:" in done.stderr
    assert "'500' is out of range" in done.stderr
    assert done.returncode == 2


def test_a_store_that_is_not_one_is_left_as_it_is(schedrig: Run, store: pathlib.Path) -> None:
    text = "these are my notes, not a store\n" * 40
    store.write_text(text)
    for command in (PING, ("compare",), ("list", "runs")):
        done = schedrig(*command)
        assert f"{store} is not a schedrig store" in done.stderr
        assert done.returncode == 2
    assert store.read_text() == text


def test_another_programs_database_is_left_as_it_is(schedrig: Run, store: pathlib.Path) -> None:
    other = sqlite3.connect(store)
    other.execute("CREATE TABLE mine (x)")
    other.commit()
    other.close()
    before = store.read_bytes()
    done = schedrig(*PING)
    assert str(store) in done.stderr
    assert done.returncode == 2
    assert store.read_bytes() == before


def test_a_store_that_does_not_exist_cannot_be_compared(schedrig: Run, store: pathlib.Path) -> None:
    done = schedrig("compare")
    assert str(store) in done.stderr
    assert done.returncode == 2
    assert not store.exists()


def test_a_locked_store_is_named(schedrig: Run, store: pathlib.Path) -> None:
    assert (
        schedrig("run", "empty", "--repeat", "1", "--warm-up", "0", "--allow-debug").returncode == 0
    )
    holder = sqlite3.connect(store, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    done = schedrig("run", "empty", "--repeat", "1", "--allow-debug")
    assert f"{store} is locked by another program" in done.stderr
    assert done.returncode == 4
    holder.execute("ROLLBACK")
    assert holder.execute("SELECT count(*) FROM run").fetchone() == (1,)


def test_a_store_of_a_newer_version_is_refused_and_left_as_it_is(
    schedrig: Run, store: pathlib.Path
) -> None:
    assert (
        schedrig("run", "empty", "--repeat", "1", "--warm-up", "0", "--allow-debug").returncode == 0
    )
    newer = sqlite3.connect(store)
    newer.execute("PRAGMA user_version = 1000")
    newer.close()
    done = schedrig("run", "empty", "--repeat", "1", "--allow-debug")
    assert "1000" in done.stderr
    assert done.returncode == 2


def test_a_store_in_a_folder_that_does_not_exist_is_named(
    schedrig: Run, tmp_path: pathlib.Path
) -> None:
    done = schedrig(
        "run", "empty", "--repeat", "1", "--allow-debug", "--store", str(tmp_path / "no" / "x.db")
    )
    assert str(tmp_path / "no") in done.stderr
    assert done.returncode == 2


def test_an_empty_store_says_so(schedrig: Run, store: pathlib.Path) -> None:
    store.touch()
    done = schedrig("compare")
    assert f"{store} is empty: no run was ever kept in it" in done.stderr
    assert done.returncode == 2


def test_a_run_that_does_not_exist_is_named(schedrig: Run) -> None:
    assert (
        schedrig("run", "empty", "--repeat", "1", "--warm-up", "0", "--allow-debug").returncode == 0
    )
    done = schedrig("compare", "--run", "17")
    assert "17" in done.stderr
    assert done.returncode == 2


def test_a_full_disk_is_told_and_keeps_what_was_there(
    schedrig: Run, tmp_path: pathlib.Path
) -> None:
    """On a small file system of its own, in a mount namespace that ends with the program."""
    if os.geteuid() != 0:
        pytest.skip("a small file system can only be mounted by root")
    disk, kept = tmp_path / "disk", tmp_path / "kept.db"
    disk.mkdir()
    script = (
        f'mount -t tmpfs -o size=512k none {disk} || exit 99; "$@"; status=$?;'
        f" cp {disk}/small.db* {tmp_path}; exit $status"
    )
    arguments = ["run", "empty", "--repeat", "1000", "--allow-debug", "--store", f"{disk}/small.db"]
    done = subprocess.run(
        [
            "unshare",
            "--mount",
            "sh",
            "-c",
            script,
            "sh",
            os.environ["SCHEDRIG_PROGRAM"],
            *arguments,
        ],
        text=True,
        capture_output=True,
        timeout=120,
    )
    if done.returncode == 99:
        pytest.skip("no file system can be mounted here")
    assert f"{disk}/small.db" in done.stderr
    assert "full" in done.stderr
    assert done.returncode == 4
    (tmp_path / "small.db").rename(kept)
    if (tmp_path / "small.db-wal").exists():
        (tmp_path / "small.db-wal").rename(f"{kept}-wal")
    told = sum(line.startswith("trial ") for line in done.stderr.splitlines())
    assert told > 0
    assert sqlite3.connect(kept).execute("SELECT count(*) FROM trial").fetchone()[0] >= told
