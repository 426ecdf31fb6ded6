"""Long repetitive texts: one line of every shape that a rule reads, blown up to 39,000 characters, one step or many.

What is compared with all earlier lines takes time by the square of such a text. Printed are CPU seconds of the whole
examination at a quarter, at half and at full length, slowest first; tests/unit/checker/test_long_traces.py counts.
Run from the repository root: python -m benchmarks.repetitions [--kinds NAME,NAME].
"""

from __future__ import annotations

import argparse
import string
import time
from collections.abc import Iterator

from auditing.checker.examination import decide_all
from hdag.core.values import Graph, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

LONGEST = 39_000
SHAPES = ("one step", "many steps")
# name | line: n counts, m and k are a little more; l, r and t letters, w a word, d a day, s a digit, y a year
_LINES = """
money rate | $20 per hour * 10 hours = $117
one letter | x = 20 - 9
one letter values | x = {n} - 9
one letter eq | 2x + {n} = 11
two letters eq | 2x + {n}y = 11
many letters a=b | {l} = {r}
many letters val | {l} = {n}
many letters computed | {l} = {n} + 2
subscripts | x_{n} = x_{m} + 1
subscript values | x_{n} = {n} * 2 = {double}
chain eq | {n} + 3 = {k} = {k} + 1
false sums | {n} + 3 = {k}
true sums | {n} + 3 = {k}
same false | 2 + 3 = 6
products unit | {n} m * 3 m = {double} m^2
percent | {n} % of 50 = {half}
percent false | 20% of {n} is {n}
percent change | from {k} to 100, a 20% increase
speed | 60 mph for 2.5 hours is {n} miles
table pipe | | a | {n} | {m} | 3 |
table total | | Total | {n} | {m} | 3 |
tabs | {n}⇥{m}⇥{k}
dates | March {d}, {y} is a Monday
leap | {y} is a leap year
date spans | From March {d} to April {d} is 30 days
times | 10:{h} + 45 min = 11:25
times from to | from 9:40 to 11:{h} is 2 hours
chem | The balanced equation is H2 + O2 -> H2O.
chem long | C{n}H{double} + O2 -> CO2 + H2O
molar | The molar mass of H2O is 18.02 g/mol.
units ft | {n} ft 2 in = {sevenfold} in
units conv | {n} km = {thousands} m
units min | {n} minutes = {sevenfold} seconds
words sum | half of {n} is {half}
words numbers | twenty five plus thirty is fifty five
spoken | {n} + 4 is {k}
spoken gives | adding {n} and 4 gives {k}
deeds | divide {n} by 4 to get 12
brackets | (({n}+1)*(2+[3-1]))
bracket stack | ) ; stack: ( [
open brackets | (((((
label word | Total = {n} + 3
labels many | Total {w} = {n} + 3 = {k}
labels colon | Weeks {w}: {n}
formula words | wage * weeks = 20 * {n}
label then formula | weeks: {n} ⏎ wage * weeks = 20 * 45
log calc | calculator({n}*7) -> {sevenfold}
log calc false | calculator({n}*7) -> {m}
calc marks | <<40-{n}=24>>
python prompt | >>> {n} * 7 ⏎ {sevenfold}
python defs | def f{n}(x): ⏎     return x + {n} ⏎  ⏎ assert f{n}(1) == {m}
doctest fn | >>> f({n}) ⏎ {n}
roots | (x-{n})(x+3) = 0 so x = {n} or x = -3
quadratic | x^2 - {n}x + 6 = 0
quadratic formula | x = (-{n} + sqrt({n}^2 - 24))/2
completing | Completing the square: (x-3)^2 + (y+{n})^2 = 5
identity | (x+{n})^2 = x^2 + {double}x + {square}
false identity | (5ac)(6ab) = 30abc
like terms | 0.25(80x) + 0.1({n}x) = 20x
continuation | = 6x - {n}
continuation num | = {n} + 1
lone equals | =
approx | {n}/7 ≈ {quotient}
ineq | x > {n}
ineq chain | {n} < x < {k}
ineq linear | -2x > {n}, so x > -3
ineq two | x + y <= {n}
ineq many | {l} < {r}
congruence | 17 * {n} ≡ 3 (mod 83)
mod op | {n} mod 7 = {s}
gcd | gcd({n}, 12) = 4
factors | The factors of {k} are 1, 2, 4, 5
primes | the primes below {n} are 2, 3, 5, 7
facts | {n} is divisible by 3
facts prime | {n} is a prime number
listing | {n},
sequence | {n}, {m}, {k}, ...
sum latex | \\sum_{{k=1}}^{{{h}}} k = 50
integral | \\int_0^{{{n}}} x^2 dx = 1/2
deriv | d/dx(x^{s}) = {n}x
deriv prime | f(x) = x^{s}, f'(x) = {n}x
limit | \\lim_{{x \\to {n}}} (x^2-1)/(x-1) = 2
frac | \\frac{{{n}}}{{2}} + \\frac{{1}}{{3}} = 1
latex dollars | $x = {n}$
latex align | &= {n} + 2 \\\\
sqrt | \\sqrt{{{n}}} = {n}.2
powers | 2^{d} = {n}
scientific | {n} * 10^5 = {n}e5
trig | sin({n}°) = 0.5
log | log({m}) = 2
complex | i^{n} = i
vector | ({n},2) + (3,4) = (4,7)
matrix | [[{n},2],[3,4]] * [[1,0],[0,1]] = [[1,2],[3,4]]
point | ((3+{n})/2, (4+10)/2) = (5, 8)
ratio | {n}:3 = 4:6
function at point | f({n}) = {n} + 3
function def | f(x) = x + {n}
function names | {l}({n}) = {n}
given quote | the problem says "there are {n} apples"
apples | {n} apples and 7 pears, a total of {k}
told each | 5 boxes with {n} pens each is {double}
interest | $1,000 at {s}% compounded annually for 3 years grows to $1,150
stats | t(28) = 2.05, p = .0{s}
bmi | BMI = {n} / 1.75^2
isbn | ISBN 978-0-306-40615-8 is valid.
retract | Wait, it should be {n}, not 12.
no wrong | No, that's wrong.
shop names | The owl is to the left of the fox.
orderings | The {w} is second.
swaps | Alice and Bob swap: Alice: red, Bob: blue.
sort words | Sorted words: {w} {w} apple
letters | Letter 1: "{w}"
references | This is equal to {n} + 3.
which is | So a+b+m = 4+{n}+(-3). ⏎ Which is -1.
step labels | Step {n}: Solving the system: ⏎ x = {n}
numbered | {n}. x + 1 = {n}
bullets | - {n} + 1 = {m}
bold | **{n} + 1 = {m}**
word eq | distance = speed * {n}
word eq values | distance = {n} * 5 = {double}
word chain | apples + pears = {n} + 5 = {k}
abs | |x - {n}| = 3
fact | {s}! = 24
choose | C({d},2) = 10
cases | Case {n}: x = {n}
if | If x = {n}, then x + 1 = {k}
let | Let {l} = {n}.
system | {l} + {r} = {n}
system 3 | {n}a + {m}b + {k}c = {n}
products letters | {l}{r} = {t}
expand | expand (x+{n})(x-1) to get x^2
factors as | x^2 - {square} factors as (x-{n})(x+{n})
money | ${n}.50 + $2.50 = ${k}
mixed | {n} 3/4 + 1/4 = {m}
decimal comma | {n},5 + 1,5 = {k}
dots | {n} . 5 = {double}
ellipsis | 1 + 2 + ... + {n} = 5
ellipsis dec | 1/3 = 0.333...
compare | {n} is greater than 3
greek | α = {n}β + γ
chinese | 所以 x = {n}
average | the average of {n}, 4 and 6 is 5
remainder | the remainder of {n} divided by 7 is 3
rounded | {n}.567 rounded to the nearest tenth is {n}.6
remark | {n} inches (390 - 39)
set | A = {{1, 2, {n}}}
prob | P(A) = {n}/10
arrow | x = {n} => x = 3
long line true | {n} + 1 -
plus chain | 1 +
mult chain | 2 *
poly long | x^{d} +
poly letters | {l} +
poly prod | (x+1)
eq nospace | {n}={n}=
eq long letters | {l}=
semicolons | x = {n};
commas eq | x = {n}, y = {m},
and | x = {n} and
lt long | {n} <
answer | The answer is {n}.
boxed | \\boxed{{{n}}}
colon | x: {n}
code | x += {n}
print | print({n} + 1) ⏎ {m}
urls | https://a.b/c?d={n}&e=3
iff | x = {n} \\iff x + 1 = {m}
mean | mean = ({n} + 3)/2 = {n}
supersede | x^{n} = x^{m}
nested sqrt | sqrt(2+
nested frac | 1/(1+
names brackets | {n} (apples) + 3 (pears) = {k}
of | 1/2 of {n} = {n}
times word | {n} times 3 equals {double}
twice | twice {n} is {double}
reserve | Ryan has {n} apples and Alyssa has {m} apples
more than | {k} is 5 more than {n}
"""
KINDS = dict(row.split(" | ", 1) for row in _LINES.strip().splitlines())
_LETTERS = string.ascii_lowercase.replace("x", "")


def lines(*, kind: str, size: int) -> list[str]:
    """Lines of one kind, no two of those that count alike, of `size` characters and at most one line more.

    >>> lines(kind="one letter values", size=21)
    ['x = 0 - 9', 'x = 1 - 9', 'x = 2 - 9']
    """
    template, written, number = KINDS[kind].replace(" ⏎ ", "\n").replace("⇥", "\t"), list[str](), 0
    while size > 0:
        written.append(template.format(**_fields(number)))
        size -= len(written[-1]) + 1
        number += 1
    return written


def _fields(n: int) -> dict[str, int | float | str]:
    letters = {name: _LETTERS[(n * step) % 25] for name, step in (("l", 1), ("r", 7), ("t", 3))}
    return {
        **letters, "n": n, "m": n + 1, "k": n + 5, "w": _word(n + 26), "d": n % 28 + 1, "s": n % 9, "h": n % 50 + 10,
        "y": 1900 + n % 200, "double": 2 * n, "sevenfold": 7 * n, "thousands": 1000 * n, "half": n / 2, "square": n * n,
        "quotient": round(n / 7, 3),
    }  # fmt: skip


def _word(n: int) -> str:
    return (_word(n // 25) if n >= 25 else "") + _LETTERS[n % 25]


def trace_of(*, kind: str, size: int, shape: str) -> Trace:
    """A trace of such lines, all in one step or each one a step."""
    written = lines(kind=kind, size=size)
    steps = written if shape == "many steps" else ["\n".join(written)]
    return read_record({"id": "t", "problem": "Find x.", "steps": steps}, where="benchmark")


def _seconds(trace: Trace, graph: Graph) -> float:
    start = time.process_time()
    decide_all(trace=trace, graph=graph)
    return time.process_time() - start


def measured(kinds: list[str]) -> Iterator[tuple[float, str]]:
    """Of each kind and shape the seconds at full length, and a line with those at a quarter and at half of it."""
    for kind in kinds:
        for shape in SHAPES:
            seconds = []
            for size in (LONGEST // 4, LONGEST // 2, LONGEST):
                trace = trace_of(kind=kind, size=size, shape=shape)
                seconds.append(_seconds(trace, RulesDecomposer().decompose(trace)))
            yield seconds[-1], f"{kind:22s} {shape:10s} " + "  ".join(f"{value:6.2f}" for value in seconds)


def main() -> None:
    """Prints one line a kind and shape, the slowest first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", default=",".join(KINDS))
    options = parser.parse_args()
    rows = sorted(measured(options.kinds.split(",")), reverse=True)
    print(f"{len(rows)} texts of {LONGEST} characters; over 2 s: {sum(seconds > 2 for seconds, _ in rows)}")
    print("\n".join(line for _, line in rows))


if __name__ == "__main__":
    main()
