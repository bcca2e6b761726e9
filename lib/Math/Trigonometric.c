// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sines, cosines, tangents, and their inverses.

#include "Angle.h"
#include "Arcsine.h"
#include "Arctangent.h"
#include "Single.h"

// sin: the sine.
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomials are in Angle.h.

double clinch_sin(double X) {
  const double Result = sineOf(angle(X), 0);
  return canonical(abs_(X) < 0x1p-30 ? X : Result);
}

float clinch_sinf(float X) {
  const double Result = sineOfSingle(angleSingle(X), 0);
  return (float)canonical(X == 0 ? X : Result);
}

// cos: the cosine.
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomials are in Angle.h.

double clinch_cos(double X) {
  const double Result = sineOf(angle(X), 1);
  return canonical(abs_(X) < 0x1p-30 ? 1 : Result);
}

float clinch_cosf(float X) {
  return (float)canonical(sineOfSingle(angleSingle(X), 1));
}

// tan: the tangent.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked: the sine
// by the cosine, or their negative inverse. The polynomials are in Angle.h.

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

// asin: the arcsine.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. The
// polynomial is in Arcsine.h.

double clinch_asin(double X) {
  const struct Arcsine A = arcsine(X);
  const struct Double Sum =
      rounded((struct Double){0x1.921fb54442d18p0, -2 * A.S});
  const double Over =
      Sum.High + (Sum.Low + fma_(-2, A.Tail, 0x1.1a62633145c07p-54));
  const double Result = A.Over ? Over : A.S + A.Tail;
  return canonical(__builtin_copysign(Result, X));
}

float clinch_asinf(float X) {
  const double Size = abs_(X);
  const int Over = Size > 0.5;
  const double Z = Over ? 0.5 - 0.5 * Size : Size * Size;
  const double Part = asinSingle(Over ? __builtin_sqrt(Z) : Size, Z);
  const double Result = Over ? 0x1.921fb54442d18p0 - 2 * Part : Part;
  return (float)canonical(__builtin_copysign(Result, X));
}

// acos: the arccosine.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. The
// polynomial is in Arcsine.h.

double clinch_acos(double X) {
  const struct Arcsine A = arcsine(X);
  const double Quarters = A.Over ? (X > 0 ? 0 : 2) : 1;
  const double Times = __builtin_copysign(A.Over ? 2 : 1, A.Over ? X : -X);
  const struct Double Sum =
      rounded((struct Double){Quarters * 0x1.921fb54442d18p0, Times * A.S});
  const double Low = fma_(Times, A.Tail, Quarters * 0x1.1a62633145c07p-54);
  return canonical(Sum.High + (Sum.Low + Low));
}

float clinch_acosf(float X) {
  const double Size = abs_(X);
  const int Over = Size > 0.5;
  const double Z = Over ? 0.5 - 0.5 * Size : Size * Size;
  const double Part = asinSingle(Over ? __builtin_sqrt(Z) : Size, Z);
  const double Quarters = Over ? (X > 0 ? 0 : 2) : 1;
  const double Times = __builtin_copysign(Over ? 2 : 1, Over ? X : -X);
  return (float)canonical(fma_(Times, Part, Quarters * 0x1.921fb54442d18p0));
}

// atan: the arctangent.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. The
// polynomial is in Arctangent.h.

double clinch_atan(double X) {
  const double Size = abs_(X) > 0x1p60 ? 0x1p60 : abs_(X);
  const int Over = Size > 1;
  const double Result =
      arctangent(Over ? 1 : Size, Over ? Size : 1, Over ? 2 : 0, Over ? -1 : 1);
  return canonical(__builtin_copysign(Result, X));
}

float clinch_atanf(float X) {
  const double Size = abs_(X) > 0x1p60 ? 0x1p60 : abs_(X);
  const int Over = Size > 1;
  const double Result =
      atanSingle(Over ? 1 : Size, Over ? Size : 1, Over ? 2 : 0, Over ? -1 : 1);
  return (float)canonical(__builtin_copysign(Result, X));
}

// atan2: the angle of a point.
//
// Errs by less than 1.5 units in the last place wherever MPFR looked. The
// polynomial is in Arctangent.h.

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
