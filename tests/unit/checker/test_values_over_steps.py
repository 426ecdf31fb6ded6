r"""One value over several steps: numbers put into a formula, a root beside pi, approximations."""

import pytest

from tests.unit.checker.readings import findings, is_refuted, is_verified


@pytest.mark.parametrize(
    "steps",
    [
        # the formula before is no value that the result could be
        (r"\[ A = \pi r^2 \]", r"\[ A = \pi (8\pi)^2 \]", r"\[ A = \pi \times 64\pi \]", r"\[ A = 4096\pi \]"),
        (r"\[ A = \pi (196)^2 \]", r"\[ A = \pi \times 39296 \]"),
        (r"\[ V = \frac{1}{3} \times b h \]", r"\[ V = \frac{1}{3} \pi (3)^2 (4) \]", r"So \[ V = 36\pi \]"),
        (r"\[ x = 3\sqrt{2} \times 4 \]", r"\[ x = 12\sqrt{3} \]"),
        (r"\[ x = \sqrt{9 + 2} \]", r"\[ x = 3\sqrt{2} \]"),
        (r"\[ d = \frac{12 \times 180}{360} \times 360 \]", r"\[ d = \frac{14400}{360} \times 360 \]"),
        (r"\[ S = 2(27 + 32 + 4) = 2 \times 63 \]", r"\[ S = 128 \]"),
    ],
)
def test_a_result_that_is_not_what_the_line_before_computes_is_refuted(steps: tuple[str, ...]) -> None:
    assert is_refuted(*steps)


@pytest.mark.parametrize(
    "steps",
    [
        (r"\[ A = \pi r^2 \]", r"\[ A = \pi (8)^2 \]", r"\[ A = 64\pi \]"),
        (r"\[ A = \pi r^2 \]", r"\[ A = \pi \times 64\pi \]", r"\[ A = 64\pi^2 \]"),
        (r"\[ A = \pi (5)^2 \]", r"\[ A = 78.5 \]"),
        (r"\[ A = \pi (5)^2 \]", r"\[ A = 78.54 \]"),
        # each may be a solution
        (r"\[ x = \frac{\sqrt{3}}{2} \]", r"\[ x = -\frac{\sqrt{3}}{2} \]"),
        (r"\[ x = \frac{\sqrt{3}}{2} \] \[ x = -\frac{\sqrt{3}}{2} \]",),
        (r"\[ x = 3 + 2\sqrt{2} \]", r"\[ x = 5\sqrt{2} \]"),
        (r"\[ x = 4 + 3 \]", r"\[ x = 4 - 3 \]"),
        (r"\[ x = \frac{4 + 2}{2} = 3 \]", r"\[ x = \frac{4 - 2}{2} = 1 \]"),
        # another one is spoken of
        (r"\[ V = \frac{1}{3} \pi (3)^2 (4) \]", r"For the other cone, \[ V = 36\pi \]"),
        (r"\[ V = \frac{1}{3} \pi (3)^2 (4) \]", r"Wait, I made an error: \[ V = 36\pi \]"),
        (r"\[ y = 2(3) + 1 \]", r"When $x = 2$, \[ y = 5 \]"),
        (r"\[ x = \frac{100}{3} \]", r"\[ x = 33.3 \]"),
        (r"\[ t = 2.5 \times 3 \text{ hours} \]", r"\[ t = 450 \text{ minutes} \]"),
    ],
)
def test_what_may_be_meant_otherwise_accuses_nobody(steps: tuple[str, ...]) -> None:
    assert not is_refuted(*steps)


@pytest.mark.parametrize(
    "steps",
    [
        (r"We have $\pi r^2 = 36\pi$. Solving for $r$, we get $r = 5$.",),
        (r"We get $\frac{4}{3}\pi \left(\frac{s}{2}\right)^3 = \frac{\pi}{6}$.", r"So $s = \sqrt[3]{\frac{1}{2}}$."),
        (r"We get $s^3 = 1$.", r"Solving for $s$, we get $s = \sqrt[3]{\frac{1}{2}}$."),
        (r"We get $2\pi r = 10\pi$.", "So $r = 6$."),
        (r"We get $2\pi r = 10$.", "So $r = 5$."),
        (r"We get $\pi r^2 + 2\pi r = 15\pi$.", "So $r = 4$."),
    ],
)
def test_a_value_that_does_not_solve_an_equation_with_pi_is_refuted(steps: tuple[str, ...]) -> None:
    assert is_refuted(*steps)


@pytest.mark.parametrize(
    "steps",
    [
        (r"We have $\pi r^2 = 36\pi$. Solving for $r$, we get $r = 6$.",),
        (r"We get $2\pi r = 10$.", r"So $r = \frac{5}{\pi}$."),
        (r"We get $2\pi r = 10$.", r"So $r \approx 1.59$."),
        (r"We get $2\pi r = 10$.", "So $r = 1.6$."),
        (r"We get $\pi r^2 = 20$.", "So $r = 2.52$."),
        (r"We get $\pi r^2 + 2\pi r = 15\pi$.", "So $r = 3$ or $r = -5$."),
        (r"We get $\pi r^2 = 36\pi$.", "If $r = 5$, it is too small."),
        (r"We get $\pi r^2 = 49\pi$.", "Let us try $r = 6$."),
        (r"We get $\pi r^2 h = 36\pi$.", "So $r = 5$."),
        (r"We solve for $r$ in $\pi r^2 = 36\pi$.", "For $r = 5$ it does not hold."),
    ],
)
def test_a_value_that_solves_it_or_is_only_tried_accuses_nobody(steps: tuple[str, ...]) -> None:
    assert not is_refuted(*steps)


@pytest.mark.parametrize(
    "line",
    [
        r"\( \frac{310^2}{48} \approx 1995.83 \)",
        r"\( \tan(0.6662) \approx 0.7639 \)",
        r"\( \frac{89395200000}{199} \approx 454247236.18 \)",
    ],
)
def test_an_approximation_that_is_off_by_hundreds_of_its_last_digits_is_refuted(line: str) -> None:
    assert is_refuted(line)


@pytest.mark.parametrize(
    "line",
    [
        r"\( \frac{310^2}{48} \approx 2002.1 \)",
        r"\( \frac{310^2}{48} \approx 2002.05 \)",
        r"\( \frac{310^2}{48} \approx 2000 \)",
        r"\( \frac{310^2}{48} \approx 1990 \)",
        r"\( \frac{310}{48} \approx 6.55 \)",
        r"\( \frac{10^5}{6.7102} \approx 14903.6207 \)",
        r"\( \log_{10}(0.98) \approx -0.00868 \)",
        r"\( \frac{2.5}{0.83} \approx 3.1 \)",
        r"\( 3.14 \times 5.2^2 \approx 84.95 \)",
    ],
)
def test_an_approximation_that_was_rounded_on_the_way_accuses_nobody(line: str) -> None:
    assert not is_refuted(line)


def test_the_roots_of_an_equation_with_pi_in_all_its_terms_are_named() -> None:
    told = findings(r"We have $\pi r^2 = 36\pi$. Solving for $r$, we get $r = 5$.")
    assert any("Its rational roots are -6, 6." in placed.finding.evidence.sentence for placed in told)


def test_a_right_approximation_is_verified() -> None:
    assert is_verified(r"\( \frac{310^2}{48} \approx 2002.08 \)")
