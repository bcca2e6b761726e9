"""The chart of the page PyMC shows the table in docs/internals/pymc.md."""
# RUN: %python %s %source

import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "benchmarks", "pymc"))
sys.dont_write_bytecode = True
import chart

assert chart.CHART.read_text(encoding="utf-8") == chart.chart(), (
    "run benchmarks/pymc/chart.py")
assert chart.chart().count(" s, Numba ") == 25
