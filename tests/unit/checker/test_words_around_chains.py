"""Words that suppose something leave a chain of rewritings alone; "let's multiply" and "given by" suppose nothing."""

import pytest

from tests.unit.checker.readings import is_refuted

SUPPOSED = (
    r"Given that the sum of x and y is 2, we have \[ S = x^2 + y^2 = (x+y)^2 - 2xy = 4 - 2xy \]",
    r"Let's use that the sum of x and y is 2: \[ S = x^2 + y^2 = (x+y)^2 - 2xy = 4 - 2xy \]",
    r"Let $x + y = 2$. Then \[ S = x^2 + y^2 = (x+y)^2 - 2xy = 4 - 2xy \]",
    r"The curve given by $y^2 = x^3$ has \[ S = y^2 + x = x^3 + x = x(x^2+1) \]",
    r"Let's multiply: \[ P = (x + 2)(x - 3) = x^2 - x - 6 \]",
    r"The area is given by \[ A = 2x(3 + x) = 6x + 2x^2 = 2x^2 + 6x \]",
)
FALSE = (
    r"First, let's multiply the numbers: \[ P = (5 - 8i)(30 + 48i) = 150 + 384 + 240i - 240i = 534 + 240i \]",
    r"The rule is given by: \[ u = -(-\frac{1}{x}) \cdot \frac{4}{x^2} \cdot x = \frac{4}{x^2} \cdot x \]",
    r"The area is given by \[ A = 2x(3 + x) = 6x + 2x^2 = 2x^2 + 5x \]",
)


@pytest.mark.parametrize("line", SUPPOSED)
def test_a_chain_under_a_supposition_or_a_right_one_stands(line: str) -> None:
    assert not is_refuted(line)


@pytest.mark.parametrize("line", FALSE)
def test_a_false_chain_behind_words_that_suppose_nothing_is_accused(line: str) -> None:
    assert is_refuted(line)
