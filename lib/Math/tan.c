// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tangent.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked: the sine
// by the cosine, or their negative inverse. The polynomials are in Angle.h.

#include "Angle.h"
#include "Single.h"

double clinch_tan(double X) {
  const struct Angle A = angle(X);
  const struct Double Sine = rounded(sine(A.R, A.Low));
  const struct Double Cosine = rounded(cosine(A.R, A.Low));
  const int Odd = A.N & 1;
  const struct Double Above = {Odd ? -Cosine.High : Sine.High,
                               Odd ? -Cosine.Low : Sine.Low};
  const struct Double Below = {Odd ? Sine.High : Cosine.High,
                               Odd ? Sine.Low : Cosine.Low};
  const struct Double Q = quotient(Above, Below);
  return canonical(abs_(X) < 0x1p-30 ? X : Q.High + Q.Low);
}

float clinch_tanf(float X) {
  const struct AngleSingle A = angleSingle(X);
  const double Sine = sineSingle(A.R), Cosine = cosineSingle(A.R);
  const double Result = A.N & 1 ? -Cosine / Sine : Sine / Cosine;
  return (float)canonical(X == 0 ? X : Result);
}
