"""`function`: a graph becomes a Function, by way of a Mode and a linker."""
