"""Expressions of the whitelisted Python: what each kind of them comes to, and what may be called.

Names are looked up in dictionaries of ours and attributes in a closed table, so that no text reaches an object of this
process. Floats are doubles, as every Python computes them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from auditing.checker.programs.values import (
    BINARY,
    COMPARISONS,
    FUNCTIONS,
    ITERATED,
    METHODS,
    UNARY,
    Budget,
    UnsupportedError,
    checked,
    size_of,
)

# expressions inside each other, for each call that is open
MAX_DEPTH = 25


class Expressions:
    """Values of expressions; `bind` and `call` belong to whoever runs statements."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.functions: dict[str, ast.FunctionDef] = {}
        self.globals: dict[str, Any] = {}
        self._calls = self._depth = 0

    def bind(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        """Gives a name or an element its value."""
        raise NotImplementedError

    def call(self, function: ast.FunctionDef, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """Calls a function of the trace."""
        raise NotImplementedError

    def value(self, expression: ast.expr, names: dict[str, Any]) -> Any:
        self._depth += 1
        if self._depth > MAX_DEPTH * (self._calls + 1):
            raise UnsupportedError("nested too deeply")
        reader = _EXPRESSIONS.get(type(expression))
        if reader is None:
            raise UnsupportedError(type(expression).__name__)
        value = checked(reader(self, expression, names))
        self.budget.spend(size_of(value))
        self._depth -= 1
        return value

    def _constant(self, expression: ast.Constant, _names: dict[str, Any]) -> Any:
        return expression.value

    def _name(self, expression: ast.Name, names: dict[str, Any]) -> Any:
        for holder in (names, self.globals):
            if expression.id in holder:
                return holder[expression.id]
        raise UnsupportedError("an unknown name")

    def _binary(self, expression: ast.BinOp, names: dict[str, Any]) -> Any:
        left, right = self.value(expression.left, names), self.value(expression.right, names)
        return self.combined(expression.op, left, right)

    def combined(self, sign: ast.operator, left: Any, right: Any) -> Any:
        operation = BINARY.get(type(sign))
        if operation is None:
            raise UnsupportedError("another sign")
        return checked(operation(left, right))

    def _unary(self, expression: ast.UnaryOp, names: dict[str, Any]) -> Any:
        return UNARY[type(expression.op)](self.value(expression.operand, names))

    def _boolean(self, expression: ast.BoolOp, names: dict[str, Any]) -> Any:
        is_and = isinstance(expression.op, ast.And)
        value: Any = is_and
        for operand in expression.values:
            value = self.value(operand, names)
            if bool(value) is not is_and:
                return value
        return value

    def _compared(self, expression: ast.Compare, names: dict[str, Any]) -> Any:
        left = self.value(expression.left, names)
        for sign, operand in zip(expression.ops, expression.comparators, strict=True):
            right = self.value(operand, names)
            self.budget.spend(size_of(right))
            if not COMPARISONS[type(sign)](left, right):
                return False
            left = right
        return True

    def _chosen(self, expression: ast.IfExp, names: dict[str, Any]) -> Any:
        return self.value(expression.body if self.value(expression.test, names) else expression.orelse, names)

    def _listed(self, expression: ast.List, names: dict[str, Any]) -> Any:
        return [self.value(element, names) for element in expression.elts]

    def _tuple(self, expression: ast.Tuple, names: dict[str, Any]) -> Any:
        return tuple(self.value(element, names) for element in expression.elts)

    def _dictionary(self, expression: ast.Dict, names: dict[str, Any]) -> Any:
        pairs = zip(expression.keys, expression.values, strict=True)
        return {self.value(key, names): self.value(value, names) for key, value in pairs if key is not None}

    def _subscript(self, expression: ast.Subscript, names: dict[str, Any]) -> Any:
        holder, at = self.value(expression.value, names), expression.slice
        if isinstance(at, ast.Slice):
            ends = [self.value(end, names) if end is not None else None for end in (at.lower, at.upper, at.step)]
            return holder[slice(*ends)]
        return holder[self.value(at, names)]

    def _comprehension(self, expression: ast.ListComp | ast.GeneratorExp, names: dict[str, Any]) -> Any:
        if len(expression.generators) != 1:
            raise UnsupportedError("a comprehension of several")
        generator, inner = expression.generators[0], dict(names)
        values = []
        for element in self.elements(generator.iter, names):
            self.bind(generator.target, element, inner)
            if all(self.value(condition, inner) for condition in generator.ifs):
                values.append(self.value(expression.elt, inner))
        return values

    def elements(self, expression: ast.expr, names: dict[str, Any]) -> Iterator[Any]:
        holder = self.value(expression, names)
        if not isinstance(holder, ITERATED):
            raise UnsupportedError("nothing to go through")
        for element in list(holder):
            self.budget.spend(1)
            yield element

    def _call(self, expression: ast.Call, names: dict[str, Any]) -> Any:
        arguments = [self.value(argument, names) for argument in expression.args]
        keywords = {word.arg: self.value(word.value, names) for word in expression.keywords if word.arg}
        if len(keywords) != len(expression.keywords):
            raise UnsupportedError("arguments in a dictionary")
        function = expression.func
        if isinstance(function, ast.Name) and function.id in self.functions:
            return self.call(self.functions[function.id], arguments, keywords)
        self.budget.spend(sum(map(size_of, arguments)))
        if isinstance(function, ast.Name):
            return _known(FUNCTIONS, function.id)(*arguments, **keywords)
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "math":
            return _known(FUNCTIONS, f"math.{function.attr}")(*arguments, **keywords)
        if isinstance(function, ast.Attribute):
            holder = self.value(function.value, names)
            value = _known(METHODS, (type(holder), function.attr))(holder, *arguments, **keywords)
            checked(holder)
            return value
        raise UnsupportedError("another call")


def _known(table: dict[Any, Callable[..., Any]], name: Any) -> Callable[..., Any]:
    if name not in table:
        raise UnsupportedError("another function")
    return table[name]


_EXPRESSIONS: dict[type[ast.expr], Callable[[Expressions, Any, dict[str, Any]], Any]] = {
    ast.Constant: Expressions._constant,
    ast.Name: Expressions._name,
    ast.BinOp: Expressions._binary,
    ast.UnaryOp: Expressions._unary,
    ast.BoolOp: Expressions._boolean,
    ast.Compare: Expressions._compared,
    ast.IfExp: Expressions._chosen,
    ast.List: Expressions._listed,
    ast.Tuple: Expressions._tuple,
    ast.Dict: Expressions._dictionary,
    ast.Subscript: Expressions._subscript,
    ast.ListComp: Expressions._comprehension,
    ast.GeneratorExp: Expressions._comprehension,
    ast.Call: Expressions._call,
}
