"""The UnixBench set as one experiment, shortened as far as it goes: it takes some 13 s."""

import re

from conftest import Run


def test_a_shortened_set_has_its_tables_and_says_so(schedrig: Run) -> None:
    options = ("--placement", "all", "--counting", "off", "--repeat", "3", "--allow-debug")
    set_of_one = ("--workload", "unixbench copies=1 seconds=1 passes=1")
    done = schedrig("run", *set_of_one, "--workload", "empty", "--warm-up", "0", *options)
    assert done.returncode == 0, done.stderr
    assert "15 valid, 0 invalid, 0 failed, 0 warm-up trials" in done.stdout

    # The tests have had their only pass: nothing but the other workload is in the later blocks.
    trials = schedrig("list", "trials").stdout
    later = re.findall(r"block [12]\.0 (\S+)", trials)
    assert later == ["empty", "empty"]
    assert "block 1.1" not in trials

    compared = schedrig("compare", "--width", "120")
    assert compared.returncode == 0
    assert compared.stdout.startswith("UnixBench, 1 copy of each test, all (CPU")
    assert re.search(
        r"^Process Creation +[\d,.]+ lps +[\d,.]+ +[\d,.]+ \(-\) +1$", compared.stdout, re.M
    )
    assert re.search(r"^total +[\d,.]+ +[\d,.]+ \(-\)$", compared.stdout, re.M)
    assert "no UnixBench result: shortened" in compared.stdout
    assert "\nempty, all (CPU" in compared.stdout
    assert "fork-loop" not in compared.stdout

    tables = schedrig("compare", "--metrics", "wall_time").stdout
    assert "fork-loop" in tables and "UnixBench" not in tables
