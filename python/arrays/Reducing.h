//===- Reducing.h - One call of a reduction --------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_PYTHON_ARRAYS_REDUCING_H
#define CLINCH_PYTHON_ARRAYS_REDUCING_H

#include "Array.h"

namespace clinch::arrays {

class Cascade;
class Walk;
struct Position;

/// One call of clinch_run_reduction. The kept dimensions come first, then the
/// reduced ones; the result is an operand of the loop over the kept ones.
class Reduction {
public:
  Reduction(void **Table, const clinch_reduction &R, void *const *In,
            Array *&Out)
      : Api(Table), R(R), Spec(*R.loop), In(In), Out(Out) {
    L.Of = Operands;
    L.Operands = Spec.inputs;
  }
  int run();

private:
  static constexpr int MostOperands = 80;
  static constexpr Py_ssize_t Most = 1024; ///< Items in a buffer.

  bool isReduced(int D) const { return R.axes[D / 64] >> (D % 64) & 1; }
  int makeOut();
  int empty();
  void arrange();
  bool reducesRows() const;
  int byRows();
  int byColumns();
  bool readsWholeRows() const;
  Py_ssize_t takeRows(Walk &In, Position &At, Py_ssize_t First,
                      Py_ssize_t Width, Py_ssize_t Left);
  int fail();

  // The bodies that a Walk calls.
  static Py_ssize_t row(void *Self, char *const *P, Py_ssize_t Count);
  static Py_ssize_t tile(void *Self, char *const *P, Py_ssize_t Count);
  char *items(char *const *P, Py_ssize_t Count);
  void beginRow(char *Sum, char *&X, Py_ssize_t &Count);

  NumPy Api;
  const clinch_reduction &R;
  const clinch_loop &Spec;
  void *const *In;
  Array *&Out;
  Loop L;
  Operand Operands[MostOperands];
  Loop Kept, Reduced;
  Operand KeptOf[MostOperands], ReducedOf[MostOperands];
  Py_ssize_t KeptItems = 1, ReducedItems = 1;
  alignas(64) char Buffer[Most * 16];
  // The state of the row or tile that is being reduced.
  char *Sum = nullptr;
  bool Begun = false, Failed = false;
  Cascade *Sums = nullptr;
  Py_ssize_t InTile = 0;
  char *Bases[MostOperands]; ///< Where the first row begins.
  bool WholeRows = false;
  clinch_found Found;
};

} // namespace clinch::arrays

#endif // CLINCH_PYTHON_ARRAYS_REDUCING_H
