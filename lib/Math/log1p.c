//===- log1p.c - log(1 + x) -*- C -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomial is in Logarithm.h; what rounding 1 + x loses is added to the
// reduced number.
//
//===----------------------------------------------------------------------===//

#include "Logarithm.h"

double clinch_log1p(double X) {
  const double Sum = 1 + X, Back = Sum - 1;
  const double Lost = (1 - (Sum - Back)) + (X - Back);
  const struct Reduced R = reduced(Sum);
  const double Scale = ofBits(0x3ff0000000000000 - R.Shift);
  const double Part = Sum > 0x1p60 ? 0 : Lost * Scale;
  const double F = R.F + Part, Low = (R.F - F) + Part;
  const double Tail = logarithmTail(F) + fma_(-Low, F, Low);
  const double Result = logarithmOr(Sum, natural(R.K, F, Tail));
  return canonical(abs_(X) < 0x1p-54 ? X : Result);
}

CLINCH_FLOAT(log1p)
