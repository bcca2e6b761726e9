// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cube root.
//
// Errs by less than 0.51 units in the last place wherever MPFR looked. The
// first guess is fpminimax's for m^(-1/3), in polynomials.sollya; it errs by
// less than 2^-14.

#include "Numbers.h"

/// x = Unit^3 Cube; Inverse is 1 / cbrt(Cube), and errs by less than 2^-40.
struct CubeRoot {
  double Unit, Cube, Inverse;
};

/// \p Size is positive, and no subnormal number.
static inline struct CubeRoot cubeRoot(double Size) {
  // Size = 2^(3 Q + J) m, with m in [1, 2) and J in 0, 1, 2; 1023 is 3 * 341.
  const uint64_t Bits = bitsOf(Size);
  const double E = ofBits((Bits >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
  const double Sum =
      fma_(E, 0x1.5555555555555p-2, -0x1.5555555555555p-2) + CLINCH_ROUNDER;
  const double J = fma_(-3, Sum - CLINCH_ROUNDER, E);
  const double M = ofBits((Bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  double Guess = 0x1.dc9656113d829p-6;
  Guess = fma_(Guess, M, -0x1.cb34e737ac162p-3);
  Guess = fma_(Guess, M, 0x1.6775b5b689d2dp-1);
  Guess = fma_(Guess, M, -0x1.2de11e784c1f9p0);
  Guess = fma_(Guess, M, 0x1.ac184fc64241ep0);
  Guess *= J == 0 ? 1 : (J == 1 ? 0x1.965fea53d6e3dp-1 : 0x1.428a2f98d728bp-1);
  const double Cube = M * (J == 0 ? 1 : (J == 1 ? 2 : 4));
  // One step of Halley's.
  const double Error = fma_(-Cube * Guess, Guess * Guess, 1);
  const double Step =
      Error * fma_(Error, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2);
  return (struct CubeRoot){powerOfTwo(bitsOf(Sum)), Cube,
                           fma_(Guess, Step, Guess)};
}

/// Returns \p Root, the cube root of |\p X|, unless that is known better.
static inline double cubeRootOr(double X, double Root) {
  const double Size = abs_(X), Signed = __builtin_copysign(Root, X);
  return canonical(Size > 0 && Size < CLINCH_INFINITY ? Signed : X);
}

double clinch_cbrt(double X) {
  const double Size = abs_(X);
  const int Subnormal = Size < 0x1p-1022;
  const struct CubeRoot R = cubeRoot(Subnormal ? Size * 0x1p54 : Size);
  // One step of Newton's on the root itself.
  const double Root = R.Cube * R.Inverse * R.Inverse;
  const double Square = Root * Root, SquareLow = fma_(Root, Root, -Square);
  const double Rest = fma_(-SquareLow, Root, fma_(-Square, Root, R.Cube));
  const double Near =
      fma_(Rest, R.Inverse * R.Inverse * 0x1.5555555555555p-2, Root);
  return cubeRootOr(X, Near * R.Unit * (Subnormal ? 0x1p-18 : 1));
}

float clinch_cbrtf(float X) {
  const struct CubeRoot R = cubeRoot(abs_(X));
  return (float)cubeRootOr(X, R.Cube * R.Inverse * R.Inverse * R.Unit);
}
