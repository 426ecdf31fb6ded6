"""The computer tier as a library: it refutes or verifies what a reasoning text computes, and never guesses.

Read `findings`, `registry` and `decision` first. `reading/` cuts a trace into passages, `mathematics/` is the engine,
`checks/` holds one module for each check, `examination` runs them all; `answers/` compares final answers, `sandbox/`
runs SymPy in a limited process, and `scratchpad` answers what a reviewer types.
"""
