"""Examples that were all skipped have shown nothing: ctest is told so."""

import pytest

NOTHING_COULD_RUN = 77


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == pytest.ExitCode.OK and not reporter.stats.get("passed"):
        session.exitstatus = NOTHING_COULD_RUN
