"""Passwords that anybody would try here first, and the lines of the log that a sign-in leaves (OWASP ASVS 5.0)."""

import logging

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
