"""`vectorize` and `low_level_callable`: compiled code for NumPy and SciPy."""
