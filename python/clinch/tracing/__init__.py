"""`jit` and `evaluate`: functions written for NumPy, compiled by tracing."""
