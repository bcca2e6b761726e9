"""Types: the C hooks of numbers, arrays, parameters and Python objects."""
