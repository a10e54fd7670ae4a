"""What the tests and the docstrings' examples stand on: a folder of their own, and a store."""

import os
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

try:
    import schedrig
except ImportError as error:
    raise pytest.UsageError(
        f"{error}; build it first, then set PYTHONPATH=build/PRESET/python"
    ) from error

NOTHING_COULD_RUN = 77


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Tests that were all skipped have shown nothing: ctest is told so."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == pytest.ExitCode.OK and not reporter.stats.get("passed"):
        session.exitstatus = NOTHING_COULD_RUN


@pytest.fixture(scope="session")
def example_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one run of two cells: one trial of each to warm up, and three that count."""
    path = tmp_path_factory.mktemp("store") / "example.db"
    plan = schedrig.Plan("pipe-ping-pong loops=10,20", countings="off", repeat=3, warm_up=1)
    with warnings.catch_warnings():  # what a killed run left before us is not these tests' matter
        warnings.filterwarnings("ignore", message=".* left by a run that died")
        schedrig.run(plan, path, allow_debug=True)
    return path


@pytest.fixture(autouse=True)
def own_folder(
    tmp_path: Path, example_store: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Every test and example runs in an empty folder with a copy of the example store."""
    shutil.copy(example_store, tmp_path)
    monkeypatch.chdir(tmp_path)
    yield


@pytest.fixture(autouse=True)
def names_of_examples(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace["schedrig"] = schedrig


@pytest.fixture
def groups() -> Path:
    """The control group below which groups are made here."""
    machine = schedrig.machine()
    if machine.groups is not None:
        return machine.groups
    (reason,) = [
        finding.sentence for finding in machine.findings if finding.what == "control groups"
    ]
    if os.environ.get("SCHEDRIG_REQUIRE_HARDWARE") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
