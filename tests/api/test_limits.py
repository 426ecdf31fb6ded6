"""How many requests the API answers a minute: counted by Redis, for everybody who asks at once."""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.cache import cache
from django.urls import get_resolver
from rest_framework.views import APIView

from accounts.api import throttles

pytestmark = pytest.mark.django_db


def turns(times: list[float], most: int = 3) -> list[float | None]:
    return [cache.take_turn("somebody", most=most, seconds=60, now=now) for now in times]  # type: ignore[attr-defined]


def test_the_fourth_request_of_three_waits_until_the_first_is_a_minute_old() -> None:
    assert turns([100.0, 110.0, 120.0, 130.0]) == [None, None, None, 30.0]


def test_a_refused_request_counts_for_nothing() -> None:
    turns([100.0, 110.0, 120.0, 159.0, 159.5])
    assert turns([160.0, 161.0]) == [None, 9.0]


def test_the_window_slides() -> None:
    assert turns([100.0, 159.0, 159.5, 160.0, 160.5]) == [None, None, None, None, 58.5]


def test_requests_that_come_at_once_are_all_counted() -> None:
    with ThreadPoolExecutor(8) as hands:
        answers = list(hands.map(lambda _: turns([100.0], most=5)[0], range(40)))
    assert answers.count(None) == 5


def test_who_guessed_too_often_waits_and_is_not_counted() -> None:
    cache.set("misses", 6, 60)
    answers = [cache.take_turn("one", most=1, seconds=60, now=100.0, guesses={"misses": most}) for most in (6, 7, 7)]  # type: ignore[attr-defined]
    assert answers == [math.inf, None, 60.0]


def api_views() -> list[type[APIView]]:
    patterns, views = [get_resolver()], []
    while patterns:
        pattern: Any = patterns.pop()
        patterns += getattr(pattern, "url_patterns", [])
        views += [pattern.callback.cls] if hasattr(getattr(pattern, "callback", None), "cls") else []
    return views


def test_every_address_of_the_api_is_limited_by_our_own_counts() -> None:
    ours = {throttles.AnonRateThrottle, throttles.UserRateThrottle, throttles.ScopedRateThrottle}
    views = api_views()
    assert len(views) > 15
    assert {
        view.__name__ for view in views if not view.throttle_classes or not set(view.throttle_classes) <= ours
    } == set()
