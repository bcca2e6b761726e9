// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What asin and acos share.

#pragma once

#include "Numbers.h"

/// For |x| <= 1: asin(|x|) is S + Tail up to a half, and else pi / 2 less twice
/// that.
struct Arcsine {
  double S, Tail;
  int Over; ///< Whether |x| is over a half.
};

/// asin(s) = s + s^3 P(s^2), s^2 being (1 - |x|) / 2 over a half; P is
/// fpminimax's, in polynomials.sollya, and s^3 P(s^2) errs by less than 2^-58
/// of s.
static inline struct Arcsine arcsine(double X) {
  const double Size = abs_(X);
  const int Over = Size > 0.5;
  const double Z = Over ? 0.5 - 0.5 * Size : Size * Size;
  const double Root = __builtin_sqrt(Z);
  const double Rest = fma_(-Root, Root, Z);
  const double RootLow = Z > 0 ? Rest * (0.5 / Root) : 0;
  const double S = Over ? Root : Size;
  double P = 0x1.dc6c773624f53p-6;
  P = fma_(P, Z, -0x1.f67ef69425187p-7);
  P = fma_(P, Z, 0x1.22516b9e90cfcp-6);
  P = fma_(P, Z, 0x1.5dbb7b78981dap-8);
  P = fma_(P, Z, 0x1.533708a839e4bp-7);
  P = fma_(P, Z, 0x1.77ff2451aa7d2p-7);
  P = fma_(P, Z, 0x1.c9d33a45c5876p-7);
  P = fma_(P, Z, 0x1.1c4d0fa14c7eep-6);
  P = fma_(P, Z, 0x1.6e8bb3854e2a7p-6);
  P = fma_(P, Z, 0x1.f1c71c117c875p-6);
  P = fma_(P, Z, 0x1.6db6db6e48f5ep-5);
  P = fma_(P, Z, 0x1.3333333332d9dp-4);
  P = fma_(P, Z, 0x1.5555555555556p-3);
  return (struct Arcsine){S, fma_(S * Z, P, Over ? RootLow : 0), Over};
}
