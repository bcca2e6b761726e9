// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's part of a reduction.
//
// Rows and columns are reduced in parts, each of which begins anew; what they
// give is joined in an order that the lengths alone decide. So the result has
// the same bits whichever threads reduce the parts.

#pragma once

#include "Cascade.h"
#include "Walk.h"

#include <algorithm>

namespace clinch::arrays {

/// The inputs of a loop and one result.
constexpr int MostOperands = 80;

/// A copy of a loop, whose first \p Count operands go their own way.
struct OwnLoop {
  Loop L;
  OwnLoop(const Loop &From, int Count) : L(From) {
    L.Of = Of;
    for (int K = 0; K < Count; ++K) {
      const Operand &O = From.Of[K];
      Of[K].Data = O.Data;
      Of[K].Size = O.Size;
      Of[K].Single = O.Single;
      Of[K].Output = O.Output;
      std::copy_n(O.Strides, L.Dims, Of[K].Strides);
    }
  }
  OwnLoop(const OwnLoop &) = delete;
  OwnLoop &operator=(const OwnLoop &) = delete;

private:
  Operand Of[MostOperands];
};

/// What rows and columns have in common.
class Reducer {
public:
  /// Whether an item failed, which has set an exception; if nothing did, memory
  /// ran out.
  bool failed() const { return Failed; }

protected:
  static constexpr Py_ssize_t Most = 1024; ///< Items in a buffer.

  explicit Reducer(const clinch_reduction &R) : R(R), Spec(*R.loop) {}
  /// Returns the items to reduce, contiguous, or null if the kernel failed.
  char *items(char *const *P, Py_ssize_t Count) {
    if (!Spec.kernel)
      return P[0];
    char *Own[MostOperands];
    std::copy_n(P, Spec.inputs, Own);
    Own[Spec.inputs] = Buffer;
    if (Spec.kernel(Own, Count) < 0)
      return Buffer;
    Failed = true;
    return nullptr;
  }

  const clinch_reduction &R;
  const clinch_loop &Spec;
  char *Sum = nullptr; ///< Of the row or tile.

private:
  bool Failed = false;
  alignas(64) char Buffer[Most * 16];
};

/// Reduces rows, each to one item.
class RowReducer : public Reducer {
public:
  /// \p Kept has the result behind the inputs; the inputs of \p Row move.
  RowReducer(const clinch_reduction &R, const Loop &Kept, Loop &Row);

  Py_ssize_t parts() const { return W.parts(); }
  /// Reduces rows into the result. Returns false if that failed.
  bool reduceRows(Py_ssize_t First, Py_ssize_t Last);
  /// Goes to a row for the other members.
  void begin(Py_ssize_t Number);
  /// Reduces some parts of the row, into an item or into what a search found.
  bool reduceParts(Py_ssize_t First, Py_ssize_t Last, clinch_found &Into);
  /// Joins what several calls of reduceParts() gave, in their order, into the
  /// result.
  bool join(clinch_found *Parts, Py_ssize_t Count);

private:
  bool reduce(Py_ssize_t Begin, Py_ssize_t End, char *Into);
  bool reduceAtOnce(char *Into);
  static Py_ssize_t part(void *Self, char *const *P, Py_ssize_t Count);
  void beginSum(char *Into, char *&X, Py_ssize_t &Count);
  void point();
  char *result() const;

  const Loop &Kept;
  Loop &Row;
  Walk W;
  Position At;
  Cascade OfSums;
  Cascade *Sums = nullptr; ///< If there are several parts.
  clinch_found Found;
};

/// Reduces tiles of the result, each with all rows that are reduced.
class ColumnReducer : public Reducer {
public:
  static constexpr Py_ssize_t Tile = 2048;

  /// \p Kept has the result behind the inputs, which move.
  ColumnReducer(const clinch_reduction &R, Loop &Kept, const Loop &Reduced);

  /// How many rows make a part.
  Py_ssize_t group() const { return R.pairwise ? 64 : 256; }
  Py_ssize_t parts() const { return (Reduced.Items + group() - 1) / group(); }
  /// Goes to the columns from \p First on for the other members.
  void begin(Py_ssize_t First);
  Py_ssize_t width() const { return Width; }
  /// Reduces some parts of the columns; returns their items, or null.
  const char *reduceParts(Py_ssize_t First, Py_ssize_t Last);
  /// Joins \p Count such rows, which lie one behind the other.
  const char *join(const char *Rows, Py_ssize_t Count);
  /// Puts items into the result, unless there are none. Returns whether there
  /// are.
  bool store(const char *Items);
  /// Reduces the columns into the result. Returns false if that failed.
  bool reduce() { return store(reduceParts(0, parts())); }

private:
  static Py_ssize_t tile(void *Self, char *const *P, Py_ssize_t Count);
  bool readsWholeRows() const;
  Py_ssize_t takeRows(Py_ssize_t Left);

  Loop &Kept;
  const Loop &Reduced;
  Loop Result;
  Walk In, To;
  Position At;
  Cascade Plain, OfSums;
  Py_ssize_t First = 0, Width = 0, InTile = 0;
  char *Bases[MostOperands]; ///< Where the first row begins.
  bool WholeRows, Begun = false;
};

} // namespace clinch::arrays
