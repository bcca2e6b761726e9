//===- Beginning.h - The code that a program begins with --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_BEGINNING_H
#define CLINCH_JIT_RUNTIME_BEGINNING_H

#include "clinch/Runtime/Program.h"

namespace clinch {

CompileOptions compileOptions(const ThunkSource &Source,
                              const ProgramOptions &O);

/// What a program begins with.
struct Beginning {
  enum class Kind {
    Whole,     ///< All that was asked for.
    OtherTier, ///< The same in the tier ProgramOptions::First.
    QuickEntry ///< `clinch_quick` and nothing else.
  };
  Module Code;
  std::vector<Module> Shared;               ///< What Code calls.
  std::shared_ptr<const RungLadder> Ladder; ///< Null where Code is all.
  Kind What = Kind::Whole;
};

/// Runs the c_init_code of a module, if it has any. The GIL is held.
Status initializeModule(const Module &Code);

/// NumPy's own variables are the same in every module; others are not.
bool keepsVariables(const Module &Code);

/// Compiles what \p O says, or adopts \p Object if that is not empty. The GIL
/// is held; it is given away while Clang works.
Expected<Beginning> begin(Session &S, const ThunkSource &Source,
                          const CompileOptions &Options,
                          const ProgramOptions &O, std::string Object);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_BEGINNING_H
