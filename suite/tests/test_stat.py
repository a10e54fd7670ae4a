"""schedrig stat: perf stat's job, with the store."""

import os
import pathlib
import signal
import sqlite3
import subprocess
import time

import pytest
from conftest import Run

EVENTS = ("-e", "page-faults,task-clock")


def stat(schedrig: Run, *words: str) -> subprocess.CompletedProcess[str]:
    return schedrig("stat", "--allow-debug", *words)


def test_a_command_is_counted_and_its_output_stays_its_own(schedrig: Run) -> None:
    done = stat(schedrig, *EVENTS, "-r", "3", "echo", "-n", "hello")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "hellohellohello"
    assert "'echo -n hello', mean of 3 runs" in done.stderr
    assert "page-faults" in done.stderr
    assert "seconds elapsed" in done.stderr


def test_each_run_is_a_trial_in_the_store(schedrig: Run, store: pathlib.Path) -> None:
    stat(schedrig, *EVENTS, "-r", "5", "--label", "five", "--", "true")
    with sqlite3.connect(store) as connection:
        values = connection.execute(
            "SELECT value FROM observation WHERE metric = 'page-faults' AND validity = 'valid' "
            "AND workload = 'command' AND parameters = 'line=true start=exec'"
        ).fetchall()
    connection.close()
    assert len(values) == 5
    assert all(value > 10 for (value,) in values)
    assert "5 trials" in schedrig("compare").stdout


def test_each_list_of_events_is_a_pass_of_its_own(schedrig: Run) -> None:
    done = stat(schedrig, "-e", "minor-faults", "-e", "major-faults", "-r2", "--per-run", "true")
    assert "mean of 4 runs" in done.stderr
    rows = [line.split() for line in done.stderr.splitlines() if line.startswith("   ")]
    runs = [row for row in rows if len(row) == 6 and row[0] in {"1", "2", "3", "4"}]
    assert len(runs) == 4
    assert all((row[4] == "-") != (row[5] == "-") for row in runs)


def test_options_after_the_command_are_the_commands(schedrig: Run) -> None:
    done = stat(schedrig, *EVENTS, "sh", "-c", "exit 0", "--repeat", "9")
    assert "1 run" in done.stderr, done.stderr


def test_a_command_that_fails_is_told_and_gives_no_figures(schedrig: Run) -> None:
    done = stat(schedrig, *EVENTS, "-r", "2", "sh", "-c", "exit 3")
    assert done.returncode == 4
    assert "no valid run" in done.stderr
    assert "the command exited with status 3" in done.stderr
    assert "seconds elapsed" not in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "no command"),
        (("--repeat", "0", "true"), "--repeat: '0'"),
        (("-e", "no-such-event", "true"), "no-such-event"),
        (("--bandwidth", "7/7", "true"), "7"),
        (("/no/such/program",), "/no/such/program"),
        (("--frobnicate", "true"), "--frobnicate"),
    ],
)
def test_bad_input_is_named_and_nothing_starts(
    schedrig: Run, store: pathlib.Path, words: tuple[str, ...], said: str
) -> None:
    done = stat(schedrig, *words)
    assert done.returncode in {2, 4}
    assert said in done.stderr
    assert not store.exists()


def test_the_report_can_go_to_a_file(schedrig: Run, tmp_path: pathlib.Path) -> None:
    report = tmp_path / "report.txt"
    done = stat(schedrig, *EVENTS, "-o", str(report), "true")
    assert "page-faults" not in done.stderr
    assert "page-faults" in report.read_text()
    missing = stat(schedrig, *EVENTS, "-o", str(tmp_path / "no" / "report"), "true")
    assert missing.returncode == 4
    assert "no/report" in missing.stderr


def test_ctrl_c_keeps_what_was_measured(store: pathlib.Path) -> None:
    environment = os.environ | {"SCHEDRIG_STORE": str(store), "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        [os.environ["SCHEDRIG_PROGRAM"], "stat", "--allow-debug", *EVENTS, "-r", "100000", "true"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not trials_in(store):
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert f"mean of {trials_in(store)} runs" in errors


def trials_in(store: pathlib.Path) -> int:
    if not store.exists():
        return 0
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=10)
    try:
        return int(connection.execute("SELECT count(*) FROM trial").fetchone()[0])
    except sqlite3.OperationalError:  # its tables are being made
        return 0
    finally:
        connection.close()
