"""A trace becomes a graph: readers, decomposers and the graph itself. Knows no auditor and no points."""
