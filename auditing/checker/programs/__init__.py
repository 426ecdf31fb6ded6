"""An interpreter of small pure Python functions: a program of a trace is walked step by step and never run."""
