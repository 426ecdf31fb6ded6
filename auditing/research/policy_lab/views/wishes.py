"""What somebody wants of a policy: two error rates, for reviewers of an accuracy and traces of a length."""

from decimal import Decimal

from django import forms

from accounts.forms import DecimalNumberField, WholeNumberField


class WishForm(forms.Form):
    """The input of a recommendation."""

    segments = WholeNumberField(label="Segments that people judge", min_value=1, max_value=64, initial=8)
    accuracy = DecimalNumberField(
        label="Share of right votes",
        min_value=Decimal("0.51"),
        max_value=Decimal("0.99"),
        decimal_places=2,
        initial=Decimal("0.83"),
    )
    not_passed = DecimalNumberField(
        label="Right traces not passed, at most",
        min_value=Decimal("0.01"),
        max_value=Decimal("0.5"),
        decimal_places=2,
        initial=Decimal("0.05"),
    )
    passed = DecimalNumberField(
        label="Wrong traces passed, at most",
        min_value=Decimal("0.01"),
        max_value=Decimal("0.5"),
        decimal_places=2,
        initial=Decimal("0.05"),
    )
