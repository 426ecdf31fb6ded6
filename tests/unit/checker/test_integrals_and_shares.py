r"""Integrals by rules, integrals of integrals, determinants, shares of formulas, logarithms without a base."""

import pytest

from auditing.checker.mathematics.notation.typesetting import typeset
from auditing.verifier.verify_proofs import RefusedError, check_reading
from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified

# class -> a text that is refuted with a proof, and the same text as it is right
SURE = {
    "of a sine": (r"$\int_0^{\pi} \sin x \, dx = 3$", r"$\int_0^{\pi} \sin x \, dx = 2$"),
    "of a cosine": (r"\int_0^{\pi/4} \cos(2x) dx = \frac14", r"\int_0^{\pi/4} \cos(2x) dx = \frac12"),
    "of a square": (r"\int_0^{\pi} \sin^2 x \, dx = \pi", r"\int_0^{\pi} \sin^2 x \, dx = \frac{\pi}{2}"),
    "of a square of a cosine": (r"\int_0^{\pi} \cos^2 x \, dx = \pi", r"\int_0^{\pi} \cos^2 x \, dx = \frac{\pi}{2}"),
    "of a square to an eighth of a turn": (
        r"\int_0^{\pi/4} \sin^2 x \, dx = \frac{\pi}{8} + \frac14",
        r"\int_0^{\pi/4} \sin^2 x \, dx = \frac{\pi}{8} - \frac14",
    ),
    "of a power that rises to what no text holds": (
        r"\int_0^{\pi} x^5 dx = \pi^6",
        r"\int_0^{\pi} x^5 dx = \frac{\pi^6}{6}",
    ),
    "of an exponential": (r"\int_0^1 e^{2x} dx = e^2 - 1", r"\int_0^1 e^{2x} dx = \frac{e^2 - 1}{2}"),
    "of a power of a number": (r"\int_0^1 2^x dx = \frac{2}{\ln 2}", r"\int_0^1 2^x dx = \frac{1}{\ln 2}"),
    "of a root": (r"\int_0^4 \sqrt{x} dx = 8", r"\int_0^4 \sqrt{x} dx = \frac{16}{3}"),
    "of a square of a root": (
        r"$V = \pi \int_0^2 (\sqrt{x})^2 dx = 3\pi$",
        r"$V = \pi \int_0^2 (\sqrt{x})^2 dx = 2\pi$",
    ),
    "of a reciprocal": (r"\int_1^2 \frac{1}{x} dx = \ln 3", r"\int_1^2 \frac{1}{x} dx = \ln 2"),
    "of a reciprocal below zero": (r"\int_{-2}^{-1} \frac{1}{x} dx = \ln 2", r"\int_{-2}^{-1} \frac{1}{x} dx = -\ln 2"),
    "of a reciprocal of a power": (r"\int_1^3 \frac{2}{x^2} dx = \frac53", r"\int_1^3 \frac{2}{x^2} dx = \frac43"),
    "of a power of a line": (r"\int_0^1 (3x+1)^{-2} dx = \frac13", r"\int_0^1 (3x+1)^{-2} dx = \frac14"),
    "of an arctangent's slope": (
        r"\int_0^1 \frac{1}{1+x^2} dx = \frac{\pi}{2}",
        r"\int_0^1 \frac{1}{1+x^2} dx = \frac{\pi}{4}",
    ),
    "of a sum of both": (
        r"\int_0^{\pi} (\sin x + x) dx = 2 + \pi^2",
        r"\int_0^{\pi} (\sin x + x) dx = 2 + \frac{\pi^2}{2}",
    ),
    "to a root": (r"\int_0^{\sqrt{2}} x \, dx = \frac14", r"\int_0^{\sqrt{2}} x \, dx = 1"),
    "of a product, to pi": (
        r"\int_0^{\pi} x(x + 3) dx = \frac{\pi^3}{3}",
        r"\int_0^{\pi} x(x + 3) dx = \frac{\pi^3}{3} + \frac{3\pi^2}{2}",
    ),
    "in words": ("∫ from 0 to π sin x dx = 3", "∫ from 0 to π sin x dx = 2"),
    "with its letter in the bounds": ("∫_{x=1}^{x=3} (9 - x^2) dx = 28/5", "∫_{x=1}^{x=3} (9 - x^2) dx = 28/3"),
    "by an angle": (
        r"\int_{0}^{\frac{\pi}{2}} \cos\theta \, d\theta = 2",
        r"\int_{0}^{\frac{\pi}{2}} \cos\theta \, d\theta = 1",
    ),
    "of an integral": (
        r"$\int_0^1 \int_0^2 x y \, dy \, dx = 2$",
        r"$\int_0^1 \int_0^2 x y \, dy \, dx = 1$",
    ),
    "of an integral between curves": (
        "Volume = ∫[-1,1] ∫[x^2,2-x^2] (y + 3) dy dx = 30",
        "Volume = ∫[-1,1] ∫[x^2,2-x^2] (y + 3) dy dx = 32/3",
    ),
    "of an integral around": (
        r"\int_0^{2\pi} \int_0^1 r^3 \, dr \, d\theta = \pi",
        r"\int_0^{2\pi} \int_0^1 r^3 \, dr \, d\theta = \frac{\pi}{2}",
    ),
    "times a number before it": (r"$2 \int_0^1 x \, dx = 2$", r"$2 \int_0^1 x \, dx = 1$"),
    "a determinant": (
        r"$\begin{vmatrix} 2 & 3 \\ 0 & 2 \end{vmatrix} = 5$",
        r"$\begin{vmatrix} 2 & 3 \\ 0 & 2 \end{vmatrix} = 4$",
    ),
    "a determinant with a symbol": (
        r"$\begin{vmatrix} x & 3 \\ 1 & 2 \end{vmatrix} = 2x + 3$",
        r"$\begin{vmatrix} x & 3 \\ 1 & 2 \end{vmatrix} = 2x - 3$",
    ),
    "an expansion": (
        r"$1 \begin{vmatrix} 1 & 4 \\ 0 & 2 \end{vmatrix} - 2 \begin{vmatrix} 2 & 4 \\ 1 & 2 \end{vmatrix} = 3$",
        r"$1 \begin{vmatrix} 1 & 4 \\ 0 & 2 \end{vmatrix} - 2 \begin{vmatrix} 2 & 4 \\ 1 & 2 \end{vmatrix} = 2$",
    ),
    "a share of a formula": (r"So $\frac{1}{8}$ of $24$ = 4.", r"So $\frac{1}{8}$ of $24$ = 3."),
    "a share of a formula with its result": (r"\(\frac{1}{8}\) of \(24 = 4\)", r"\(\frac{1}{8}\) of \(24 = 3\)"),
    "a percentage of a formula": (r"25\% of $40 = 11$", r"25\% of $40 = 10$"),
    "a fraction times a formula": (r"\(\frac{3}{4}\) × \(20\) = \(16\)", r"\(\frac{3}{4}\) × \(20\) = \(15\)"),
    "an eighth in figures": ("1/8th of 24 = 4", "1/8th of 24 = 3"),
    "a fraction's ending": (r"$\frac{1}{8}$th of $24$ = 4", r"$\frac{1}{8}$th of $24$ = 3"),
}


@pytest.mark.parametrize(("false", "right"), SURE.values(), ids=SURE)
def test_both_sides_of_each_form(false, right):
    assert is_refuted(false)
    assert is_verified(right)
    assert not is_doubted(right)


@pytest.mark.parametrize(
    "text",
    [
        # poles between the bounds
        r"\int_{-1}^{1} \frac{1}{x^2} dx = -2",
        r"\int_{-1}^{1} \frac{1}{x} dx = 5",
        r"\int_0^1 \frac{1}{x} dx = 5",
        # what another letter may depend on
        r"\int_0^t v \, dt = 5",
        r"\int_0^t v \, dt = v t + 1",
        r"\int_0^1 f(x) dx = 3",
        r"\int_0^1 y \, dx = 3",
        # no rule
        r"\int_0^1 x e^x dx = 5",
        r"\int_0^1 \sin(x^2) dx = 5",
        r"\int_0^1 \tan x \, dx = 5",
        r"\int_0^\infty e^{-x} dx = 5",
        # an inner integral by the wrong letter, bounds that hang on their own letter
        r"\int_0^1 \int_0^2 x z \, dy \, dx = 5",
        r"\int_0^1 \int_0^y x \, dy \, dx = 5",
        # axes, tables that are no square, and one that never ends
        r"\begin{vmatrix} \mathbf{i} & \mathbf{j} \\ 1 & 2 \end{vmatrix} = 5",
        r"\begin{vmatrix} 1 & 2 & 3 \\ 1 & 2 \end{vmatrix} = 5",
        r"\begin{vmatrix} 1 & 2 \\ 1 & 2 = 5",
        # no share, or a share of something else
        r"the value $a$ of $b = 3$",
        r"We know that $\frac{1}{2}$ of $x = 4$",
        r"\(\frac{1}{8}\) of the remaining \(24 = 24\)",
        "the 5th = 12",
        "5th term = 3 + 4 * 2 = 11",
        "On the 4/5th of May = 9 people",
        # moved back by three places
        "New position: 8th - 3 = 11th",
    ],
)
def test_what_is_not_known_is_not_accused(text):
    assert not is_refuted(text)


def test_the_reading_of_an_integral_is_told():
    """Whoever reads the finding sees what the integral was made into."""
    (finding,) = (item.finding for item in findings(r"\int_0^{\pi} \sin x \, dx = 3") if item.finding.accuses)
    assert finding.evidence.sentence == "-cos(pi) - (-cos(0)) is 2, not 3."


def test_a_value_that_no_float_holds_hides_no_other_finding() -> None:
    steps = r"\sin(1) \cdot 10^{400} = 5", "3 + 4 = 8"
    assert [item.finding.evidence.sentence for item in findings(*steps) if item.finding.accuses] == [
        "sin(1) * 10^400 is a number too long to show, not 5.",
        "3 + 4 is 7, not 8.",
    ]


def test_a_logarithm_is_meant_to_the_base_that_comes_nearest():
    r"""20.39 + 7 is nearly 5 log10(300000), and far from what other bases give: no certain error."""
    problem = "The star has an apparent magnitude of m = 20.39 and an absolute magnitude of M = -7."
    steps = "20.39 - (-7) = 5log(3 x 10^5)", "20 + 2 = 5 log(300000)"
    assert [is_refuted(step, problem=problem) for step in steps] == [False, True]
    (doubt,) = (item.finding for item in findings(steps[0], problem=problem) if item.finding.doubts)
    assert "27.3856" in doubt.evidence.sentence


@pytest.mark.parametrize(
    ("false", "right"),
    [
        (("x1 + x2 = 5 and x1 - x2 = 1", "x1 * x2 = 7"), ("x1 + x2 = 5 and x1 - x2 = 1", "x1 * x2 = 6")),
        (("x₁ + x₂ = 5", "x₁ = 5 - x₂", "2x₁ = 9 - 2x₂"), ("x₁ + x₂ = 5", "x₁ = 5 - x₂", "2x₁ = 10 - 2x₂")),
        (("2x1 + 3x2 = 5 and x1 = 1", "So x1 = 1 and x2 = 2."), ("2x1 + 3x2 = 5 and x1 = 1", "So x1 = 1 and x2 = 1.")),
        (("V1 = 3 and V2 = V1 * 2 = 3 * 2 = 7",), ("V1 = 3 and V2 = V1 * 2 = 3 * 2 = 6",)),
        (("There are 5P2 = 21 ways.",), ("There are 5P2 = 20 ways.",)),
    ],
)
def test_a_letter_and_a_digit_are_a_name(false, right):
    assert is_refuted(*false)
    assert not is_refuted(*right)
    assert not is_doubted(*right)


@pytest.mark.parametrize(
    "steps",
    [
        # nobody knows whether the 2 was an exponent
        ("x2 + 5x + 6 = (x+2)(x+3)", "x2 = 9"),
        ("With a1 = 3 we have x2 + 5x + 6 = (x+2)(x+3).",),
        ("So E = mc2 and P = V2/R, with V = 12 and R = 6, is P = 24",),
        ("2H₂ + O₂ = 2H₂O",),
        ("N₂ + 3H₂ = 2NH₃",),
        # nine times a price, and no arrangement of two of nine
        ("-9(P2 - 5) = 2(5 + P2)", "-9P2 + 45 = 10 + 2P2", "35 = 11P2"),
        ("P1 = 5 and -9(P2 - 5) = 2(5 + P2)", "-9P2 + 45 = 10 + 2P2"),
    ],
)
def test_a_digit_behind_a_letter_that_may_be_anything_accuses_nobody(steps):
    assert not is_refuted(*steps)


@pytest.mark.parametrize(
    ("steps", "is_false"),
    [
        (("60t = 90", "Solving for t, we get t = 90 minutes."), False),
        (("1 + r = 1.08", "Solving for r, we get r = 8."), False),
        (("60t = 90", "Solving for t, we get t = 80 minutes."), True),
        (("0.05x = 3", "So x = 6000."), True),
        (("x + 3 = 10", "So x = 8 and we are done."), True),
    ],
)
def test_a_solution_may_stand_in_another_unit(steps, is_false):
    assert is_refuted(*steps) is is_false


def test_what_is_no_share_keeps_its_relation_and_a_price_is_no_arrangement():
    assert is_refuted("Take $3$ of $3 + 4 = 8$.")
    assert not is_doubted("-9(P2 - 5) = 2(5 + P2) and -9P2 + 45 = 10 + 2P2")


def test_an_index_shows_names_of_its_own_letter_alone():
    assert typeset("a1 = 3, a2 = 4, x2 = 9") == "a₁ = 3, a₂ = 4, x2 = 9"


@pytest.mark.parametrize(("text", "number"), [("∫ x^41 dx", "43"), ("x^41", "42"), ("\\int x^41 dx", "40")])
def test_a_number_that_no_power_of_an_integral_rises_to_is_refused(text, number):
    check_reading(["42"], "∫ x^41 dx")
    with pytest.raises(RefusedError, match="stands in the formula"):
        check_reading([number], text)
