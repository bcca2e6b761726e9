//===- Layout.h - Which function a block stands in -------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deeply nested text takes quadratic time to parse and to optimise, so a long
// ladder is cut into functions, each called from the innermost block of the one
// before. Then a variable may be used in a function where its block is not, and
// lives in the state; one that is a number or a pointer is copied to a local
// there, since the optimiser has trouble with thousands of members.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_LAYOUT_H
#define CLINCH_LIB_ASSEMBLER_LAYOUT_H

#include "Blueprint.h"
#include "lib/Support/Declarations.h"

#include <memory>

namespace clinch {

/// Where a variable's declarations stand; by number of its block. Large graphs
/// have many: it is kept small.
struct Placement {
  bool Member = false;       ///< Declared in the state.
  bool PythonMember = false; ///< So is its `py_<name>`.
  bool PythonSeen = false;   ///< An Op's code names `py_<name>`.
  /// `py_<name>` is None from beginning to end and no text names it: it is left
  /// out.
  bool NoPython = false;
  /// Opening and closing it can be seen by nobody but its readers, so it may
  /// be opened in the first function that uses it.
  bool Floating = false;
  /// Floats, and its texts can break no rule: nobody has to look at them again.
  bool Harmless = false;
  unsigned Home = ~0u;            ///< The chunk of run that opens it, or none.
  unsigned First = ~0u, Last = 0; ///< Chunks of run that use it.
  std::unique_ptr<const Declarations> Declared; ///< A member's.
};

/// One function of a ladder.
struct Chunk {
  std::vector<const Block *> Blocks;
  std::vector<unsigned> Floating; ///< Variables opened here ahead of all.
  std::vector<unsigned> Copied;   ///< Members that are locals here.
  std::vector<unsigned> Members;  ///< Members that are used as such.
  std::vector<unsigned> Structs;  ///< Applies whose struct code is in reach.
  bool Releases = false; ///< Some cleanup has text; else nothing is done after
                         ///< the next function has returned.
};

struct Layout {
  std::vector<Placement> Places; ///< [number - 1]; variables come first.
  std::vector<Chunk> Run, Keep;
  bool Split = false;
  size_t Harmless = 0; ///< How many variables are that.
};

Layout makeLayout(const Blueprint &P, const AssembleOptions &O);

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_LAYOUT_H
