"""The program inside the sandbox: SymPy on trees that came through our own parser, under hard limits.

Run as `python -m auditing.checker.sandbox.worker`; reads one JSON job a line, writes one JSON reply a line.
SymPy objects are built node by node: no text ever reaches sympify or a parser of SymPy's. Should a way to run code be
found in SymPy all the same, that code starts no process, opens no connection, writes no file and reads none but code.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from typing import Any

MEMORY_BYTES = 900 * 1024 * 1024
CPU_SECONDS = 4
# loading a library reads these; no other file may be opened
_CODE = (".py", ".pyc", ".so")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_REFUSED = (
    "os.fork",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "os.kill",
    "os.putenv",
    "os.remove",
    "os.rename",
    "os.mkdir",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "os.chmod",
    "os.chown",
    "pty.",
    "shutil.",
    "subprocess.",
    "socket.",
    "ctypes.",
    "signal.",
    "sys.addaudithook",
)
"""Audit events (PEP 578) that no job may cause, by how they begin; all of their kind with a dot at the end."""


class ForbiddenExpressionError(BaseException):
    """A job wanted more than to calculate."""


def limit() -> None:
    """No more memory than MEMORY_BYTES, few open files, no core dumps, and no process beside this one."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))  # the kernel does not hold root to it; `refuse` does


def refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """The audit hook of a job. Raises Forbidden."""
    if event == "open":
        path, _, flags = arguments
        is_code = isinstance(path, str | bytes) and os.fsdecode(path).endswith(_CODE)
        if not is_code or (flags or 0) & _WRITING:
            raise ForbiddenExpressionError(event)
    elif event.startswith(_REFUSED):
        raise ForbiddenExpressionError(event)


def _allow_cpu() -> None:
    """CPU_SECONDS from now; the kernel ends the process after them."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = int(usage.ru_utime + usage.ru_stime)
    # RLIMIT_CPU counts from the start of the process, so each job gets what was used before it on top
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (used + CPU_SECONDS, hard))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)


def build(tree: list[Any]) -> Any:
    """A SymPy expression from nested lists, by a whitelist of operations."""
    import sympy

    if tree[0] == "n":
        top, _, bottom = tree[1].partition("/")
        return sympy.Rational(int(top), int(bottom or 1))
    if tree[0] == "s":
        return sympy.pi if tree[1] == "pi" else sympy.Symbol(tree[1])
    operations: dict[str, Callable[..., Any]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "^": lambda a, b: a**b,
        "neg": lambda a: -a,
        "sqrt": sympy.sqrt,
        "root": lambda a, n: sympy.root(a, n),
        "abs": sympy.Abs,
        "exp": sympy.exp,
        "ln": sympy.log,
        "sin": sympy.sin,
        "cos": sympy.cos,
        "tan": sympy.tan,
        "arcsin": sympy.asin,
        "arccos": sympy.acos,
        "arctan": sympy.atan,
        "deg": lambda a: a * sympy.pi / 180,
        "!": sympy.factorial,
        "binom": sympy.binomial,
    }
    return operations[tree[1]](*[build(arg) for arg in tree[2:]])


def _same(left: Any, right: Any) -> bool | None:
    import sympy

    # SymPy finds no difference: the same. That it finds one proves nothing.
    return True if sympy.simplify(left - right) == 0 else None


def _solve(left: Any, right: Any) -> list[str] | None:
    import sympy

    names = sorted((left - right).free_symbols, key=str)
    if len(names) != 1:
        return None
    return [str(root) for root in sympy.solve(sympy.Eq(left, right), names[0])]


TASKS: dict[str, Callable[..., Any]] = {
    "same": _same,
    "solve": _solve,
    "expand": lambda tree: str(__import__("sympy").expand(tree)),
    "factor": lambda tree: str(__import__("sympy").factor(tree)),
    "simplify": lambda tree: str(__import__("sympy").simplify(tree)),
    "integrate": lambda tree: str(__import__("sympy").integrate(tree, *sorted(tree.free_symbols, key=str)[:1])),
}


def answer(line: bytes) -> dict[str, Any]:
    """The reply to one job; any failure is "cannot check" (None)."""
    try:
        job = json.loads(line)
        return {"answer": TASKS[job["task"]](*[build(tree) for tree in job["trees"]])}
    except Exception as error:
        return {"answer": None, "error": type(error).__name__}


def main() -> None:
    """Answers jobs until standard input closes."""
    limit()
    # in this order: the hook can never be taken off again, and would forbid the loading
    import sympy  # noqa: F401  loading it does more than its mathematics ever may

    sys.addaudithook(refuse)
    for line in sys.stdin.buffer:
        _allow_cpu()
        sys.stdout.write(json.dumps(answer(line)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
