// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduction that exponentials share.

#pragma once

#include "Numbers.h"

/// e^x = 2^N (1 + R + Tail), with |R| < 0.3466. R is exact but for Tail.
struct Exponential {
  uint64_t Rounded; ///< N + CLINCH_ROUNDER, as bits.
  double R, Tail;
};

/// \p X is below 2^10, or a NaN.
///
/// Tail has r^2 P(r), of which r^2 / 2 is not rounded; P is fpminimax's for
/// (e^r - 1 - r) / r^2, in polynomials.sollya. r^2 P(r) errs by less than
/// 2^-62.
static inline struct Exponential exponential(double X) {
  const double Sum = fma_(X, 0x1.71547652b82fep0, CLINCH_ROUNDER);
  const double N = Sum - CLINCH_ROUNDER;
  const double Exact = fma_(-N, 0x1.62e42feep-1, X);
  const double R = fma_(-N, 0x1.a39ef35793c76p-33, Exact);
  const double Low = fma_(-N, 0x1.a39ef35793c76p-33, Exact - R);
  double P = 0x1.1f86f0b04e396p-29;
  P = fma_(P, R, 0x1.af4ecab92d083p-26);
  P = fma_(P, R, 0x1.27e4cfaf0e5b1p-22);
  P = fma_(P, R, 0x1.71de01acf7608p-19);
  P = fma_(P, R, 0x1.a01a01ab9882bp-16);
  P = fma_(P, R, 0x1.a01a01ac1de81p-13);
  P = fma_(P, R, 0x1.6c16c16c156a5p-10);
  P = fma_(P, R, 0x1.1111111110051p-7);
  P = fma_(P, R, 0x1.5555555555557p-5);
  P = fma_(P, R, 0x1.5555555555557p-3);
  const double Cubic = fma_(R * R * R, P, Low);
  return (struct Exponential){bitsOf(Sum), R, fma_(0.5 * R, R, Cubic)};
}

/// Returns 2^N (1 + \p R + \p Tail), which may be no normal number.
static inline double scaled(uint64_t Rounded, double R, double Tail) {
  const double Sum = 1 + R;
  const double Value = Sum + ((1 - Sum) + R + Tail);
  const uint64_t Half = Rounded >> 1;
  return Value * powerOfTwo(Half) * powerOfTwo(Rounded - Half);
}

/// Returns 2^\p R - 1, in two parts; |\p R| < 0.501.
///
/// 2^r = 1 + r log(2) + r^2 P(r); P is fpminimax's, in polynomials.sollya, and
/// r^2 P(r) errs by less than 2^-61.
static inline struct Double powerLessOne(double R) {
  double P = 0x1.b4c524917e8f7p-36;
  P = fma_(P, R, 0x1.e9d6ab83c15f6p-32);
  P = fma_(P, R, 0x1.e4d9fa5b1603p-28);
  P = fma_(P, R, 0x1.b524f9436b5e4p-24);
  P = fma_(P, R, 0x1.62c01f87f3f38p-20);
  P = fma_(P, R, 0x1.ffcbfc67be6cep-17);
  P = fma_(P, R, 0x1.430912f90475dp-13);
  P = fma_(P, R, 0x1.5d87fe78a509fp-10);
  P = fma_(P, R, 0x1.3b2ab6fba4cc3p-7);
  P = fma_(P, R, 0x1.c6b08d704a0c2p-5);
  P = fma_(P, R, 0x1.ebfbdff82c58fp-3);
  const double First = R * 0x1.62e42fefa39efp-1;
  const double Low = fma_(R, 0x1.62e42fefa39efp-1, -First);
  return (struct Double){First,
                         fma_(R * R, P, fma_(R, 0x1.abc9e3b39803fp-56, Low))};
}

/// Returns 2^(\p X + \p Low); \p Low counts only beside a finite power.
static inline double power(double X, double Low) {
  double Within = X > 1100 ? 1100 : X;
  Within = X < -1100 ? -1100 : Within;
  const double Sum = Within + CLINCH_ROUNDER;
  const double Whole = Within - (Sum - CLINCH_ROUNDER);
  const double Less = abs_(X) < 1100 ? Low : 0;
  const double R = Whole + Less, RLow = (Whole - R) + Less;
  const struct Double Part = powerLessOne(R);
  const double Rest = RLow * 0x1.62e42fefa39efp-1;
  return scaled(bitsOf(Sum), Part.High, fma_(Rest, Part.High, Part.Low + Rest));
}

/// Returns e^x - 1, divided by 2^\p Down.
///
/// \p X is above -40 and below 2^10; \p Down is 0 to 2.
static inline struct Double lessOne(double X, uint64_t Down) {
  const struct Exponential E = exponential(X);
  const double Unit = powerOfTwo(-Down);
  const double Power = powerOfTwo(E.Rounded - Down);
  const double Whole = Power - Unit, Back = Whole - Power;
  const double WholeLow = (Power - (Whole - Back)) - (Unit + Back);
  const double Part = Power * E.R;
  const double Sum = Whole + Part;
  const double Low = (Whole - Sum) + Part + WholeLow;
  return (struct Double){Sum, Low + Power * E.Tail};
}
