"""DAG-MATH beyond one trace: gold graphs in three stages, the graph of a task over several traces, difficulty."""
