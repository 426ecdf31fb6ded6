"""Equations between arrays whose cells are expressions: each true as it stands, and false with one sign changed."""

import pytest

from auditing.checker.findings import Verdict
from tests.unit.checker.readings import findings, is_doubted, is_refuted

LINE = r"\begin{pmatrix} 0 \\ -2 \\ -5 \end{pmatrix} + t \left( \begin{pmatrix} 3 \\ 0 \\ -1 \end{pmatrix} - "
LINE += r"\begin{pmatrix} 0 \\ -2 \\ -5 \end{pmatrix} \right) = \begin{pmatrix} 3t \\ -2 + 2t \\ -5 + 4t \end{pmatrix}"
AXES = r"\begin{vmatrix} \mathbf{i} & \mathbf{j} & \mathbf{k} \\ 1 & 2 & 3 \\ 4 & 5 & 6 \end{vmatrix}"
NAMED = r"Let $\mathbf{a} = \begin{pmatrix} 0 \\ 1 \\ 2 \end{pmatrix}$ and $\mathbf{b} = (3, 0, 1)$. Then "
POINTS = "Let $A = (1, 2)$ and $B = (4, 6)$. Then "
MATRICES = (
    r"Let $A = \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}$ and $B = \begin{bmatrix} 0 & 1 \\ 1 & 0 \end{bmatrix}$. "
)
PAIRS = [
    # boxes, brackets of any size, cells that are expressions
    (r"$(4+3,6-2)=\boxed{(7,4)}.$", ("(7,4)", "(7,5)")),
    (r"$(4+3,6-2)=\fbox{(7,4)}.$", ("(7,4)", "(8,4)")),
    (r"$[-11+1,3+1] = \boxed{[-10,4]}$", ("-10", "-12")),
    (r"\[\left( \frac{7 + 4}{2}, \frac{-3 + 1}{2} \right) = \boxed{\left( \frac{11}{2}, -1 \right)}\]", ("-1 ", "-2 ")),
    (r"$\left(\dfrac{\dfrac{7+\sqrt{2}+9-\sqrt{2}}{2}}{2},\frac{4+6}{2}\right)=\boxed{(4,5)}.$", ("(4,5)", "(3,5)")),
    (r"\[\left( \sqrt{12}, 10 \cdot \frac15 \right) = \boxed{(2 \sqrt{3}, 2)}.\]", ("(2 ", "(3 ")),
    (r"$(2 \cdot 5, 2 \cdot 1)=\boxed{(10,2)}$", ("(10,2)", "(10,1)")),
    (
        r"\[\begin{pmatrix} -2 + 3 \cdot \frac{13}{8} \\ 5 - 2 \cdot \frac{13}{8} \end{pmatrix} = "
        r"\boxed{\begin{pmatrix} 23/8 \\ 7/4 \end{pmatrix}}.\]",
        ("7/4", "9/4"),
    ),
    (
        r"\[\begin{pmatrix} (-1)(-5) - (4)(2) \\ (2)(3) - (-5)(1) \end{pmatrix} = "
        r"\boxed{\begin{pmatrix} -3 \\ 11 \end{pmatrix}}.\]",
        ("11", "1"),
    ),
    (
        r"$\begin{bmatrix} \sqrt{8} \\ 2^3 \end{bmatrix} = \begin{bmatrix} 2\sqrt{2} \\ 8 \end{bmatrix}$",
        ("{bmatrix} 2\\", "{bmatrix} 3\\"),
    ),
    (r"$\begin{Bmatrix} 1 + 1 \\ 2 + 2 \end{Bmatrix} = \begin{Bmatrix} 2 \\ 4 \end{Bmatrix}$", ("\\ 4", "\\ 5")),
    (
        r"$\left(\begin{smallmatrix} 1+2 \\ 3+4 \end{smallmatrix}\right) = "
        r"\left(\begin{smallmatrix} 3 \\ 7 \end{smallmatrix}\right)$",
        ("7", "8"),
    ),
    (
        r"$\left[\begin{array}{cc} 1 + 1 & 0 \\ 0 & \frac12 + \frac12 \end{array}\right] = "
        r"\left[\begin{array}{cc} 2 & 0 \\ 0 & 1 \end{array}\right]$",
        ("0 & 1 ", "0 & 2 "),
    ),
    (r"$\langle 1+1, 2, 3 \rangle = \langle 2, 2, 3 \rangle$", ("\\langle 2, 2", "\\langle 3, 2")),
    (r"$(0.5 + 0.25,\, 1 - 0.1) = (0.75,\, 0.9)$", ("0.75", "0.65")),
    # sums, multiples, products
    (
        r"$2 \begin{pmatrix} -\frac{9}{10} \\ -\frac{3}{10} \end{pmatrix} - \begin{pmatrix} -2 \\ 3 \end{pmatrix} = "
        r"\boxed{\begin{pmatrix} 1/5 \\ -18/5 \end{pmatrix}}.$",
        ("-18/5", "18/5"),
    ),
    (
        r"\[\begin{pmatrix} 8/5 \\ 2/5 \end{pmatrix} + 5 \begin{pmatrix} -1/5 \\ 11/5 \end{pmatrix} = "
        r"\boxed{\begin{pmatrix} 3/5 \\ 57/5 \end{pmatrix}}.\]",
        ("57/5", "56/5"),
    ),
    (r"$\frac{1}{2} \left( (1, 3) + (5, 9) \right) = (3, 6)$", ("(3, 6)", "(3, 7)")),
    (r"$\frac{(1, 3) + (5, 9)}{2} = (3, 6)$", ("(3, 6)", "(4, 6)")),
    (r"$-3(1, -2) = (-3, 6)$", ("(-3, 6)", "(-3, -6)")),
    (
        r"\[\begin{pmatrix} 2 & 1 \\ 0 & \sqrt{3} \end{pmatrix} \begin{pmatrix} 1 \\ \sqrt{3} \end{pmatrix} = "
        r"\begin{pmatrix} 2 + \sqrt{3} \\ 3 \end{pmatrix}\]",
        (r"\\ 3 \end", r"\\ 4 \end"),
    ),
    (
        r"\[\begin{pmatrix} \frac12 & 0 \\ 1 & 2 \end{pmatrix} \begin{pmatrix} 2 & 4 \\ 1 & 1 \end{pmatrix} = "
        r"\begin{pmatrix} 1 & 2 \\ 4 & 6 \end{pmatrix}\]",
        ("4 & 6", "4 & 5"),
    ),
    (
        r"\[\begin{pmatrix} 1 & -4 \\ 1 & 2 \end{pmatrix}^{-1} = \frac{1}{(1)(2) - (-4)(1)} "
        r"\begin{pmatrix} 2 & 4 \\ -1 & 1 \end{pmatrix}\]",
        ("2 & 4 ", "2 & -4 "),
    ),
    (
        r"\[\frac{1}{6} \begin{pmatrix} 2 & 4 \\ -1 & 1 \end{pmatrix} = \begin{pmatrix} \frac{1}{3} & \frac{2}{3} \\ "
        r"-\frac{1}{6} & \frac{1}{6} \end{pmatrix}.\]",
        (r"-\frac{1}{6} &", r"\frac{1}{6} &"),
    ),
    (
        r"$\begin{bmatrix} 1/2 & 1 \\ 0 & 1/2 \end{bmatrix}^2 = \begin{bmatrix} 1/4 & 1 \\ 0 & 1/4 \end{bmatrix}$",
        ("1/4 & 1 ", "1/4 & 2 "),
    ),
    (
        r"$\begin{bmatrix} \frac12 & 1 \\ 0 & 3 \end{bmatrix}^T = \begin{bmatrix} \frac12 & 0 \\ 1 & 3 \end{bmatrix}$",
        (r"\frac12 & 0", r"\frac12 & 1"),
    ),
    (
        r"\[\begin{pmatrix} 4 \\ 5 \\ -1 \end{pmatrix} \times \begin{pmatrix} 1 \\ 0 \\ 2 \end{pmatrix} = "
        r"\begin{pmatrix} (5)(2) - (-1)(0) \\ (-1)(1) - (4)(2) \\ (4)(0) - (5)(1) \end{pmatrix}\]",
        ("(-1)(1) - (4)(2)", "(-1)(1) + (4)(2)"),
    ),
    (r"$(1, 2, 3) \cdot \left(\frac12, 1, -1\right) = -\frac12$", (r"= -\frac12", r"= \frac12")),
    (r"$(1, 2) \cdot (3, 4) = 1 \cdot 3 + 2 \cdot 4$", ("2 \\cdot 4", "2 \\cdot 5")),
    (
        r"\[\begin{pmatrix} 6 & 0 \\ 0 & 6 \end{pmatrix} \cdot \frac{1}{6} \begin{pmatrix} 4 & 2 \\ -1 & 1 "
        r"\end{pmatrix} "
        r"= \boxed{\begin{pmatrix} 4 & 2 \\ -1 & 1 \end{pmatrix}}.\]",
        (r"\boxed{\begin{pmatrix} 4 & 2", r"\boxed{\begin{pmatrix} 4 & 3"),
    ),
    # lengths, determinants, traces, projections
    (r"\[\left\| \begin{pmatrix} -6 \\ -2 \\ 3 \end{pmatrix} \right\| = \boxed{7}.\]", ("{7}", "{6}")),
    (r"\[\|(1, \sqrt{3})\| = \sqrt{1 + 3}\]", ("1 + 3", "1 + 9")),
    (rf"\[{AXES}\n= \mathbf{{i}}(12-15) - \mathbf{{j}}(6-12) + \mathbf{{k}}(5-8)\]", ("5-8", "5-9")),
    (r"\[\lVert (3, 4) \rVert = 5\]", ("= 5", "= 7")),
    (r"$|(1,2) \cdot (3,4)| \cdot \|(3,4)\| = 55$", ("55", "50")),
    (r"$\|(3,4)\| |(0, 2)| = 10$", ("10", "2")),
    (r"$| \|(3,4)\| - \|(0, 7)\| | = 2$", ("= 2", "= 3")),
    (r"\[\frac{1}{2} \left\| \begin{pmatrix} -12 \\ -6 \\ 6 \end{pmatrix} \right\| = 3 \sqrt{6}.\]", ("3 ", "6 ")),
    (r"\[\left| \begin{array}{cc} 2 & 1 + 1 \\ 3 & 4 \end{array} \right| = 2\]", ("= 2", "= 3")),
    (r"\[\det \begin{pmatrix} 1/2 & 1 \\ 3 & 4 \end{pmatrix} = -1\]", ("= -1", "= 5")),
    (r"\[\operatorname{tr} \begin{pmatrix} 1/2 & 1 \\ 3 & 4 \end{pmatrix} = \frac92\]", (r"\frac92", r"\frac72")),
    (
        r"\[\operatorname{proj}_{\begin{pmatrix} 8 \\ 1 \end{pmatrix}} \begin{pmatrix} 1 \\ -2 \end{pmatrix} = "
        r"\begin{pmatrix} 48/65 \\ 6/65 \end{pmatrix}\]",
        ("6/65", "7/65"),
    ),
    (rf"\[{AXES} = -3 \mathbf{{i}} + 6 \mathbf{{j}} - 3 \mathbf{{k}}\]", ("+ 6", "- 6")),
    (
        rf"\[{AXES} = (2 \cdot 6 - 3 \cdot 5)\mathbf{{i}} - (6 - 12)\mathbf{{j}} + (5 - 8)\mathbf{{k}}\]",
        ("(5 - 8)", "(5 - 6)"),
    ),
    (rf"\[{AXES} = (-3, 6, -3)\]", ("6, -3)", "5, -3)")),
    # names with one value
    (NAMED + r"$\mathbf{a} \cdot \mathbf{b} = 2.$", ("= 2.", "= 3.")),
    (NAMED + r"$\mathbf{a} \times \mathbf{b} = (1, 6, -3).$", ("-3)", "3)")),
    (NAMED + r"$\mathbf{a} - 2\mathbf{b} = (-6, 1, 0).$", ("-6", "6")),
    (NAMED + r"$\|\mathbf{a}\| = \sqrt{5}.$", (r"\sqrt{5}", r"\sqrt{3}")),
    (NAMED + r"$|\mathbf{b}|^2 = 10.$", ("= 10", "= 8")),
    (
        NAMED + r"$\frac{\mathbf{a} \cdot \mathbf{b}}{\mathbf{b} \cdot \mathbf{b}} \mathbf{b} "
        r"= \left(\frac35, 0, \frac15\right).$",
        (r"\frac15", r"\frac25"),
    ),
    (NAMED.replace("mathbf", "vec") + r"$\vec{a} + \vec{b} = (3, 1, 3).$", ("(3, 1, 3)", "(3, 1, 2)")),
    (NAMED.replace("mathbf", "bold") + r"$5 \bold{a} = (0, 5, 10).$", ("10)", "7)")),
    (POINTS + r"$\overrightarrow{AB} = (3, 4).$", ("(3, 4)", "(3, 8)")),
    (POINTS + r"$|\overrightarrow{AB}| = 5.$", ("= 5", "= 7")),
    (POINTS + r"$\frac{A + B}{2} = \left(\frac52, 4\right).$", (", 4", ", 2")),
    (POINTS + "$B - A = (3, 4).$", ("(3, 4)", "(5, 8)")),
    ("Take A(1, 2) and B(4, 6). Then " + r"$\overrightarrow{AB} = (3, 4).$", ("(3, 4)", "(3, 8)")),
    (MATRICES + r"$AB = \begin{bmatrix} 2 & 1 \\ 4 & 3 \end{bmatrix}$", ("2 & 1", "3 & 1")),
    (MATRICES + r"$A^2 = \begin{bmatrix} 7 & 10 \\ 15 & 22 \end{bmatrix}$", ("22", "21")),
    (MATRICES + r"$\det(A) = -2$", ("= -2", "= 2")),
    (MATRICES + r"$A + 2B = \begin{bmatrix} 1 & 4 \\ 5 & 4 \end{bmatrix}$", ("1 & 4", "1 & 3")),
    (MATRICES + r"$A^{-1} = \begin{bmatrix} -2 & 1 \\ 3/2 & -1/2 \end{bmatrix}$", ("-1/2", "1/2")),
    # letters in the cells
    (rf"\[{LINE}\]", ("-5 + 4t", "-5 + 3t")),
    (
        r"\[\begin{pmatrix} 2 \\ -1 \\ 3 \end{pmatrix} - \begin{pmatrix} t \\ 2t \\ -t \end{pmatrix} = "
        r"\begin{pmatrix} 2 - t \\ -1 - 2t \\ 3 + t \end{pmatrix}.\]",
        ("3 + t", "3 - t"),
    ),
    (
        r"\[\begin{pmatrix} a & b \\ 0 & c \end{pmatrix} \begin{pmatrix} a & b \\ 0 & c \end{pmatrix} = "
        r"\begin{pmatrix} a^2 & ab + bc \\ 0 & c^2 \end{pmatrix}\]",
        ("ab + bc", "ab + b"),
    ),
    (
        r"\[\begin{pmatrix} a & b \\ c & f \end{pmatrix} \begin{pmatrix} 4 & 3 \\ -1 & 0 \end{pmatrix} = "
        r"\begin{pmatrix} 4a - b & 3a \\ 4c - f & 3c \end{pmatrix}\]",
        ("4c - f", "4c + f"),
    ),
    (
        r"\[\begin{pmatrix} 2 & a \\ -3 & -1 \end{pmatrix} \begin{pmatrix} -\frac{1}{16} & b \\ \frac{3}{16} & "
        r"\frac{1}{8} \end{pmatrix} = \begin{pmatrix} \frac{3a}{16} - \frac{1}{8} & \frac{a}{8} + 2b \\ 0 & -3b - "
        r"\frac{1}{8} \end{pmatrix}.\]",
        (r"\\ 0 &", r"\\ 1 &"),
    ),
    (
        NAMED
        + r"it is $\mathbf{a} + t(\mathbf{b} - \mathbf{a}) = \begin{pmatrix} 3t \\ 1 - t \\ 2 - t \end{pmatrix}$.",
        ("2 - t", "2 - 3t"),
    ),
    (
        r"\[\begin{pmatrix} k & 0 \\ 0 & k \end{pmatrix} \begin{pmatrix} \cos \theta & -\sin \theta \\ \sin \theta & "
        r"\cos \theta \end{pmatrix} = \begin{pmatrix} k \cos \theta & -k \sin \theta \\ k \sin \theta & k \cos \theta "
        r"\end{pmatrix}.\]",
        (r"-k \sin", r"k \sin"),
    ),
]


def mistaken(text: str, change: tuple[str, str]) -> str:
    """The text with the last place of the one changed to the other."""
    before, found, after = text.rpartition(change[0])
    assert found
    return before + change[1] + after


@pytest.mark.parametrize(("right", "change"), PAIRS)
def test_an_equation_of_arrays_is_verified_and_its_mistake_doubted(right, change):
    assert Verdict.VERIFIED in {item.finding.verdict for item in findings(right)}
    assert not is_doubted(right)
    assert is_doubted(mistaken(right, change))
    assert not is_refuted(mistaken(right, change))
