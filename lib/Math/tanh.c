//===- tanh.c - The hyperbolic tangent -*- C -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errs by less than 0.8 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h; tanh(x) = -E / (2 + E), where E = e^-2x - 1.
//
//===----------------------------------------------------------------------===//

#include "Exponential.h"

double clinch_tanh(double X) {
  const double Size = abs_(X);
  const struct LessOne E = lessOne(-2 * (Size > 19.5 ? 19.5 : Size));
  // E and the divisor are halved, and each is in two parts.
  const double Sum = E.Sum + E.Low, Low = (E.Sum - Sum) + E.Low;
  const double Divisor = 1 + Sum, DivisorLow = (1 - Divisor) + Sum + Low;
  const double Inverse = 1 / Divisor;
  const double Quotient = -Sum * Inverse;
  const double Rest =
      fma_(-Quotient, Divisor, -Sum) - fma_(Quotient, DivisorLow, Low);
  const double Result = fma_(Rest, Inverse, Quotient);
  const double Signed = __builtin_copysign(Result, X);
  return canonical(Size < 0x1p-30 ? X : Signed);
}

CLINCH_FLOAT(tanh)
