"""What the readers of arrays tell of no equation, of vectors of which nothing is known, and what they count as read."""

import pytest

from auditing.checker.findings import Verdict
from benchmarks.coverage import measured
from tests.unit.checker.readings import findings, is_doubted, is_refuted

LINE = r"\begin{pmatrix} 0 \\ -2 \\ -5 \end{pmatrix} + t \left( \begin{pmatrix} 3 \\ 0 \\ -1 \end{pmatrix} - "
LINE += r"\begin{pmatrix} 0 \\ -2 \\ -5 \end{pmatrix} \right) = \begin{pmatrix} 3t \\ -2 + 2t \\ -5 + 4t \end{pmatrix}"
SILENT = [
    # equations that are to be solved
    r"\[\begin{pmatrix} x \\ y \end{pmatrix} = \begin{pmatrix} 7 \\ -2 \end{pmatrix} + t \mathbf{d}.\]",
    r"\[\begin{pmatrix} 10 & -20 \\ -8 & 26 \end{pmatrix} = p \begin{pmatrix} 0 & -5 \\ -2 & 4 \end{pmatrix} + q I.\]",
    r"\[\begin{pmatrix} 1 & 0 \\ 0 & 2 \end{pmatrix} \begin{pmatrix} x \\ y \end{pmatrix} = "
    r"\begin{pmatrix} x \\ y \end{pmatrix}\]",
    r"\[\begin{pmatrix} 1 & 0 \\ 0 & 2 \end{pmatrix} \begin{pmatrix} x \\ y \end{pmatrix} = "
    r"\begin{pmatrix} x \\ x + 1 \end{pmatrix}\]",
    r"\[\begin{pmatrix} a & b \\ c & f \end{pmatrix} \begin{pmatrix} 4 & 3 \\ -1 & 0 \end{pmatrix} = "
    r"\begin{pmatrix} 1 & 0 "
    r"\\ 0 & 3 \end{pmatrix} \begin{pmatrix} a & b \\ c & f \end{pmatrix}\]",
    r"\[\begin{pmatrix} 2 - t \\ -1 - 2t \\ 3 + t \end{pmatrix} \cdot \begin{pmatrix} 1 \\ 2 \\ -1 "
    r"\end{pmatrix} = 0.\]",
    r"$\left(\frac{-9+x}{2},\frac{1+y}{2}\right)=(3,-5).$",
    r"\[\begin{vmatrix} x + 2 & 7 \\ 1 & x \end{vmatrix} = 0\]",
    # vectors of which nothing is known
    r"We know that $\mathbf{a} \cdot \mathbf{a} = \|\mathbf{a}\|^2 = 1$ and $\mathbf{a} \cdot \mathbf{n} = 0.$",
    r"$\mathbf{v} \times \mathbf{b} = \mathbf{c} \times \mathbf{b},$ so $\mathbf{v} = k \mathbf{b} + \mathbf{c}.$",
    # names with two values, letters that name a number, another kind of letter
    r"In one case $\mathbf{a} = (1, 2)$, in the other $\mathbf{a} = (2, 1)$. Then $2\mathbf{a} = (2, 4)$ "
    r"or $2\mathbf{a} = (4, 2)$.",
    r"Let $\mathbf{a} = (1,2)$ and $\mathbf{b} = (3,4)$. Here $(a,b) = (3,4)$, so $a \cdot b = 12$.",
    "Let $A = (1, 2)$ and $B = (3, 3)$. The area is $A = 7$ and $B - A = (4, 1)$ for the others.",
    # nothing is computed
    "The points are $P = (3, 4)$ and $(x, y) = (5, 6)$.",
    r"Row reduction gives $\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} = \begin{pmatrix} 1 & 2 \\ 0 & -2 "
    r"\end{pmatrix}$.",
    "The cases are $(3, 4) = (4, 3)$.",
    # maps, remainders, other products, suppositions, questions
    r"The map has $T(1,2) = (1 + 2, 2 \cdot 2)$.",
    r"Modulo 5 we have $(2, 3) + (4, 4) = (1, 2)$.",
    r"With the Hadamard product $\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} \begin{pmatrix} 1 & 2 \\ 3 "
    r"& 4 \end{pmatrix} = "
    r"\begin{pmatrix} 1 & 4 \\ 9 & 16 \end{pmatrix}$.",
    r"Is $\left(\frac12 + 1, 2\right) = (1, 2)$?",
    r"It is not true that $\left(\frac12 + 1, 2\right) = (1, 2)$.",
    r"In polar coordinates $A = (2, 0)$ and $B = (2, \pi)$. So $2(1 + 1, 0) = (4, 1)$ there.",
    # numbers of choices as columns
    r"Simplify: $\left( \begin{array}{c} 7\\ 4\end{array} \right) = \left( \begin{array}{c} 7\\ "
    r"7-4\end{array} \right)$",
    r"$\begin{pmatrix} 4 \\ 2 \end{pmatrix} + \begin{pmatrix} 4 \\ 3 \end{pmatrix} = \begin{pmatrix} 5 \\ "
    r"3 \end{pmatrix}$",
    # the direction first, then its unit vector
    r"Here $\|\mathbf{a}\| = 1$: take $\mathbf{a} = (1, 1)$, and $\mathbf{a} = \left(\frac{1}{\sqrt2}, "
    r"\frac{1}{\sqrt2}\right)$.",
    # lists of arguments, intervals, signs with two values, rounded numbers
    r"$\gcd(12, 18) = 6$ and $\max(3, 4) = 4$ and $f(2, 3) = 2 + 3$",
    r"$\left(-\tfrac12 \pm 2,-\tfrac52\right) = \left(\tfrac32, -\tfrac52\right)$",
    r"$\left(\frac13, \frac23\right) = (0.33, 0.67)$",
    r"$\left(2\frac{1}{2} + 1, 1\right) = (2, 1)$",
]


@pytest.mark.parametrize("text", SILENT)
def test_what_may_be_meant_otherwise_accuses_nobody(text):
    assert Verdict.REFUTED not in {item.finding.verdict for item in findings(text)}


@pytest.mark.parametrize(
    "text",
    [
        r"\[(\mathbf{a} + \mathbf{b}) \cdot \mathbf{b} = \mathbf{a} \cdot \mathbf{b} + \mathbf{b} \cdot \mathbf{b}\]",
        r"\[\|\vec{u} - \vec{v}\|^2 = \vec{u} \cdot \vec{u} - 2 \vec{u} \cdot \vec{v} + \vec{v} \cdot \vec{v}\]",
        r"\[(5 \bold{a} + 7 \bold{b}) \times (-\bold{a} + 3 \bold{b}) = 15 \bold{a} \times \bold{b} - 7 "
        r"\bold{b} \times \bold{a}\]",
        r"\[(\mathbf{A} + \mathbf{B})^2 = \mathbf{A}^2 + \mathbf{A} \mathbf{B} + \mathbf{B} \mathbf{A} + "
        r"\mathbf{B}^2\]",
        r"$\mathbf{c} \cdot (\mathbf{c} \times \mathbf{a}) = 0$ and $\mathbf{B} \mathbf{I} = \mathbf{I} \mathbf{B}.$",
        r"\begin{align*} &\mathbf{a} + t(2\mathbf{a} - \mathbf{b}) \\ &= (1 + 2t) \mathbf{a} - t \mathbf{b} "
        r"\end{align*}",
    ],
)
def test_an_identity_of_vectors_is_verified_whatever_they_are(text):
    assert {item.finding.verdict for item in findings(text)} == {Verdict.VERIFIED}


def test_what_holds_in_the_plane_alone_is_no_identity_of_matrices():
    text = r"\[\mathbf{M}^2 - (\operatorname{tr} \mathbf{M}) \mathbf{M} + (\det \mathbf{M}) \mathbf{I} = \mathbf{0}\]"

    assert findings(text) == []


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        (r"$A = (3,-5,7)$", True),
        (r"$Q'=(0,5)$", True),
        (r"\[\mathbf{p} = \frac{k}{k + 1} (\mathbf{a} + \mathbf{b}).\]", True),
        (r"$\nabla g=\langle 1, y, 1, 1 \rangle$", True),
        (r"$\nabla g(x, y)=\langle 1, y \rangle$", False),
        (r"$\{B,D\} = \{-1,-13\}.$", True),
        (r"\[\mathbf{M} = \boxed{\begin{pmatrix} 0 & 1 \\ 1 & x + 1 \end{pmatrix}}.\]", True),
        (r"$A = (3, ?, 7)$", False),
        (r"\[\mathbf{M} = \begin{pmatrix} 0 & \ldots \\ 1 & 2 \end{pmatrix}.\]", False),
        (r"\[\mathbf{M} = \begin{pmatrix} 0 & 1 \\ 1 \end{pmatrix}.\]", False),
        (r"\[(1, 2) + (1, 2, 3) = (2, 4)\]", False),
        (r"\[(1, 2) = 3\]", False),
    ],
)
def test_a_relation_is_read_where_every_cell_of_it_is(text, is_read):
    assert measured(text, 0, len(text)) == (is_read, False)


def test_a_line_of_the_problem_gives_a_name_its_value():
    problem = r"Let $\mathbf{a} = (1, 2)$ and $\mathbf{b} = (2, -1)$."

    assert not is_doubted(r"So $\mathbf{a} \cdot \mathbf{b} = 0.$", problem=problem)
    assert is_doubted(r"So $\mathbf{a} \cdot \mathbf{b} = 4.$", problem=problem)
    assert not is_doubted(r"So $\mathbf{a} \cdot \mathbf{b} = 4.$", problem="Two vectors are given.")


def test_an_equation_of_numbers_ties_the_letters_of_an_array():
    wrong = rf"\[{LINE}\]".replace("-5 + 4t", "-5 + 3t")

    assert is_doubted(wrong)
    assert not is_doubted("Now $t = 0$.", wrong)
    assert is_doubted(wrong, "Now $t = 0$.")


def test_braces_around_a_matrix_are_no_cells_of_a_sum():
    right = r"$\begin{Bmatrix} 1 + 1 \\ 2 + 2 \end{Bmatrix} = \begin{Bmatrix} 2 \\ 4 \end{Bmatrix}$"

    assert not is_refuted(right)
