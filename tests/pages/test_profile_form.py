"""The profile's long list of clocks is drawn by us in one go: it must be what Django would draw."""

import re

import pytest
from django import forms
from django.test.html import parse_html

from accounts.forms import LongSelect, ProfileForm, time_zones

CHOICES = [("", "<none>"), ("Europe/Bern", "Europe & Bern"), (3, "three"), ('x"y', "quotes")]


def drawn(widget, value, attrs):
    """As a browser reads it, whatever the order of attributes."""
    return parse_html(str(widget.render("zone", value, attrs)))


@pytest.mark.parametrize("value", ["", "Europe/Bern", 3, "3", None, 'x"y', "nowhere"])
@pytest.mark.parametrize("attrs", [None, {"id": "id_zone", "aria-invalid": "true", "required": True, "hidden": False}])
def test_a_long_list_is_drawn_as_django_draws_it(value, attrs):
    ours, theirs = (kind(attrs={"class": "wide"}, choices=CHOICES) for kind in (LongSelect, forms.Select))
    assert drawn(ours, value, attrs) == drawn(theirs, value, attrs)


def test_the_profile_offers_the_clocks_of_places_only():
    page = str(ProfileForm(initial={"time_zone": "Asia/Tokyo"})["time_zone"])
    assert re.findall(r'<option value="([^"]*)" selected>', page) == ["Asia/Tokyo"]
    assert page.count("<option") == len(time_zones()) > 300
    assert "Etc/GMT+3" not in page
