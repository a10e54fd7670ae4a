"""Whether tasks were treated alike is printed below the table, for those that are told apart."""

import re
import subprocess

import pytest
from conftest import Run


def measured(schedrig: Run, *words: str) -> subprocess.CompletedProcess[str]:
    done = schedrig(
        *("run", *words, "--counting", "off", "--repeat", "1", "--warm-up", "0", "--allow-debug")
    )
    if "1 valid" not in done.stdout:
        pytest.skip(f"the machine let the trial not be valid: {done.stdout}{done.stderr}")
    return done


def test_the_rounds_of_each_task_are_judged_for_fairness(schedrig: Run) -> None:
    measured(schedrig, "massive-intr", "tasks=4", "seconds=1", "work_us=1000", "--placement", "all")
    table = schedrig("compare").stdout
    assert "\nfairness: rounds of each task\n" in table
    row = re.search(r"^no group +4 +[\d.]+ +[\d.]+ +[\d.]+ +\d+ +[\d.]+ +\d+$", table, re.M)
    assert row, table
    modes = re.search(r"^modes:\n((?:no group: .*\n)(?:  .*\n)*)", table, re.M)
    assert modes, table
    assert sum(map(int, re.findall(r"\((\d+) tasks?, (?:\d+ on )?CPUs? \d", modes[1]))) == 4, table
    assert max(map(len, table.splitlines())) <= 80


def test_fairness_is_left_out_or_alone_as_metrics_says(schedrig: Run) -> None:
    measured(schedrig, "massive-intr", "tasks=1", "seconds=1")
    alone = schedrig("compare", "--metrics", "rounds").stdout
    assert "CPU time" not in alone
    assert "no group: a single task shares with nobody" in alone
    assert "fairness" not in schedrig("compare", "--metrics", "cpu_time").stdout
    assert "fairness" in schedrig("compare", "--metrics", "all").stdout
    refused = schedrig("compare", "--metrics", "round")
    assert refused.returncode == 2
    assert "rounds" in refused.stderr


def test_tasks_that_are_not_told_apart_have_no_fairness(schedrig: Run) -> None:
    measured(schedrig, "pipe-ping-pong", "loops=100")
    assert "fairness" not in schedrig("compare", "--metrics", "all").stdout
