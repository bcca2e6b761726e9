//===- Rungs.h - A ladder that needs no text -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where all that a thunk's blocks say stands in functions that other thunks
// may call too, the ladder itself is but a list of calls: nothing is left that
// would have to be compiled for this thunk.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_ASSEMBLER_RUNGS_H
#define CLINCH_ASSEMBLER_RUNGS_H

#include <cstddef>
#include <string>
#include <vector>

namespace clinch {

/// A block whose behaviour is a function:
///
///   of a variable
///     int open(PyObject **cell, PyObject **object, void *value,
///              const char *subject);
///     int close(PyObject **cell, PyObject **object, int failed, void *value,
///               const char *subject);
///   of an apply
///     int code(void *const *values, const char *subject);
///
/// Each is not 0 where it failed; only an output's close() can.
struct Rung {
  static constexpr unsigned None = ~0u;
  /// What open() returns where the cell is no list of one: then there is
  /// nothing to close.
  static constexpr int Unopened = 2;

  unsigned Number = 0;
  std::string Open;  ///< Of an apply: its code.
  std::string Close; ///< Empty for an apply.
  std::string Subject;
  bool IsOutput = false;
  unsigned Cell = None;         ///< In ThunkSource::Cells.
  unsigned Object = None;       ///< The word of `py_<name>`.
  std::vector<unsigned> Values; ///< The words of variables, pointers all.
  bool Renews = false;          ///< Closes a variable, and opens it anew.
};

struct Rungs {
  std::vector<Rung> Init, Run;
  /// Words of pointer size: first those of the state, as the whole text has
  /// them, `clinch_cells` foremost; then those of one run.
  size_t StateWords = 1, Words = 1;
};

} // namespace clinch

#endif // CLINCH_ASSEMBLER_RUNGS_H
