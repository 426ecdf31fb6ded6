"""Passwords that anybody would try here first, and the lines of the log that a sign-in leaves (OWASP ASVS 5.0)."""

import hashlib
import logging
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client

from tests.factories.worlds import make_user

PASSWORD = "correct horse staple"


@pytest.mark.parametrize(
    "password", ["Trust-2026!", "audit4AUDIT", "my_trust_ledger9", "password2026!!", "T-r-u-s-t-1-2"]
)
def test_a_password_of_words_of_this_site_is_refused(password: str) -> None:
    with pytest.raises(ValidationError, match="anybody would try here first"):
        validate_password(password)


@pytest.mark.parametrize("password", ["trust-the-steps", "mistrustful goose", "84736251-xk", PASSWORD])
def test_other_words_beside_them_are_enough(password: str) -> None:
    validate_password(password)


@pytest.fixture
def breached(tmp_path: Path, settings: Any) -> list[str]:
    """A thousand passwords in the file of breached ones."""
    passwords = [f"stolen goose {number}" for number in range(1000)]
    digests = sorted(hashlib.sha1(password.encode()).hexdigest().upper() for password in passwords)
    file = tmp_path / "breached.txt"
    file.write_text("".join(f"{digest}:{number * number}\r\n" for number, digest in enumerate(digests)))
    settings.TRUST_BREACHED_PASSWORDS = str(file)
    return passwords


def test_every_password_of_the_file_is_refused_and_no_other(breached: list[str]) -> None:
    for password in breached:
        with pytest.raises(ValidationError, match="stolen from another site"):
            validate_password(password)
    for number in range(1000):
        validate_password(f"kept goose {number}")


@pytest.mark.django_db
def test_a_breached_password_is_refused_where_a_person_sets_one(breached: list[str]) -> None:
    user, client = make_user("maria@example.org", "reviewer"), Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    new = {"oldpassword": "correct horse battery", "password1": breached[7], "password2": breached[7]}
    assert "stolen from another site" in client.post("/accounts/password/change/", new).content.decode()
    user.refresh_from_db()
    assert user.check_password("correct horse battery")


@pytest.mark.django_db
def test_sign_ins_and_their_failures_are_lines_of_the_log_that_name_nobody(caplog: pytest.LogCaptureFixture) -> None:
    user = make_user("maria@example.org", "reviewer")
    user.set_password(PASSWORD)
    user.save()
    with caplog.at_level(logging.INFO, "accounts.adapter"):
        for password in ("wrong", PASSWORD):
            Client().post("/accounts/login/", {"login": user.email, "password": password})
    assert [line.message for line in caplog.records] == ["A sign-in failed.", "Somebody signed in."]
    assert "maria" not in caplog.text
