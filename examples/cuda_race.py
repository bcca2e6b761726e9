"""Find a race in a CUDA kernel on a machine without a GPU."""

import numpy

import clinch
import clinch.cuda

kernel = """
__global__ void reversed(const float *x, float *y) {
  __shared__ float part[64];
  int t = threadIdx.x;
  part[t] = x[t];
  y[t] = part[63 - t];
}
"""
x, y = numpy.arange(64, dtype="f"), numpy.empty(64, "f")
try:
    clinch.cuda.compile(kernel, "race.cu", check=True)["reversed"](1, 64)(x, y)
except clinch.RuleError as error:
    lines = sorted({found["line"] for found in error.diagnostics})
    print("lines", lines)  # prints: lines [5, 6]
