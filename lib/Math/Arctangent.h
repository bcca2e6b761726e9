// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What atan and atan2 share.

#pragma once

#include "Numbers.h"

/// Returns \p Eighths eighths of a turn, and \p Sign (1 or -1) times
/// atan(\p A / \p B) more, for 0 <= \p A <= \p B.
///
/// Above tan(pi / 8) it is an eighth and atan((A - B) / (A + B)). atan(s) =
/// s + s^3 P(s^2); P is fpminimax's, in polynomials.sollya, and s^3 P(s^2) errs
/// by less than 2^-63 of s.
static inline double arctangent(double A, double B, double Eighths,
                                double Sign) {
  const int Over = A > 0x1.a8279ap-2 * B;
  const double Less = A - B, LessLow = A - (Less + B);
  const double More = B + A, MoreLow = A - (More - B);
  const struct Double S =
      quotient((struct Double){Over ? Less : A, Over ? LessLow : 0},
               (struct Double){Over ? More : B, Over ? MoreLow : 0});
  const double Z = S.High * S.High;
  double P = 0x1.fb7741e4d88c8p-7;
  P = fma_(P, Z, -0x1.14bb2771a8d5bp-5);
  P = fma_(P, Z, 0x1.7215bbad6c025p-5);
  P = fma_(P, Z, -0x1.abcc0e0a6bbb8p-5);
  P = fma_(P, Z, 0x1.e17f369f8c772p-5);
  P = fma_(P, Z, -0x1.110d2ed955347p-4);
  P = fma_(P, Z, 0x1.3b137c20cac0bp-4);
  P = fma_(P, Z, -0x1.745d1567ee916p-4);
  P = fma_(P, Z, 0x1.c71c71bca8865p-4);
  P = fma_(P, Z, -0x1.2492492481cb9p-3);
  P = fma_(P, Z, 0x1.9999999999815p-3);
  P = fma_(P, Z, -0x1.5555555555555p-2);
  const double Tail = fma_(S.High * Z, P, S.Low);
  const double Turn = Eighths + (Over ? Sign : 0);
  const double Start = Turn * 0x1.921fb54442d18p-1;
  const double StartLow = fma_(Turn, 0x1.1a62633145c07p-55,
                               fma_(Turn, 0x1.921fb54442d18p-1, -Start));
  const struct Double Sum = rounded((struct Double){Start, Sign * S.High});
  return Sum.High + (Sum.Low + fma_(Sign, Tail, StartLow));
}
