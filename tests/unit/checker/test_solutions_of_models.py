r"""What solutions of several models showed: two cases of one equation, integrals with a factor, units set as text.

Each right derivation was of a kind that was accused; beside it stands a false one of the same kind.
"""

import pytest

from tests.unit.checker.readings import is_refuted, is_verified

# name: (problem, right steps)
RIGHT = {
    "two cases in a list": ("Solve |6 + 4m| = 30.", ["We get:", "1. \\( 6 + 4m = 30 \\)\n2. \\( 6 + 4m = -30 \\)"]),
    "two displays": ("Solve |x + 9| = 2.", ["So \\(x+9\\) is 2 or -2, two equations: \\[x+9 = 2\\] \\[x+9 = -2\\]"]),
    "factors of a product": (
        "Find whole x, y with (x - 4)(y - 1) = 7.",
        [
            "1. \\( x - 4 = 1 \\) and \\( y - 1 = 7 \\)",
            "2. \\( x - 4 = -1 \\) and \\( y - 1 = -7 \\)\n\\[ x = 3, y = -6 \\]",
        ],
    ),
    "a root and the other factor": (
        "Solve $2x^3 = 7x^2 - 4x$.",
        [
            "\\[x(2x^2 - 7x + 4) = 0.\\]",
            "One solution is \\[x = 0.\\]",
            "Now we solve the quadratic \\(2x^2 - 7x + 4 = 0\\).",
        ],
    ),
    "conjugate roots": (
        "Solve $n^2 - n + 7 = 0$.",
        ["\\[ n = \\frac{1 + 3i\\sqrt{3}}{2} \\quad \\text{and} \\quad n = \\frac{1 - 3i\\sqrt{3}}{2}. \\]"],
    ),
    "a factor before an integral": (
        "Integrate.",
        ["$\\frac{1}{5} \\int u^{-1/2} du = \\frac{1}{5} \\cdot 2u^{1/2} + C = \\frac{2}{5} \\sqrt{u} + C$"],
    ),
    "a term before an integral": (
        "Integrate.",
        ["\\[\\int t e^t \\, dt = t e^t - \\int e^t \\, dt = t e^t - e^t + C_1\\]"],
    ),
    "a sum of integrals": (
        "Integrate.",
        ["\\[u = \\int t \\, dt - \\int 1 \\, dt + C_1 \\int e^{-t} \\, dt = \\frac{t^2}{2} - t - C_1 e^{-t} + D\\]"],
    ),
    "constants of integration": (
        "Find C_1.",
        ["\\[ C_1 + C_2 = 1 \\]", "\\[ C_1 - C_2 = 0 \\]", "So \\(2C_1 = 1\\) and \\(C_1 = 1/2\\)."],
    ),
    "pi as a parallax": ("How far is it?", ["\\[\\pi = \\frac{1 \\text{ pc}}{200 \\text{ pc}} = \\frac{1}{200}\\]"]),
    "metres set as text": (
        "Find the wavenumber.",
        ["\\[k = \\frac{1}{5 \\times 10^{-9} \\, \\text{m}} = \\frac{1}{5 \\times 10^{-9}} = 2 \\times 10^8\\]"],
    ),
    "metres as a letter": (
        "Find the wavenumber.",
        [
            "\\[ \\frac{1}{w} = \\frac{1}{408 \\times 10^{-9} \\, m} = 2450000 \\, m^{-1} \\]",
            "\\[ \\frac{1}{w} = \\frac{1}{408 \\times 10^{-9}} \\]",
        ],
    ),
    "centimetres and metres": (
        "Convert.",
        ["\\[ 6.7 \\times 10^{-5} \\text{ cm} = 6.7 \\times 10^{-7} \\text{ m} \\]"],
    ),
    "joules and electronvolts": ("Convert.", ["\\[ 3.2 \\times 10^{-19} \\text{ J} = 2 \\text{ eV} \\]"]),
    "half of a mass": (
        "Find the mass.",
        [
            "\\[ m = 12.02 \\times 10^{-22} \\, \\text{g} \\]",
            "\\[ \\frac{12.03 \\times 10^{-22} \\, \\text{g}}{2} = 6.02 \\times 10^{-22} \\, \\text{g} \\]",
        ],
    ),
    "angstroms and centimetres": (
        "Find the volume.",
        ["\\[V = (3 \\, \\text{Å})^3 = (3 \\times 10^{-8} \\, \\text{cm})^3 = 2.7 \\times 10^{-23}\\]"],
    ),
    "a logarithm of a power": (
        "Expand the logarithm: $\\log _{2}\\left(\\frac{z}{8}\\right)^{3}$",
        ["It becomes \\[\\boxed{3 \\log_2 z - 9}\\]"],
    ),
    "a name before a sign": (
        "Find P.",
        ["Here $-R_A = 20{,}000 - 4{,}000$.", "NPP $=$ GPP $-R_{A}=20,000-8,000=\\boxed{12,000}$"],
    ),
    "possible values": (
        "Find pairs.",
        ["The possible values for \\(u\\) are \\(u = v + 3\\), \\(u = v - 3\\), \\(u = v + 2\\), and \\(u = v - 2\\)."],
    ),
    "a function with an index": (
        "Let e_2(n) be a sum.",
        ["- \\(e_2(1) = 1\\), \\(e_2(2) = 0\\)\n- \\(e_2(3) = 1\\), \\(e_2(4) = 1\\)"],
    ),
    "a primed function": ("Solve the equation.", ["\\[ x(0) = 1.5 \\] \\[ x'(0) = -4 \\]"]),
    "raised to": (
        "Simplify.",
        ["So \\(\\dfrac{\\sqrt{7}}{\\sqrt[4]{7}}\\) equals \\(7\\) raised to the power of \\(\\frac{1}{4}\\)."],
    ),
    "those that have a digit": (
        "How many?",
        ["The number of primes below 100 that have a units digit of 3 is \\(\\boxed{7}\\)."],
    ),
    "three curves": (
        "Find the area.",
        [
            "Here \\( y = |x| \\) is \\( y = x \\) for \\( x \\geq 0 \\) and \\( y = -x \\) for \\( x < 0 \\). "
            "We need its intersection with the parabola \\( y = -x^2 + \\frac{15}{4} \\)."
        ],
    ),
}
# name: (problem, steps of which the last is false)
FALSE = {
    "a slip in one case": ("Find m.", ["\\( 6 + 4m = 30 \\)", "So \\( 6 + 4m = 34 \\)"]),
    "an integral alone": ("Integrate.", ["\\[\\int 2t \\, dt = t^3 + C\\]"]),
    "a choice with an index": ("How many?", ["There are $5C_2 = 11$ pairs."]),
    "an area with pi": ("Find the area.", ["\\[9\\pi = 27\\]"]),
    "text behind a number": ("Find the length.", ["\\[ 5\\,\\text{m} + 3\\,\\text{m} = 9\\,\\text{m} \\]"]),
    "a logarithm by itself": ("Compute.", ["\\[ \\log_2 (8)^2 = 7 \\]"]),
    "a formula alone": ("Simplify.", ["So \\(\\frac{\\sqrt{49}}{7}\\) equals \\(2\\)."]),
    "units in a fraction": (
        "Find the wavelength.",
        ["$\\frac{1.98 \\times 10^{-25} \\text{ J m}}{3.57 \\times 10^{-19} \\text{ J}} = 5.97 \\times 10^{-7}$"],
    ),
    "joules by seconds": (
        "Find E.",
        ["$6 \\times 10^{-34} \\text{ J s} \\times 5 \\times 10^{14} \\text{ s}^{-1} = 9 \\times 10^{-19}$"],
    ),
    "no unit on one side": ("Find a.", ["\\[ 2.6 \\times 10^{-11} \\times 10^{10} = 2.6 \\text{ angstroms} \\]"]),
    "millions behind a formula": ("How much?", ["The profit is $386.5 - 239.6 = 149.6$ million."]),
    "one curve": ("Find y.", ["\\( 2y = 2x \\)", "So \\( y = x + 1 \\)."]),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_derivation_of_this_kind_is_accused_by_nobody(name: str) -> None:
    problem, steps = RIGHT[name]
    assert not is_refuted(*steps, problem=problem)


@pytest.mark.parametrize("name", FALSE)
def test_a_false_one_still_is(name: str) -> None:
    problem, steps = FALSE[name]
    assert is_refuted(*steps, problem=problem)


def test_a_letter_set_as_text_behind_a_number_is_a_unit() -> None:
    assert is_verified("\\[ \\frac{6 \\times 10^{-9} \\, \\text{m}}{2} = 3 \\times 10^{-9} \\]")
    assert is_verified("\\[ 5\\,\\text{m} + 3\\,\\text{m} = 8\\,\\text{m} \\]")
