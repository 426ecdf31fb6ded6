"""A value may stand in a file: NAME_FILE is its path, for switches, numbers and whatever `manage.py serve` reads."""

import pytest

from trustweb import env
from trustweb.serve.embedded import Services
from trustweb.serve.system import Machine


@pytest.fixture
def given(tmp_path, monkeypatch):
    """Say in the environment that the value of a name stands in a file."""

    def give(name, value):
        path = tmp_path / name.lower()
        path.write_text(f"{value}\n")
        monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv(f"{name}_FILE", str(path))

    monkeypatch.setenv("TRUST_RUN_DIR", str(tmp_path))
    return give


@pytest.mark.parametrize(("word", "default", "is_on"), [("1", False, True), ("0", True, False)])
def test_a_switch_is_read_from_its_file(given, word, default, is_on):
    given("TRUST_BEHIND_PROXY", word)
    assert env.is_on("TRUST_BEHIND_PROXY", default=default) is is_on


def test_an_empty_switch_is_off_whatever_its_default_and_its_file(given, monkeypatch):
    given("ERASURE_NEEDS_ADMIN", "1")
    monkeypatch.setenv("ERASURE_NEEDS_ADMIN", "")
    assert env.is_on("ERASURE_NEEDS_ADMIN", default=True) is False


def test_serve_starts_no_database_of_its_own_where_a_file_names_one(given, tmp_path):
    given("DATABASE_URL", "postgres://trust_app:x@db/trust")
    given("DATABASE_OWNER_URL", "postgres://trust:x@db/trust")
    given("REDIS_URL", "redis://:x@redis/0")
    services = Services(tmp_path)
    assert (services.database_url, services.redis_url) == ("postgres://trust_app:x@db/trust", "redis://:x@redis/0")
    assert services.role_urls["DATABASE_OWNER_URL"] == "postgres://trust:x@db/trust"


def test_serve_asks_the_witnesses_that_a_file_names(given):
    given("WITNESSES", "https://witness.example")
    machine = Machine(host="127.0.0.1", port=8000, empty=True, say=lambda sentence: None)
    try:
        assert machine._start_witness() == "https://witness.example"
    finally:
        machine.supervisor.stop()  # of one of our own, where the file was not read
        machine.parent.stop()
