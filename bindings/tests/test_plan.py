from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import schedrig

GRID = """\
placement = ["same-cpu", "all"]
bandwidth = ["none", "20000/100000"]
counting = ["cpu", "off"]
events = ["cycles,instructions"]
repeat = 3
warm_up = 0
seed = 18446744073709551615
deadline_s = 30
label = "a \\"base\\""

[[workload]]
name = "pipe-ping-pong"
loops = [10, 20]
tasks = ["threads"]
"""


def grid(**changed: Any) -> schedrig.Plan:
    arguments: dict[str, Any] = {
        "workloads": ["pipe-ping-pong loops=10,20 tasks=threads"],
        "placements": ["same-cpu", "all"],
        "bandwidths": ["none", "20000/100000"],
        "countings": ["cpu", "off"],
        "events": ["cycles,instructions"],
        "repeat": 3,
        "warm_up": 0,
        "seed": 2**64 - 1,
        "deadline": 30,
        "label": 'a "base"',
        **changed,
    }
    return schedrig.Plan(**arguments)


def test_arguments_write_the_canonical_text() -> None:
    assert grid(seed=7).toml() == GRID.replace("18446744073709551615", "7")


def test_the_text_makes_the_same_plan_again() -> None:
    plan = grid(seed=7)
    again = schedrig.Plan.from_toml(plan.toml())
    assert again == plan
    assert hash(again) == hash(plan)
    assert again.digest == plan.digest
    assert len(plan.digest) == 64
    assert plan != grid(seed=8)
    assert plan != object()


def test_a_file_makes_the_same_plan_as_its_text() -> None:
    text = GRID.replace("18446744073709551615", "7")
    Path("plan.toml").write_text(text)
    assert schedrig.Plan.from_file("plan.toml") == schedrig.Plan.from_toml(text)
    assert schedrig.Plan.from_file(Path("plan.toml")) == schedrig.Plan.from_toml(text)


def test_a_plan_tells_its_parts() -> None:
    plan = grid()
    assert plan.placements == ["same-cpu", "all"]
    assert plan.bandwidths == ["none", "20000/100000"]
    assert (plan.repeat, plan.warm_up, plan.seed) == (3, 0, 2**64 - 1)
    assert plan.deadline == timedelta(seconds=30)
    assert plan.label == 'a "base"'


def test_cells_are_the_product_with_bandwidth_turning_fastest() -> None:
    cells = grid().cells()
    assert len(cells) == 2 * 2 * 2 * 2
    assert [cell.bandwidth for cell in cells[:4]] == ["none", "20000/100000"] * 2
    assert cells[0].parameters == "loops=10 tasks=threads"
    assert {cell.pass_ for cell in cells if cell.counting == "off"} == {""}


def test_auto_comes_to_what_this_machine_counts_by() -> None:
    assert [cell.counting for cell in schedrig.Plan("empty").cells()] == [
        schedrig.machine().counting
    ]


@pytest.mark.parametrize("deadline", [90, 90.0, timedelta(minutes=1, seconds=30)])
def test_a_deadline_is_a_number_of_seconds_or_a_timedelta(deadline: float | timedelta) -> None:
    assert schedrig.Plan("empty", deadline=deadline).deadline == timedelta(seconds=90)


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"workloads": "pipe-ping-bong"}, "did you mean 'pipe-ping-pong'"),
        ({"workloads": []}, "a workload is missing"),
        ({"workloads": "empty loops=1"}, "loops"),
        ({"workloads": "pipe-ping-pong loops=0"}, "1 to"),
        ({"placements": "smt-pear"}, "did you mean 'smt-pair'"),
        ({"bandwidths": "999/100000"}, "999"),
        ({"countings": ["cpus"]}, "auto, cpu, task, cgroup, system, off"),
        ({"events": "cycels"}, "cycles"),
        ({"repeat": 0}, "repeat: '0' is out of range; allowed is 1 to 1000000"),
        ({"repeat": -1}, "repeat: '-1' is out of range"),
        ({"repeat": 10**30}, "is out of range; allowed is 1 to 1000000"),
        ({"warm_up": 1001}, "0 to 1000"),
        ({"seed": 2**64}, "seed"),
        ({"deadline": 0}, "1 to 86400"),
        ({"deadline": 1.5}, "whole seconds"),
        ({"deadline": float("nan")}, "whole seconds"),
        ({"deadline": timedelta(days=2)}, "whole seconds, 1 to 86400"),
    ],
)
def test_refuses_what_cannot_be_meant(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(schedrig.BadInput) as refusal:
        grid(**wrong)
    assert message in str(refusal.value)
    assert isinstance(refusal.value, ValueError)


@pytest.mark.parametrize("wrong", [{"repeat": "3"}, {"repeat": 1.5}, {"deadline": "1"}])
def test_refuses_what_is_of_another_type(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        grid(**wrong)


def test_a_wrong_text_is_refused_with_its_line_and_column() -> None:
    Path("plan.toml").write_text('repeat = 3\nlable = "x"\n')
    with pytest.raises(schedrig.BadInput, match=r"plan\.toml:2:1: .*did you mean 'label'"):
        schedrig.Plan.from_file("plan.toml")
    with pytest.raises(schedrig.BadInput, match=r"^here:1:10: "):
        schedrig.Plan.from_toml("repeat = 0", name="here")


def test_a_file_that_is_not_there_keeps_errno_and_path() -> None:
    with pytest.raises(FileNotFoundError) as refusal:
        schedrig.Plan.from_file("nowhere.toml")
    assert refusal.value.filename == "nowhere.toml"
