"""Interchangeable decomposers behind one Protocol: rules (offline default) and llm."""
