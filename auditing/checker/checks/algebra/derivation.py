"""Checker: equations with symbols. Each must agree with what the problem and the steps before it say.

How it works:

1. Every equation that is asserted becomes a polynomial that is zero, and enters a system (equations.py) that keeps what
   follows from all of them by Gaussian elimination (mathematics/knowledge.py).
2. An equation that the system contradicts is refuted, with the equations that it contradicts as evidence.
3. Whatever is not asserted of the whole trace must stay out, or sound derivations would be accused: suppositions,
   cases, lists of solutions, curves with equations of their own (cases.py). Most of the code is about this.
"""

from __future__ import annotations

from collections.abc import Iterator

from auditing.checker.checks.algebra.cases import (
    defines_a_branch,
    holds_in_one_case,
    introduced_anew,
    is_about_coordinates,
    is_split_into_cases,
    listed_symbols,
    names_a_graph,
    speaks_of_curves,
    split_symbols,
    with_branches,
)
from auditing.checker.checks.algebra.equations import (
    Equation,
    EquationSystem,
    assigned_symbol,
    assigns_anew,
    below_roots,
    goes_on_from,
    is_applied,
    is_equation,
    read_equation,
    suppose,
)
from auditing.checker.checks.algebra.solving import nearly_solves
from auditing.checker.checks.numbers.arithmetic import rounded_values
from auditing.checker.checks.solved.alternatives import stand_apart
from auditing.checker.checks.solved.instances import letter_of_one_instance, letters_of_related_solutions
from auditing.checker.checks.solved.letters import letters_without_a_value
from auditing.checker.checks.solved.named_functions import named_functions
from auditing.checker.checks.solved.open_contradictions import (
    is_of_another_thread,
    is_rounded_on_the_way,
    may_both_hold,
    product_split_by,
    tried_for_several,
)
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.exactly.rounding import half_unit
from auditing.checker.mathematics.polynomial import difference, is_constant
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, bare_number, free_symbols, latex, walk
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.contradictions import Line, of_lines
from auditing.checker.proofs.formulas import of_values
from auditing.checker.proofs.solutions import of_rewriting
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.points import holds_a_point, is_of_a_point, with_points
from auditing.checker.reading.suppressions import takes_back

NAME = "derivation"
MAX_EQUATIONS = 300
_IMPOSSIBLE = any_of("no_solution* never impossible cannot can_not contradict* no_value* not_possible no_such")


def check(script: Script) -> Iterator[Placed]:
    """Reads problem and steps in order; every contradiction is placed at the later equation."""
    is_of_numbers = not script.has_symbols and not any(map(holds_a_point, script.everything))
    if is_of_numbers or is_split_into_cases(script.problem.text):
        return
    system = EquationSystem(script, given=script.given, letters=letters_without_a_value(script))
    system.loosen(system.letters | script.once(named_functions) | letters_of_related_solutions(script.problem))
    has_curves, meanings = speaks_of_curves(script.problem.text), dict[str, str]()
    for passage, is_branch in with_branches(script):
        is_problem = passage is script.problem
        # A case and a single curve get a system of their own, which ends with the passage: two equations of one case
        # may contradict each other, but nothing outside.
        local = EquationSystem(
            script, functions=system.functions, given=system.given, read=system.read, told=system.told
        )
        system.read.append(passage)
        several = listed_symbols(passage) | introduced_anew(passage, meanings)
        local.loosen(several)
        system.loosen(several)
        if passage.page.chains and passage.is_modular:
            continue
        for chain in with_points(passage):
            if passage.text.endswith("_{", 0, chain.start):
                continue  # the index of a sum
            # "the y-axis is the graph of x = 0": one of several curves
            if not is_problem and names_a_graph(passage.text[max(0, chain.start - 80) : chain.end + 40]):
                continue
            is_local = is_branch or (has_curves and not is_problem and is_about_coordinates(chain))
            yield from _check_chain(passage, chain, local if is_local else system, is_problem)
        # what is supposed in one case has several values
        system.loosen(local.supposed)


def _check_chain(passage: Passage, chain: Chain, system: EquationSystem, is_problem: bool) -> Iterator[Placed]:
    for index, relation in enumerate(chain.relations):
        left, right = chain.sides[index], chain.sides[index + 1]
        if relation != "=" or len(system.equations) >= MAX_EQUATIONS or not is_equation(left, right, text=passage.text):
            continue
        is_case = holds_in_one_case(passage, chain, index, is_problem)
        if is_problem and (letter := letter_of_one_instance(passage, chain)):
            system.loosen({letter})
            continue
        equation = read_equation(passage, left, right, system) if is_problem or not is_case else None
        # what "find x when 2x = 6" asks for solves it, too
        system.given_equations += [equation] if is_problem and equation is not None else []
        if is_case:
            suppose(passage=passage, chain=chain, left=left, right=right, system=system)
        elif equation is not None:
            yield from _enter(equation, system, is_problem)
        if defines_a_branch(passage, chain):
            system.forget(left.tree)


def _enter(equation: Equation, system: EquationSystem, is_problem: bool) -> Iterator[Placed]:
    """Judges one equation against the problem and the system, then adds it."""
    # What the problem says is copied here, whatever contradicts it.
    if is_problem:
        system.told.add(equation.text)
    elif equation.text in system.told:
        return
    # 0. x^2 = x - 1 where x^2 = x + 1 is given: however many values x has, none solves both.
    excluding = None if is_problem else system.excluding(equation)
    if excluding is not None:
        yield _contradiction(equation, [excluding], system)
    else:
        yield from _learn(equation, system, is_problem)


def _learn(equation: Equation, system: EquationSystem, is_problem: bool) -> Iterator[Placed]:
    # 1. An equation in a symbol with several values says nothing about the others.
    if equation.symbols & system.loose:
        return
    system.equations.append(equation)
    if equation.left.tree is not None and equation.right.tree is not None:
        span = equation.passage.text[equation.left.start : equation.right.end]
        system.define(equation.left.tree, equation.right.tree, span)
    # 2. What the problem says is never refuted.
    against = None if is_problem else system.knowledge.contradiction(equation.polynomial, equation.index)
    if against is None:
        # 3. No contradiction: the equation is learnt, unless it says a number equals itself.
        if not is_constant(equation.polynomial):
            system.knowledge.learn(equation.polynomial, equation.index)
        return
    # 3b. v = 9.9 after v^2 = 98 is no contradiction, and nothing to compute on with: a decimal ends where it was cut.
    if _is_rounded(equation, system):
        return
    contradicted = [system.equations[index] for index in sorted(against - {equation.index})]
    # 4. x = 2 here and x = 3 before: two solutions of one equation, rather than an error.
    name = assigned_symbol(equation.left, equation.right)
    several = split_symbols(equation, contradicted) | product_split_by(equation, contradicted, system.equations)
    several = several or set(tried_for_several(equation, contradicted, system.script))
    if several:
        system.loosen(several)
        return
    if (name and _is_nearly_solved(name, equation, contradicted)) or (
        not contradicted and _is_shown_impossible(equation)
    ):
        return
    yield _contradiction(equation, contradicted, system)


def _contradiction(equation: Equation, contradicted: list[Equation], system: EquationSystem) -> Placed:
    # 5. Only the first contradiction is certain: those after it may all come from one slip.
    is_open = (
        system.is_broken
        or takes_back(equation.passage.text)
        or assigns_anew(equation)
        or any(assigns_anew(earlier) and goes_on_from(earlier, equation) for earlier in contradicted)
        or any(is_of_a_point(line.left, line.right, line.passage) for line in (equation, *contradicted))
        or may_both_hold(equation, contradicted, system.given)
        or stand_apart(equation, contradicted, system)
        or is_of_another_thread(equation, contradicted, system.script)
        or is_rounded_on_the_way(equation, contradicted, system.script.once(rounded_values))
    )
    grade = Grade.LIKELY if is_open else Grade.CERTAIN
    system.is_broken = True
    return _placed(equation, contradicted, grade)


def _is_rounded(equation: Equation, system: EquationSystem) -> bool:
    """Whether a symbol is given a decimal that what is known allows once its last digit is taken as rounded."""
    name = assigned_symbol(equation.left, equation.right)
    number = next(filter(None, map(_decimal, (equation.left.tree, equation.right.tree))), None)
    if name is None or number is None or number.value in system.given:
        return False
    shifted = (number.value - half_unit(number), number.value + half_unit(number))
    low, high = (system.knowledge.excess(difference(Sym(name), Num(value))) for value in shifted)
    return low * high <= 0  # between the two ends the excess passes through zero


def _is_shown_impossible(equation: Equation) -> bool:
    """3/(x - 1) = -3/(x - 1), which can never hold: that is what the text wants to show."""
    return bool(_IMPOSSIBLE.search(equation.passage.text[equation.right.end : equation.right.end + 120]))


def _is_nearly_solved(name: str, equation: Equation, contradicted: list[Equation]) -> bool:
    """r = 7 after 1000 (1 + r/100)^3 = 1225, which is 1225.04: the number was rounded to a whole one."""
    value = equation.right.tree if isinstance(equation.left.tree, Sym) else equation.left.tree
    earlier = contradicted[0] if len(contradicted) == 1 else None
    if earlier is None or value is None or earlier.symbols != {name}:
        return False
    left, right = earlier.left.tree, earlier.right.tree
    if left is None or right is None or not any(isinstance(tree, Node) and tree.op == "^" for tree in walk(left)):
        return False
    return nearly_solves(left=left, right=right, name=name, value=value)


def _decimal(tree: Tree | None) -> Num | None:
    number = bare_number(tree) if tree is not None else None
    return number if number is not None and number.decimals else None


def _placed(equation: Equation, contradicted: list[Equation], grade: Grade) -> Placed:
    reasons = [earlier.text for earlier in contradicted][:4]
    sentence = f"{equation.text} holds for no value: the two sides differ by a constant."
    if any(is_applied(name) for name in equation.symbols):
        sentence = f"{equation.text} contradicts the rule that was given for this function."
    if reasons:
        sentence = f"{equation.text} contradicts what stands before: {'; '.join(reasons)}."
    against = r" \\ ".join(_latex(earlier) for earlier in contradicted[:4])
    details = {
        "normal_form": equation.text,
        "against": "; ".join(reasons),
        "rule": "inconsistent equations",
        **_proof(contradicted, equation),
        "evidence_latex": _latex(equation),
        "against_latex": against,
    }
    return place(
        passage=equation.passage,
        start=equation.left.start,
        end=equation.right.end,
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule="inconsistent equations",
        sentence=sentence,
        details=details,
        grade=grade,
    )


def _proof(contradicted: list[Equation], equation: Equation) -> dict[str, str]:
    """Lines that contradict each other; or f(3) = 11 with the rule of f put in, two numbers that differ."""
    left, right = equation.applied
    if equation.rules and not contradicted and not free_symbols(left) | free_symbols(right):
        return of_values(left, right, equation.rules)
    lines = [_line(line) for line in (*contradicted, equation)]
    return of_lines(lines) or (of_rewriting(*lines) if len(lines) == 2 else {})


def _line(equation: Equation) -> Line:
    text = equation.passage.text[equation.left.start : equation.right.end]
    return Line(text, *below_roots(*equation.sides))


def _latex(equation: Equation) -> str:
    left, right = equation.sides
    return f"{latex(left)} = {latex(right)}"
