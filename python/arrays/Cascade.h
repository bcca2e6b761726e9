// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of sums.

#pragma once

#include "Array.h"

#include <cstring>

namespace clinch::arrays {

/// Rows of accumulators that are merged in pairs, pairs of pairs and so on: the
/// error of a sum grows with the logarithm of the count.
class Cascade {
public:
  Cascade(const clinch_reduction &R, Py_ssize_t Width)
      : R(R), Width(Width), RowSize((Width * R.size + 63) / 64 * 64) {}
  ~Cascade() {
    PyMem_RawFree(Fresh);
    for (char *Row : Rows)
      PyMem_RawFree(Row);
  }
  Cascade(const Cascade &) = delete;
  Cascade &operator=(const Cascade &) = delete;

  /// Returns the row to fill next, or null if memory ran out.
  char *fresh() { return row(Fresh); }

  /// Takes the fresh row, now full. Returns false if memory ran out.
  bool push() {
    char *Carry = Fresh;
    int Level = 0;
    for (; Count >> Level & 1; ++Level) {
      char *P[] = {Rows[Level], Carry};
      R.merge(P, Width);
      Carry = Rows[Level];
    }
    if (!row(Rows[Level]))
      return false;
    memcpy(Rows[Level], Carry, size_t(Width * R.size));
    ++Count;
    return true;
  }

  /// Sums and discards all rows; returns null if there are none.
  char *total() {
    char *Sum = nullptr;
    for (int Level = 0; Count >> Level; ++Level) {
      if (!(Count >> Level & 1))
        continue;
      if (Sum) {
        char *P[] = {Rows[Level], Sum};
        R.merge(P, Width);
      }
      Sum = Rows[Level];
    }
    Count = 0;
    return Sum;
  }

private:
  char *row(char *&Row) {
    if (!Row)
      Row = static_cast<char *>(PyMem_RawMalloc(size_t(RowSize)));
    return Row;
  }
  const clinch_reduction &R;
  Py_ssize_t Width, RowSize;
  unsigned long long Count = 0;
  char *Fresh = nullptr;
  char *Rows[64] = {};
};

} // namespace clinch::arrays
