// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What erf and erfc share.

#pragma once

#include "Exponential.h"

/// Returns P, where erf(\p X) = x + x P(x^2), for |\p X| <= 1. It is
/// fpminimax's, in polynomials.sollya, and errs by less than 2^-56.
static inline double errorFactor(double X) {
  const double Z = X * X;
  double P = 0x1.290907682a7a4p-34;
  P = fma_(P, Z, -0x1.46523825c1d4p-30);
  P = fma_(P, Z, 0x1.fc6cd74f1975dp-27);
  P = fma_(P, Z, -0x1.5f971e0b04f48p-23);
  P = fma_(P, Z, 0x1.b9ee7855e1607p-20);
  P = fma_(P, Z, -0x1.f4d33173c04ep-17);
  P = fma_(P, Z, 0x1.f9a3351fb8e74p-14);
  P = fma_(P, Z, -0x1.c02db49a4c04dp-11);
  P = fma_(P, Z, 0x1.565bcd1295b6bp-8);
  P = fma_(P, Z, -0x1.b82ce312abdfep-6);
  P = fma_(P, Z, 0x1.ce2f21a04362bp-4);
  P = fma_(P, Z, -0x1.812746b0379fdp-2);
  P = fma_(P, Z, 0x1.06eba8214db69p-3);
  return P;
}

/// Returns erfc(\p A), for 1 <= \p A <= 6, with an error of less than 2^-51 of
/// it, which is little beside 1.
///
/// It is e^(-a^2) P(q), where q = (a - 2.5) / (a + 2.5). P is fpminimax's, in
/// polynomials.sollya, and errs by less than 2^-55.
static inline double complementOfFar(double A) {
  const double Q = (A - 2.5) / (A + 2.5);
  double P = 0x1.85f831e81157dp-22;
  P = fma_(P, Q, 0x1.1c22602e2a3a2p-23);
  P = fma_(P, Q, -0x1.e7adff5392b99p-20);
  P = fma_(P, Q, -0x1.36d1732814fd1p-19);
  P = fma_(P, Q, 0x1.fb2962e5a8c0ep-18);
  P = fma_(P, Q, 0x1.3859912a7a2e4p-16);
  P = fma_(P, Q, -0x1.1ebf80e096b92p-15);
  P = fma_(P, Q, -0x1.0e4690e474cf9p-13);
  P = fma_(P, Q, 0x1.def2d2bf2b95dp-13);
  P = fma_(P, Q, 0x1.cb3b624898303p-11);
  P = fma_(P, Q, -0x1.5a5716d643bc4p-9);
  P = fma_(P, Q, -0x1.05bb2fe64b57cp-8);
  P = fma_(P, Q, 0x1.470ba1f6827b7p-5);
  P = fma_(P, Q, -0x1.0011543716b92p-3);
  P = fma_(P, Q, 0x1.01c11a735cd7ep-2);
  P = fma_(P, Q, -0x1.7ca88dec217a7p-2);
  P = fma_(P, Q, 0x1.afbb3f3b7343bp-3);
  const double Square = A * A, SquareLow = fma_(A, A, -Square);
  const struct Exponential E = exponential(-Square);
  const double Power = 1 + (E.R + (E.Tail - SquareLow));
  return P * (Power * powerOfTwo(E.Rounded));
}

/// 2^N (High + Low).
struct ScaledDouble {
  uint64_t Rounded; ///< N + CLINCH_ROUNDER, as bits.
  double High, Low;
};

/// Returns erfc(\p A), for 1/2 <= \p A <= 27.5.
///
/// It is e^(-a^2) (1 + P(q)) / (1 + 2 a), where q = (a - 4) / (a + 4). P is
/// fpminimax's, in polynomials.sollya, and errs by less than 2^-56.
static inline struct ScaledDouble complement(double A) {
  const double Q = (A - 4) / (A + 4);
  double P = 0x1.16e52011155d1p-29;
  P = fma_(P, Q, 0x1.bc682826532cbp-29);
  P = fma_(P, Q, -0x1.16c7b4066f1bep-26);
  P = fma_(P, Q, -0x1.813622c129cacp-26);
  P = fma_(P, Q, 0x1.e3428a74b496ep-24);
  P = fma_(P, Q, 0x1.5bb3376a3719cp-24);
  P = fma_(P, Q, -0x1.bbf5e048c3a78p-21);
  P = fma_(P, Q, 0x1.360ecd4a3a8b9p-22);
  P = fma_(P, Q, 0x1.7f351e2e7a88bp-18);
  P = fma_(P, Q, -0x1.7876e2f057459p-17);
  P = fma_(P, Q, -0x1.995a200fc6a4fp-16);
  P = fma_(P, Q, 0x1.3bdff5d5ba09ep-13);
  P = fma_(P, Q, -0x1.a1df20b681f72p-13);
  P = fma_(P, Q, -0x1.8d4a9612a970ep-11);
  P = fma_(P, Q, 0x1.49c672828061cp-8);
  P = fma_(P, Q, -0x1.0962388955c03p-6);
  P = fma_(P, Q, 0x1.3079edf6873ep-5);
  P = fma_(P, Q, -0x1.0fb06dfe31ec7p-4);
  P = fma_(P, Q, 0x1.7fee004e12669p-4);
  P = fma_(P, Q, -0x1.9ddb23c3ea2b5p-4);
  P = fma_(P, Q, 0x1.16ecefcfa5375p-4);
  P = fma_(P, Q, 0x1.f7f5df66fdae7p-7);
  P = fma_(P, Q, -0x1.1df1ad154a28ep-3);
  P = fma_(P, Q, 0x1.dd2c8b74febf6p-3);
  const double Square = A * A, SquareLow = fma_(A, A, -Square);
  const struct Exponential E = exponential(-Square);
  const double First = 1 + E.R, FirstLow = (1 - First) + E.R;
  struct Double Power = rounded((struct Double){First, FirstLow + E.Tail});
  Power.Low = fma_(-SquareLow, Power.High, Power.Low);
  const struct Double Series = rounded((struct Double){1, P});
  const double Product = Power.High * Series.High;
  const double ProductLow =
      fma_(Power.High, Series.High, -Product) +
      fma_(Power.High, Series.Low, Power.Low * Series.High);
  const struct Double Result =
      quotient((struct Double){Product, ProductLow}, twoSum(1, A + A));
  return (struct ScaledDouble){E.Rounded, Result.High, Result.Low};
}
