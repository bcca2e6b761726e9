//===- RungLadder.h - Runs a ladder that is a list of calls -----*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_RUNGLADDER_H
#define CLINCH_JIT_RUNTIME_RUNGLADDER_H

#include "clinch/Assembler/Rungs.h"
#include "clinch/Runtime/Program.h"

#include <functional>

namespace clinch {

/// What the text of a thunk would do, where all of it is calls. Its state is
/// that of the whole text, so code of the one may go on with what the other
/// has begun.
class RungLadder {
public:
  /// Null where \p Find knows some function not.
  static std::shared_ptr<const RungLadder>
  create(const Rungs &R,
         const std::function<void *(const std::string &)> &Find);

  /// The entries expect the ladder itself in front of the state's memory.
  Program::Entries entries() const;

private:
  using OpenFn = int (*)(PyObject **, PyObject **, void *, const char *);
  using CloseFn = int (*)(PyObject **, PyObject **, int, void *, const char *);
  using CodeFn = int (*)(void *const *, const char *);
  struct Step {
    unsigned Number;
    unsigned Cell, Object;
    unsigned FirstValue, Values; ///< In Words.
    bool IsOutput, Renews;
    void *Open;
    void *Close; ///< Null for an apply.
    std::string Subject;
  };
  class Frame;

  RungLadder() = default;
  bool add(const std::vector<Rung> &From, std::vector<Step> &To,
           const std::function<void *(const std::string &)> &Find);
  static const RungLadder &of(void *State);
  static int init(void *State, PyObject *const *Cells);
  static int run(void *State);
  static void cleanup(void *State);

  std::vector<Step> Init, Run;
  std::vector<unsigned> Words; ///< Of all steps' values.
  size_t StateWords = 1, OwnWords = 0, MostValues = 0;
};

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_RUNGLADDER_H
