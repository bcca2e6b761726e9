"""Call C with NumPy arrays: Clinch passes their memory, without a copy."""

import numpy as np

import clinch

code = clinch.compile("""
    void running_sum(const double *x, double *sums, long n) {
        double sum = 0;
        for (long i = 0; i < n; i++) sums[i] = sum += x[i];
    }
""")
x = np.array([1.0, 2.0, 4.0])
sums = np.empty_like(x)
code.running_sum(x, sums, len(x))
print(sums)  # prints: [1. 3. 7.]
