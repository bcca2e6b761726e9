// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The angle of a point.
//
// Errs by less than 1.5 units in the last place wherever MPFR looked. The
// polynomial is in Arctangent.h.

#include "Arctangent.h"
#include "Single.h"

double clinch_atan2(double Y, double X) {
  const double A = abs_(X), B = abs_(Y);
  const int Steep = B > A, Left = bitsOf(X) >> 63;
  const double Larger = Steep ? B : A, Smaller = Steep ? A : B;
  // They are scaled so that the larger one is near 1.
  const uint64_t Exponent = bitsOf(Larger) >> 52;
  const uint64_t Other = Exponent < 2046 ? 2046 - Exponent : 1;
  const double Scale = ofBits(Other << 52);
  const int Infinite = Larger == CLINCH_INFINITY;
  const double Both = Smaller == CLINCH_INFINITY ? 1 : 0;
  const double Low = Infinite ? Both : Smaller * Scale;
  const double High = (Infinite | (Larger == 0)) ? 1 : Larger * Scale;
  const double Sign = Steep ? -1 : 1, Eighths = Steep ? 2 : 0;
  const double Result =
      arctangent(Low, High, Left ? 4 - Eighths : Eighths, Left ? -Sign : Sign);
  const double Signed = __builtin_copysign(Result, Y);
  return canonical(((X == X) & (Y == Y)) ? Signed : CLINCH_NAN);
}

float clinch_atan2f(float Y, float X) {
  const double A = abs_(X), B = abs_(Y);
  const int Steep = B > A, Left = __builtin_signbit(X) != 0;
  const double Larger = Steep ? B : A, Smaller = Steep ? A : B;
  const int Infinite = Larger == CLINCH_INFINITY;
  const double Both = Smaller == CLINCH_INFINITY ? 1 : 0;
  const double Low = Infinite ? Both : Smaller;
  const double High = (Infinite | (Larger == 0)) ? 1 : Larger;
  const double Sign = Steep ? -1 : 1, Eighths = Steep ? 2 : 0;
  const double Result =
      atanSingle(Low, High, Left ? 4 - Eighths : Eighths, Left ? -Sign : Sign);
  const double Signed = __builtin_copysign(Result, Y);
  return (float)canonical(((X == X) & (Y == Y)) ? Signed : CLINCH_NAN);
}
