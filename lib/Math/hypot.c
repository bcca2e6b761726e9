// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The length of a vector.
//
// Errs by less than 0.8 units in the last place wherever MPFR looked.

#include "Numbers.h"

double clinch_hypot(double X, double Y) {
  const double A = abs_(X), B = abs_(Y);
  const double Larger = A > B ? A : B, Smaller = A > B ? B : A;
  double Scale = Larger > 0x1p500 ? 0x1p-600 : 1;
  Scale = Larger < 0x1p-500 ? 0x1p600 : Scale;
  double Back = Larger > 0x1p500 ? 0x1p600 : 1;
  Back = Larger < 0x1p-500 ? 0x1p-600 : Back;
  const double L = Larger * Scale, S = Smaller * Scale;
  // The sum of the squares is in two parts.
  const double LL = L * L, SS = S * S, Sum = LL + SS;
  const double Low = (LL - Sum) + SS + (fma_(L, L, -LL) + fma_(S, S, -SS));
  const double Root = __builtin_sqrt(Sum);
  const double Rest = fma_(-Root, Root, Sum) + Low;
  const double Result = (Root + Rest / (Root + Root)) * Back;
  const double Finite = Sum == 0 ? 0 : Result;
  return canonical(
      A == CLINCH_INFINITY || B == CLINCH_INFINITY ? CLINCH_INFINITY : Finite);
}

float clinch_hypotf(float X, float Y) {
  const double A = abs_(X), B = abs_(Y);
  const double Result = __builtin_sqrt(A * A + B * B);
  return (float)canonical(
      A == CLINCH_INFINITY || B == CLINCH_INFINITY ? CLINCH_INFINITY : Result);
}
