"""A new master key: everything opens before, while and after; nothing erased comes back."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from hdag.models import Block, Endpoint
from hdag.services.endpoint_keys import SealedKey, wrap_key
from hdag.store import content
from tests.factories.models import make_endpoint
from tests.factories.worlds import TRACE, make_world

pytestmark = pytest.mark.django_db
NEW = b"n" * 32


def give_new_key(settings: Any) -> bytes:
    old = bytes(settings.CONTENT_MASTER_KEY)
    settings.CONTENT_MASTER_KEY, settings.CONTENT_MASTER_KEYS_BEFORE = NEW, [old]
    return old


def test_everything_opens_while_the_old_key_is_given_and_after_it_is_gone(settings: Any, capsys: Any) -> None:
    world = make_world(reviewers=1)
    trace = world.submit(TRACE).trace
    long, gone = content.store(["x" * 300_000, "erased"])
    content.erase([gone])
    endpoint = make_endpoint("http://127.0.0.1:9/v1", wrapped_key=wrap_key(key="sk-secret"))
    give_new_key(settings)
    assert content.read(long) == "x" * 300_000
    assert world.submit(TRACE).trace_id == trace.pk  # the same text is found under its old digest
    call_command("rotate_master_key")
    settings.CONTENT_MASTER_KEYS_BEFORE = []
    assert content.read(Block.objects.get(pk=long.pk)) == "x" * 300_000
    assert SealedKey(bytes(Endpoint.objects.get(pk=endpoint.pk).wrapped_key or b"")).get_key() == "sk-secret"
    assert world.submit(TRACE).trace_id == trace.pk
    with pytest.raises(content.ContentGoneError):
        content.read(Block.objects.get(pk=gone.pk))
    assert "Nothing is left" in capsys.readouterr().out
    call_command("rotate_master_key")
    assert " 0 made anew" in capsys.readouterr().out


def test_a_trace_handed_in_again_while_the_old_key_was_forgotten_stops_no_rotation(settings: Any, capsys: Any) -> None:
    world = make_world(reviewers=1)
    first = world.submit(TRACE).trace
    old = give_new_key(settings)
    settings.CONTENT_MASTER_KEYS_BEFORE = []  # somebody forgot it: the same text is not recognised
    second = world.submit(TRACE).trace
    assert second.pk != first.pk
    settings.CONTENT_MASTER_KEYS_BEFORE = [old]
    call_command("rotate_master_key")
    settings.CONTENT_MASTER_KEYS_BEFORE = []
    first.refresh_from_db()
    second.refresh_from_db()
    assert bytes(first.digest) == bytes(second.digest)
    assert (first.copy, second.copy) == (1, 0)
    assert world.submit(TRACE).trace_id in (first.pk, second.pk)
    assert "digests of traces: 2 looked at, 1 made anew, 0 could not" in capsys.readouterr().out


def test_a_key_that_nobody_gave_is_an_error_and_nothing_is_changed(settings: Any) -> None:
    block = content.store_one("text")
    old = give_new_key(settings)
    settings.CONTENT_MASTER_KEYS_BEFORE = []
    with pytest.raises(content.ContentDamagedError, match="master key"):
        content.read(block)
    with pytest.raises(CommandError, match="do not destroy"):
        call_command("rotate_master_key")
    settings.CONTENT_MASTER_KEY = old
    assert content.read(Block.objects.get(pk=block.pk)) == "text"
