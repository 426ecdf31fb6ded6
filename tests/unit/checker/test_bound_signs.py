r"""Sums, products, integrals and limits with closed bounds; vectors and matrices; derivatives without brackets."""

import pytest

from auditing.checker.findings import Verdict
from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified

# class -> a text that is refuted with a proof, and the same text as it is right
SURE = {
    "a sum": (r"\sum_{k=1}^{10} k = 50", r"\sum_{k=1}^{10} k = 55"),
    "a sum of powers": (r"$\sum_{k=0}^{3} 2^k = 16$", r"$\sum_{k=0}^{3} 2^k = 15$"),
    "a sum written with its sign": ("So ∑_{i=1}^{4} i^2 = 31.", "So ∑_{i=1}^{4} i^2 = 30."),
    "a product": (r"$\prod_{i=1}^{5} i = 125$", r"$\prod_{i=1}^{5} i = 120$"),
    "an integral": (r"\int_0^1 x^2 dx = \frac12", r"\int_0^1 x^2 dx = \frac13"),
    "an integral of a sum": (r"$\int_0^2 (3x^2 + 1)\,dx = 12$", r"$\int_0^2 (3x^2 + 1)\,dx = 10$"),
    "a limit": (r"$\lim_{x \to 2} \frac{x^2-4}{x-2} = 5$", r"$\lim_{x \to 2} \frac{x^2-4}{x-2} = 4$"),
    "a limit far away": (
        r"$\lim_{x \to \infty} \frac{3x^2+1}{x^2-2} = 2$",
        r"$\lim_{x \to \infty} \frac{3x^2+1}{x^2-2} = 3$",
    ),
    "an integral in small digits": ("So ∫₀³ x² dx = 10.", "So ∫₀³ x² dx = 9."),
    "an integral over an interval": ("So ∫[0, 3] (x^2 - 1) dx = 7.", "So ∫[0, 3] (x^2 - 1) dx = 6."),
    "an integral in words": ("integral from 0 to 3 of x^2 dx = 10", "integral from 0 to 3 of x^2 dx = 9"),
    "an integral with its bounds behind": ("So ∫ x^2 dx from 0 to 3 = 10.", "So ∫ x^2 dx from 0 to 3 = 9."),
    "an integral in brackets": ("A = ∫(0 to 3) x^2 dx = 10", "A = ∫(0 to 3) x^2 dx = 9"),
    "a sum in small digits": ("So Σₖ₌₁¹⁰ k = 56.", "So Σₖ₌₁¹⁰ k = 55."),
    "a sum in words": ("The sum from k=1 to 10 of k^2 = 386.", "The sum from k=1 to 10 of k^2 = 385."),
    "a sum of plain letters": ("sum_{k=1}^{10} k = 56", "sum_{k=1}^{10} k = 55"),
    "bounds the other way about": (r"\(\sum^{10}_{k=1} k = 56\)", r"\(\sum^{10}_{k=1} k = 55\)"),
    "a limit in words": ("lim as x approaches 2 of (x^2-4)/(x-2) = 5", "lim as x approaches 2 of (x^2-4)/(x-2) = 4"),
    "a limit in brackets": ("lim(n->infinity) (2n+1)/(n-3) = 3", "lim(n->infinity) (2n+1)/(n-3) = 2"),
    "a limit in small letters": ("limₓ→₂ (x²-4)/(x-2) = 5", "limₓ→₂ (x²-4)/(x-2) = 4"),
    "squares with dots": ("So 21^2 + 22^2 + ... + 40^2 = 22140.", "So 21^2 + 22^2 + ... + 40^2 = 19270."),
    "products with dots": (
        r"$1 \cdot 2 + 2 \cdot 3 + \cdots + 9 \cdot 10 = 331$",
        r"$1 \cdot 2 + 2 \cdot 3 + \cdots + 9 \cdot 10 = 330$",
    ),
    "powers with dots": (r"$2^1 + 2^2 + 2^3 + \dots + 2^{10} = 2047$", r"$2^1 + 2^2 + 2^3 + \dots + 2^{10} = 2046$"),
    "fractions with dots": (
        r"$\frac{1}{1 \cdot 2} + \frac{1}{2 \cdot 3} + \dots + \frac{1}{9 \cdot 10} = \frac{8}{10}$",
        r"$\frac{1}{1 \cdot 2} + \frac{1}{2 \cdot 3} + \dots + \frac{1}{9 \cdot 10} = \frac{9}{10}$",
    ),
    "doubling with dots": ("1 + 2 + 4 + ... + 64 = 128", "1 + 2 + 4 + ... + 64 = 127"),
    "an integral of a multiple of pi": (
        r"$V = \int_0^2 2\pi x (4 - x) dx = \frac{31\pi}{3}$",
        r"$V = \int_0^2 2\pi x (4 - x) dx = \frac{32\pi}{3}$",
    ),
    "an integral whose differential stands inside": (
        "V = ∫0 to 1 [π (y + 1) dy] = 2π",
        "V = ∫0 to 1 [π (y + 1) dy] = 3π/2",
    ),
    "a sum of vectors": ("So (1,2) + (3,4) = (4,7).", "So (1,2) + (3,4) = (4,6)."),
    "a length": ("Let v = (3,4), then |v| = 6.", "Let v = (3,4), then |v| = 5."),
    "a dot product": ("So (1,2,3) · (4,5,6) = 33.", "So (1,2,3) · (4,5,6) = 32."),
    "a cross product": ("So (1,0,0) × (0,1,0) = (0,1,1).", "So (1,0,0) × (0,1,0) = (0,0,1)."),
    "a vector made longer": ("So 2(3,4) = (6,9).", "So 2(3,4) = (6,8)."),
    "a product of matrices": (
        r"$\begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}\begin{pmatrix}5 & 6\\7 & 8\end{pmatrix} = "
        r"\begin{pmatrix}19 & 22\\43 & 51\end{pmatrix}$",
        r"$\begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}\begin{pmatrix}5 & 6\\7 & 8\end{pmatrix} = "
        r"\begin{pmatrix}19 & 22\\43 & 50\end{pmatrix}$",
    ),
    "a determinant": (
        r"$\det\begin{pmatrix}1 & 2\\3 & 4\end{pmatrix} = 2$",
        r"$\begin{vmatrix}1 & 2\\3 & 4\end{vmatrix} = -2$",
    ),
    "a derivative": ("So d/dx x^3 = 3x", "So d/dx x^3 = 3x^2"),
    "an antiderivative": (r"$\int \cos x \, dx = -\sin x + C$", r"$\int \cos x \, dx = \sin x + C$"),
    "a function derived": (
        "Let f(x) = x^2 + 3x. Then f'(x) = 2x + 4.",
        "Let f(x) = x^2 + 3x. Then f'(x) = 2x + 3.",
    ),
}
LEFT_ALONE = (
    # the 1 is added once, or each time
    r"So $\sum_{k=1}^{3} k + 1 = 7$.",
    r"So $\sum_{k=1}^{3} k + 1 = 9$.",
    # two terms tell no rule: halves or even numbers below, doubles or all numbers
    r"$\frac{1}{2} + \frac{1}{4} + \dots + \frac{1}{64} = \frac{63}{64}$",
    "So 1^2 + 2^2 + ... + 64^2 = 5461.",
    "So 1 + 3 + 6 + 10 + ... + 55 = 220.",
    "So 1^2 + 2^2 + 3^2 + ... + 2^2 = 9.",
    "So A = (1/2)(x^2) from 0 to 2 = 2.",
    "So 1^2 + 3 + ... + 9^2 = 100.",
    r"$\sum_{i=1}^{n} i = n^2$",
    r"$S = \sum_{k=1}^{5} a_k = 5$",
    r"$\sum_{k=1}^{5} f(k) = 5$",
    r"$\sum_{k=1}^\infty 1/2^k = 1$",
    r"$\int_0^{\pi} \sin x dx = 2$",
    r"$\int_0^1 x^2 dx = \left[\frac{x^3}{3}\right]_0^1 = \frac13$",
    r"$\lim_{x \to 0} \frac{\sin x}{x} = 1$",
    r"$\lim_{x \to 0^+} \frac{1}{x} = 5$",
    r"$\sum F = 0$ and $\int f = 3$",
    # nobody can say whether 10 or 1 and a factor 0 stands above
    "So ∑_{k=1}^10 k = 50.",
    "The sum from Monday to Friday of these = 12, and the limit was 3 = 2 + 1.",
    "[A]₀ = 5 and [A] = 3",
    "3 + (1,2) + (3,4) = (4,7)",
    "The midpoint is ((1,2) + (3,4))/2 = (2,3).",
    "f(1,2) + g(3,4) = (4,7)",
    "We define (a,b) + (c,d) = (ad + bc, bd), so (1,2) + (3,4) = (10,8).",
    "Modulo 5, (1,2) + (3,4) = (4,1).",
    "In Python (1,2) + (3,4) = (1,2,3,4).",
    "With numpy [[1,2],[3,4]] * [[5,6],[7,8]] = [[5,12],[21,32]].",
    "Let v = (3,4) or v = (6,8), then |v| = 10.",
    # nobody can say where what is derived ends
    "So d/dx x^2 + 3x = 2x",
)


# no labelled set has shown an error of these yet: sums, products, limits, vectors and matrices are doubts
MEASURED = ("calculus",)
MEASURED_CLASS = "an integral"


@pytest.mark.parametrize("name", SURE)
def test_an_error_of_this_class_is_refuted_with_a_proof_and_the_right_text_verified(name):
    wrong, right = SURE[name]
    accused = [item.finding for item in findings(wrong) if item.finding.verdict is Verdict.REFUTED]
    assert accused
    assert all(finding.proof for finding in accused)
    is_measured = name.startswith(MEASURED_CLASS)
    assert all(finding.accuses is (is_measured or finding.evidence.checker in MEASURED) for finding in accused)
    assert is_verified(right)
    assert not is_doubted(right)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_a_text_that_looks_alike_is_neither_refuted_nor_doubted(text):
    assert not is_refuted(text)
    assert not is_doubted(text)


def test_too_many_terms_are_not_added_up():
    assert not is_refuted(r"\sum_{k=1}^{100000} k = 5")
    assert not is_refuted(r"\sum_{k=1}^{300} \sum_{j=1}^{300} \sum_{i=1}^{300} i = 5")


@pytest.mark.parametrize("bracket", ["[x³/3]₀³", "x³/3 |₀³", "[x^3/3]_0^3"])
def test_a_bracket_with_bounds_in_small_digits_is_computed(bracket):
    assert is_refuted(f"So {bracket} = 10.")
    assert is_verified(f"So {bracket} = 9.")


BOUNDS = (
    "[x^3/3] from 0 to 3",
    "[x^3/3] (from 0 to 3)",
    "(x^3/3) evaluated from 0 to 3",
    "[x^3/3] |[0, 3]",
    "[x^3/3] ∣[0,3]",
)


@pytest.mark.parametrize("bracket", BOUNDS)
def test_a_bracket_with_bounds_in_words_is_computed(bracket):
    assert is_refuted(f"So A = {bracket} = 10.")
    assert is_verified(f"So A = {bracket} = 9.")


@pytest.mark.parametrize("text", ["So V = (x + 1)(x - 3) from 0 to 2 = 5.", "The price rises (x) from 3 to 5 = 2."])
def test_words_behind_a_factor_are_no_bounds(text):
    assert not is_refuted(text)
    assert not is_doubted(text)


@pytest.mark.parametrize("remark", ["the letters I and S", "from step a", "for a"])
def test_a_remark_beside_a_number_may_name_letters(remark):
    assert is_refuted(f"We have 71 ({remark}) + 2 = 74.")
    assert is_verified(f"We have 71 ({remark}) + 2 = 73.")


@pytest.mark.parametrize("remark", ["times x", "of x", "per a", "2 hours of work"])
def test_a_remark_that_may_multiply_makes_no_sum(remark):
    assert not is_refuted(f"We have 71 ({remark}) + 2 = 74.")
