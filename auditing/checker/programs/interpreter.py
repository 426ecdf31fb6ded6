"""The interpreter: statements and expressions of a whitelisted Python, walked with a budget of steps.

A tree walk over Python's own syntax tree: names are looked up in dictionaries of ours, attributes in a closed table, so
that no text reaches an object of this process. Floats are doubles, as every Python computes them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from auditing.checker.programs.expressions import Expressions
from auditing.checker.programs.values import UnsupportedError, checked

# calls inside each other
MAX_CALLS = 25


# a "break" without a loop, which only a compiler refuses, leaves the program as what cannot be computed
class _Return(UnsupportedError):  # noqa: N818 - how a function ends, no error
    def __init__(self, value: Any) -> None:
        self.value = value


class _Leave(UnsupportedError):  # noqa: N818 - break
    pass


class _Next(UnsupportedError):  # noqa: N818 - continue
    pass


class Interpreter(Expressions):
    """The functions that a trace has defined so far, and what is computed with them."""

    def define(self, statement: ast.stmt) -> None:
        """A function, or a name that is given a value, at the top of a program."""
        if isinstance(statement, ast.FunctionDef):
            self.functions[statement.name] = statement
        elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            self._run([statement], self.globals)

    def value_of(self, expression: ast.expr) -> Any:
        """The value of an expression. Raises UnsupportedError, or what Python would raise."""
        self._calls = self._depth = 0
        return self.value(expression, self.globals)

    # -- statements ----------------------------------------------------------------------------------------------------

    def _run(self, body: list[ast.stmt], names: dict[str, Any]) -> None:
        for statement in body:
            self.budget.spend(1)
            runner = _STATEMENTS.get(type(statement))
            if runner is None:
                raise UnsupportedError(type(statement).__name__)
            runner(self, statement, names)

    def _return(self, statement: ast.Return, names: dict[str, Any]) -> None:
        raise _Return(self.value(statement.value, names) if statement.value is not None else None)

    def _assign(self, statement: ast.Assign, names: dict[str, Any]) -> None:
        value = self.value(statement.value, names)
        for target in statement.targets:
            self.bind(target, value, names)

    def _annotated(self, statement: ast.AnnAssign, names: dict[str, Any]) -> None:
        if statement.value is not None:
            self.bind(statement.target, self.value(statement.value, names), names)

    def _augmented(self, statement: ast.AugAssign, names: dict[str, Any]) -> None:
        target = statement.target
        if not isinstance(target, (ast.Name, ast.Subscript)):
            raise UnsupportedError("another target")
        before = self.value(_as_read(target), names)
        self.bind(target, self.combined(statement.op, before, self.value(statement.value, names)), names)

    def bind(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        if isinstance(target, ast.Name):
            names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (list, tuple)):
            if len(target.elts) != len(value) or any(isinstance(piece, ast.Starred) for piece in target.elts):
                raise UnsupportedError("an uneven assignment")
            for piece, element in zip(target.elts, value, strict=True):
                self.bind(piece, element, names)
        elif isinstance(target, ast.Subscript):
            holder, key = self.value(target.value, names), self.value(target.slice, names)
            if not isinstance(holder, (list, dict)):
                raise UnsupportedError("another target")
            self.budget.spend(1)
            holder[key] = value
            checked(holder)
        else:
            raise UnsupportedError("another target")

    def _if(self, statement: ast.If, names: dict[str, Any]) -> None:
        self._run(statement.body if self.value(statement.test, names) else statement.orelse, names)

    def _while(self, statement: ast.While, names: dict[str, Any]) -> None:
        while self.value(statement.test, names):
            self.budget.spend(1)
            if self._leaves(statement.body, names):
                return
        self._run(statement.orelse, names)

    def _for(self, statement: ast.For, names: dict[str, Any]) -> None:
        for element in self.elements(statement.iter, names):
            self.bind(statement.target, element, names)
            if self._leaves(statement.body, names):
                return
        self._run(statement.orelse, names)

    def _leaves(self, body: list[ast.stmt], names: dict[str, Any]) -> bool:
        """Whether the body of a loop breaks it off."""
        try:
            self._run(body, names)
        except _Next:
            return False
        except _Leave:
            return True
        return False

    def _expression(self, statement: ast.Expr, names: dict[str, Any]) -> None:
        self.value(statement.value, names)

    def _pass(self, _statement: ast.Pass, _names: dict[str, Any]) -> None:
        return

    def _break(self, _statement: ast.Break, _names: dict[str, Any]) -> None:
        raise _Leave

    def _continue(self, _statement: ast.Continue, _names: dict[str, Any]) -> None:
        raise _Next

    def call(self, function: ast.FunctionDef, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """A function of the trace, with names of its own."""
        parameters = function.args
        is_plain = not (parameters.vararg or parameters.kwarg or parameters.kwonlyargs or parameters.posonlyargs)
        names = [parameter.arg for parameter in parameters.args]
        if not is_plain or function.decorator_list or len(arguments) > len(names) or not set(keywords) <= set(names):
            raise UnsupportedError("another kind of function")
        defaults = dict(zip(reversed(names), reversed(parameters.defaults), strict=False))
        local = dict(zip(names, arguments, strict=False)) | keywords
        for name in names:
            if name not in local:
                if name not in defaults:
                    raise UnsupportedError("an argument is missing")
                local[name] = self.value(defaults[name], self.globals)
        self._calls += 1
        if self._calls > MAX_CALLS:
            raise UnsupportedError("too many calls inside each other")
        depth = self._depth
        try:
            self._run(function.body, local)
        except _Return as ended:
            return ended.value
        finally:
            self._calls -= 1
            self._depth = depth
        return None


def _as_read(target: ast.Name | ast.Subscript) -> ast.expr:
    """A target as what stands there before."""
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    return ast.Subscript(target.value, target.slice, ast.Load())


_STATEMENTS: dict[type[ast.stmt], Callable[[Interpreter, Any, dict[str, Any]], None]] = {
    ast.Return: Interpreter._return,
    ast.Assign: Interpreter._assign,
    ast.AnnAssign: Interpreter._annotated,
    ast.AugAssign: Interpreter._augmented,
    ast.If: Interpreter._if,
    ast.While: Interpreter._while,
    ast.For: Interpreter._for,
    ast.Expr: Interpreter._expression,
    ast.Pass: Interpreter._pass,
    ast.Break: Interpreter._break,
    ast.Continue: Interpreter._continue,
}
