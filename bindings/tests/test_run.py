import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import schedrig

# Hours, unless something ends it.
ENDLESS = schedrig.Plan("pipe-ping-pong loops=1000000000", countings="off", repeat=1, warm_up=0)
TINY = schedrig.Plan("pipe-ping-pong loops=10", countings="off", repeat=2, warm_up=1, seed=1)


def children(process: int) -> list[int]:
    return [
        int(child)
        for task in Path(f"/proc/{process}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]


def wait_until(condition: Callable[[], object]) -> None:
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise TimeoutError("nothing happened for half a minute")


def ending_of_latest(path: str) -> str:
    return schedrig.Store(path).runs[-1].record.ending


@pytest.fixture
def interrupt_once_a_trial_runs() -> Iterator[None]:
    """Sends SIGINT to this process as soon as it has a child. That this thread finds out at all
    shows that the run has let go of the GIL."""

    over = threading.Event()

    def interrupt() -> None:
        wait_until(lambda: children(os.getpid()) or over.is_set())
        if not over.is_set():
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    thread.start()
    yield
    over.set()
    thread.join()
    signal.signal(signal.SIGINT, before)


def test_progress_tells_each_trial_once_it_is_in_the_store() -> None:
    heard: list[schedrig.Progress] = []
    stored: list[int] = []

    def listen(progress: schedrig.Progress) -> None:
        heard.append(progress)
        stored.append(len(schedrig.Store("runs.db").trials(progress.run)))

    outcome = schedrig.run(TINY, "runs.db", listen, allow_debug=True)
    assert [(progress.done, progress.total) for progress in heard] == [(1, 3), (2, 3), (3, 3)]
    assert stored == [1, 2, 3]
    assert [progress.trial.purpose for progress in heard] == ["warm_up", "measured", "measured"]
    assert heard[-1].left == timedelta(0)
    assert outcome.ending == "finished"
    assert outcome.trials.warm_up == 1
    assert outcome.without_result == []


def test_the_store_holds_what_progress_told() -> None:
    heard: list[schedrig.TrialRecord] = []
    outcome = schedrig.run(
        TINY, "runs.db", lambda progress: heard.append(progress.trial), allow_debug=True
    )
    stored = schedrig.Store("runs.db").trials(outcome.run)
    assert [trial.record for trial in stored] == heard
    assert [trial.run for trial in stored] == [outcome.run] * 3


@pytest.mark.usefixtures("interrupt_once_a_trial_runs")
def test_ctrl_c_ends_the_run_cleanly() -> None:
    with pytest.raises(KeyboardInterrupt):
        schedrig.run(ENDLESS, "runs.db", allow_debug=True)
    assert ending_of_latest("runs.db") == "interrupted"
    assert children(os.getpid()) == []


@pytest.mark.usefixtures("interrupt_once_a_trial_runs")
def test_a_run_is_possible_after_ctrl_c() -> None:
    with pytest.raises(KeyboardInterrupt):
        schedrig.run(ENDLESS, "runs.db", allow_debug=True)
    assert schedrig.run(TINY, "runs.db", allow_debug=True).ending == "finished"


def test_what_progress_raises_ends_the_run_cleanly() -> None:
    class Enough(Exception):
        pass

    def stop(progress: schedrig.Progress) -> None:
        raise Enough(progress.done)

    with pytest.raises(Enough) as raised:
        schedrig.run(TINY, "runs.db", stop, allow_debug=True)
    assert raised.value.args == (1,)
    assert ending_of_latest("runs.db") == "interrupted"
    assert len(schedrig.Store("runs.db").trials(1)) == 1


def test_what_a_signal_handler_raises_ends_the_run_cleanly() -> None:
    def leave(number: int, frame: object) -> None:
        raise SystemExit(number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        with pytest.raises(SystemExit):
            schedrig.run(
                TINY,
                "runs.db",
                lambda progress: signal.raise_signal(signal.SIGTERM),
                allow_debug=True,
            )
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ending_of_latest("runs.db") == "interrupted"


def test_other_threads_go_on_while_trials_run() -> None:
    outcomes: list[schedrig.Outcome] = []
    thread = threading.Thread(
        target=lambda: outcomes.append(schedrig.run(TINY, "runs.db", allow_debug=True))
    )
    thread.start()
    thread.join()
    assert [outcome.ending for outcome in outcomes] == ["finished"]


def test_two_runs_at_once_are_refused() -> None:
    refusals: list[schedrig.Unavailable] = []

    def run_another(progress: schedrig.Progress) -> None:
        with pytest.raises(schedrig.Unavailable) as refusal:
            schedrig.run(TINY, "others.db", allow_debug=True)
        refusals.append(refusal.value)

    schedrig.run(TINY, "runs.db", run_another, allow_debug=True)
    assert len(refusals) == 3
    assert refusals[0].remedy
    assert str(refusals[0]).startswith(refusals[0].why)


def test_only_a_release_build_measures_unasked() -> None:
    if schedrig.build_info().may_measure:
        assert schedrig.run(TINY, "runs.db").marks == []
    else:
        with pytest.raises(schedrig.Unavailable, match="only a release build may measure"):
            schedrig.run(TINY, "runs.db")
        assert not Path("runs.db").exists()
        assert schedrig.run(TINY, "runs.db", allow_debug=True).marks != []


def test_a_cpu_that_is_not_allowed_is_refused_before_anything_is_stored() -> None:
    plan = schedrig.Plan("empty", placements="8191", countings="off")
    with pytest.raises(schedrig.BadInput, match="8191"):
        schedrig.run(plan, "runs.db", allow_debug=True)
    assert not Path("runs.db").exists()


def test_progress_must_be_callable() -> None:
    with pytest.raises(TypeError):
        schedrig.run(TINY, "runs.db", "loudly", allow_debug=True)  # type: ignore[arg-type]


@pytest.fixture
def run_in_a_group(groups: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Another Python in the middle of a trial in a limited group, and what its groups match."""
    program = """
import signal, schedrig
plan = schedrig.Plan(
    "pipe-ping-pong loops=1000000000", bandwidths="20000/100000", countings="off", warm_up=0
)
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    schedrig.run(plan, "runs.db", allow_debug=True)
except KeyboardInterrupt:
    print("interrupted")
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        own_groups = f"schedrig-{process.pid}-*"
        in_a_trial = own_groups + "/*/cgroup.procs"
        wait_until(lambda: any(group.read_text() for group in groups.glob(in_a_trial)))
        yield process, own_groups
        process.kill()


@pytest.mark.hardware
def test_ctrl_c_leaves_no_group(
    groups: Path, run_in_a_group: tuple[subprocess.Popen[bytes], str]
) -> None:
    process, own_groups = run_in_a_group
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    assert (process.returncode, output) == (0, b"interrupted\n")
    assert list(groups.glob(own_groups)) == []
    assert ending_of_latest("runs.db") == "interrupted"


@pytest.mark.hardware
def test_what_a_killed_run_left_goes_at_the_next_run_with_a_warning(
    groups: Path, run_in_a_group: tuple[subprocess.Popen[bytes], str]
) -> None:
    process, own_groups = run_in_a_group
    process.kill()
    process.wait()
    assert list(groups.glob(own_groups)) != []
    with pytest.warns(RuntimeWarning, match=f"schedrig-{process.pid}-.* left by a run that died"):
        schedrig.run(TINY, "runs.db", allow_debug=True)
    assert list(groups.glob(own_groups)) == []
    assert [run.record.ending for run in schedrig.Store("runs.db").runs] == [
        "unfinished",
        "finished",
    ]


@pytest.mark.hardware
@pytest.mark.usefixtures("groups")
def test_a_limit_is_in_the_readings() -> None:
    plan = schedrig.Plan(
        "pipe-ping-pong loops=10", bandwidths=["none", "50000/100000"], countings="off", repeat=2
    )
    outcome = schedrig.run(plan, "runs.db", allow_debug=True)
    assert outcome.trials.valid == 4
    (comparison,) = schedrig.compare(schedrig.Store("runs.db"))
    unlimited, limited = comparison.rows
    assert unlimited.throttle is None
    assert limited.throttle is not None
    assert limited.throttle.allowed_cpus == 0.5
