// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions here are made of.
//
// The functions give the same bits wherever they are compiled: each operation
// is one of IEEE 754, with one rounding, and no operation is left to choose. So
// they are compiled with -ffp-contract=off, and without -ffast-math. They have
// no branches, for loops that call them are vectorised. A NaN is always the
// same one: which operand gives its payload depends on their order.

#pragma once

#include <stdint.h>

#define CLINCH_INFINITY __builtin_inf()
#define CLINCH_NAN __builtin_nan("")

/// Added to a number below 2^51, this rounds it to an integer, which is then in
/// the low bits of the sum.
#define CLINCH_ROUNDER 0x1.8p52

static inline uint64_t bitsOf(double X) {
  union {
    double Number;
    uint64_t Bits;
  } U = {X};
  return U.Bits;
}

static inline double ofBits(uint64_t Bits) {
  union {
    uint64_t Bits;
    double Number;
  } U = {Bits};
  return U.Number;
}

static inline double fma_(double X, double Y, double Z) {
  return __builtin_fma(X, Y, Z);
}

static inline double abs_(double X) { return __builtin_fabs(X); }

/// High + Low, Low being what High lost in rounding.
struct Double {
  double High, Low;
};

/// Returns \p X + \p Y, exactly.
static inline struct Double twoSum(double X, double Y) {
  const double Sum = X + Y, Back = Sum - X;
  return (struct Double){Sum, (X - (Sum - Back)) + (Y - Back)};
}

/// Returns the same number, rounded to High; \p X.Low is smaller than
/// \p X.High.
static inline struct Double rounded(struct Double X) {
  const double Sum = X.High + X.Low;
  return (struct Double){Sum, (X.High - Sum) + X.Low};
}

/// Returns \p X / \p Y, both rounded; 1 / \p Y is a normal number.
static inline struct Double quotient(struct Double X, struct Double Y) {
  const double Inverse = 1 / Y.High, High = X.High * Inverse;
  const double Rest = fma_(-High, Y.High, X.High) + fma_(-High, Y.Low, X.Low);
  return (struct Double){High, Rest * Inverse};
}

/// Returns the one NaN for any.
static inline double canonical(double X) { return X == X ? X : CLINCH_NAN; }

/// Returns 2^N, if that is a normal number; \p Rounded is N + CLINCH_ROUNDER.
static inline double powerOfTwo(uint64_t Rounded) {
  return ofBits((Rounded << 52) + 0x3ff0000000000000);
}
