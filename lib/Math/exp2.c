//===- exp2.c - A power of two -*- C -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errs by less than 0.8 units in the last place wherever MPFR looked. 2^r = 1 +
// r log(2) + r^2 P(r); P is fpminimax's, in polynomials.sollya, and r^2 P(r)
// errs by less than 2^-61.
//
//===----------------------------------------------------------------------===//

#include "Exponential.h"

double clinch_exp2(double X) {
  double Within = X > 1100 ? 1100 : X;
  Within = X < -1100 ? -1100 : Within;
  const double Sum = Within + CLINCH_ROUNDER;
  const double R = Within - (Sum - CLINCH_ROUNDER);
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
  const double Tail = fma_(R * R, P, fma_(R, 0x1.abc9e3b39803fp-56, Low));
  return canonical(scaled(bitsOf(Sum), First, Tail));
}

CLINCH_FLOAT(exp2)
