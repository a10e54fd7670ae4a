"""What the tests of the program share: the program, a store of one's own, a plain environment."""

import os
import pathlib
import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def store(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "test.db"


@pytest.fixture
def schedrig(store: pathlib.Path) -> Run:
    """Runs the program on the test's own store; gives back its output and status."""
    environment = os.environ | {"SCHEDRIG_STORE": str(store), "COLUMNS": "80", "LC_ALL": "C.UTF-8"}

    def run(*arguments: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
        program = os.environ["SCHEDRIG_PROGRAM"]
        return subprocess.run(
            [program, *arguments],
            env=environment,
            text=True,
            timeout=timeout,
            capture_output=True,
            stdin=subprocess.DEVNULL,
        )

    return run
