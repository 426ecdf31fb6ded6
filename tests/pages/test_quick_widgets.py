"""Widgets that we draw in one go are what Django would draw."""

import re

import pytest
from django import forms
from django.test.html import parse_html

from accounts.forms import ProfileForm, QuickInput, QuickSelect, time_zones
from auditing.core.policy import DEFAULT
from auditing.research.policy_lab.views.forms import PolicyForm
from auditing.research.templatetags.policy import in_a_cell

CHOICES = [("", "<none>"), ("Europe/Bern", "Europe & Bern"), (3, "three"), ('x"y', "quotes")]


def drawn(widget, value, attrs):
    """As a browser reads it, whatever the order of attributes."""
    return parse_html(str(widget.render("zone", value, attrs)))


@pytest.mark.parametrize("value", ["", "Europe/Bern", 3, "3", None, 'x"y', "nowhere"])
@pytest.mark.parametrize("attrs", [None, {"id": "id_zone", "aria-invalid": "true", "required": True, "hidden": False}])
def test_a_long_list_is_drawn_as_django_draws_it(value, attrs):
    ours, theirs = (kind(attrs={"class": "wide"}, choices=CHOICES) for kind in (QuickSelect, forms.Select))
    assert drawn(ours, value, attrs) == drawn(theirs, value, attrs)


@pytest.mark.parametrize("value", ["", "7/10", 'a "b" <c>', 5, None])
@pytest.mark.parametrize("attrs", [None, {"id": "id_x", "maxlength": "40", "required": True, "aria-describedby": "x"}])
def test_a_line_is_drawn_as_django_draws_it(value, attrs):
    ours, theirs = (kind(attrs={"inputmode": "decimal"}) for kind in (QuickInput, forms.TextInput))
    assert drawn(ours, value, attrs) == drawn(theirs, value, attrs)


def test_the_profile_offers_the_clocks_of_places_only():
    page = str(ProfileForm(initial={"time_zone": "Asia/Tokyo"})["time_zone"])
    assert re.findall(r'<option value="([^"]*)" selected>', page) == ["Asia/Tokyo"]
    assert page.count("<option") == len(time_zones()) > 300
    assert "Etc/GMT+3" not in page


def test_a_field_in_a_cell_has_its_label_and_what_is_wrong_with_it():
    form = PolicyForm({"computer.k": "many", "name": "x"}, base=DEFAULT)
    form.add_error("computer.k", "Must be a <number>.")
    cell = in_a_cell(form["computer.k"])
    assert '<label class="visually-hidden" for="id_computer.k">' in cell
    assert 'value="many"' in cell
    assert '<div class="error" id="id_computer.k_error">Must be a &lt;number&gt;.</div>' in cell
