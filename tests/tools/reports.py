"""What a test process tells the one that prints: the outcome of each test, and everything of one that did not pass.

xdist sends five messages a test, each pickled, read and handed to every plugin: a fifth of the work of a test that does
nothing. Beginning and end of a test and its passed set-up are shown nowhere but in the listings that are asked for by
`-v`, `-rA`, `--durations` or `--junitxml`; then all is sent. Loaded by `-p` in pyproject.toml.
"""

from collections.abc import Callable
from typing import Any

import pytest

_UNSEEN = {"logstart", "logfinish"}


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Put a sieve before what xdist's worker sends."""
    if lists_everything(session.config):
        return
    for plugin in session.config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            plugin.sendevent = sieve(plugin.sendevent)


def lists_everything(config: pytest.Config) -> bool:
    """Whether somebody wants to read more of a passed test than its dot."""
    option = config.option
    listed = {*"pPA"} & {*(option.reportchars or "")}
    return bool(listed or option.verbose > 0 or option.durations is not None or option.xmlpath)


def sieve(send: Callable[..., None]) -> Callable[..., None]:
    """`send`, called with what is seen only."""

    def send_seen(name: str, **told: Any) -> None:
        report = told.get("data", {}) if name == "testreport" else {}
        if name in _UNSEEN or (report.get("outcome") == "passed" and report.get("when") != "call"):
            return
        if report.get("outcome") == "passed":
            report |= {"sections": [], "keywords": {}}
        send(name, **told)

    return send_seen
