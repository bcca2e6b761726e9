// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A power of ten.
//
// Errs by less than 0.8 units in the last place wherever MPFR looked: 10^x is
// 2^(x log2(10)). The polynomial is in Exponential.h.

#include "Exponential.h"
#include "Single.h"

double clinch_exp10(double X) {
  const double High = X * 0x1.a934f0979a371p1;
  const double Low = fma_(X, 0x1.a934f0979a371p1, -High);
  return canonical(power(High, fma_(X, 0x1.7f2495fb7fa6dp-53, Low)));
}

float clinch_exp10f(float X) {
  return (float)canonical(exp2Single(X * 0x1.a934f0979a371p1));
}
