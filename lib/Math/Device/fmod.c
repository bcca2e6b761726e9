// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rest of a division.
//
// For GPUs, whose instruction errs; elsewhere the C library has it. The result
// is exact, and so the same everywhere. It has branches: in no loop is it made
// a vector.

#include "Numbers.h"

#define CLINCH_HIDDEN_BIT 0x10000000000000

/// Returns the digits of \p Bits, a positive number, and its exponent.
static inline uint64_t digitsOf(uint64_t Bits, int *Exponent) {
  const int Biased = (int)(Bits >> 52);
  *Exponent = Biased ? Biased : 1;
  return Biased ? (Bits & (CLINCH_HIDDEN_BIT - 1)) | CLINCH_HIDDEN_BIT : Bits;
}

/// Returns the rest of dividing \p A by the smaller \p B, both positive bits,
/// by long division of as many bits at once as 64 leave room for.
static inline uint64_t longRest(uint64_t A, uint64_t B) {
  int Exponent, Wanted;
  uint64_t Rest = digitsOf(A, &Exponent);
  const uint64_t Divisor = digitsOf(B, &Wanted);
  Rest %= Divisor;
  while (Exponent > Wanted && Rest) {
    const int Step = Exponent - Wanted < 11 ? Exponent - Wanted : 11;
    Rest = (Rest << Step) % Divisor;
    Exponent -= Step;
  }
  if (!Rest)
    return 0;
  // To where its first bit is the hidden one, or the number is subnormal.
  int Up = __builtin_clzll(Rest) - 11;
  if (Up >= Wanted)
    return Rest << (Wanted - 1);
  return ((Rest << Up) & (CLINCH_HIDDEN_BIT - 1)) |
         ((uint64_t)(Wanted - Up) << 52);
}

double clinch_fmod(double X, double Y) {
  const double A = abs_(X), B = abs_(Y);
  if (!(A < CLINCH_INFINITY) || !(B > 0))
    return CLINCH_NAN;
  if (A < B)
    return X;
  const double Quotient = A / B;
  double Rest;
  if (Quotient < 0x1p53) {
    // At most 1 too large, for it was rounded: then the rest is negative.
    Rest = fma_(-__builtin_trunc(Quotient), B, A);
    Rest = Rest < 0 ? Rest + B : Rest;
  } else {
    Rest = ofBits(longRest(bitsOf(A), bitsOf(B)));
  }
  return __builtin_copysign(Rest, X);
}

float clinch_fmodf(float X, float Y) { return (float)clinch_fmod(X, Y); }
