//===- SharedCode.h - Functions that many programs call ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_SHAREDCODE_H
#define CLINCH_JIT_RUNTIME_SHAREDCODE_H

#include "RungLadder.h"

#include "clinch/Assembler/Assembler.h"
#include "clinch/Compiler/Session.h"

#include <optional>
#include <vector>

namespace clinch {

/// Code that calls other modules, and these.
struct SharingCode {
  Module Code;
  std::vector<Module> Shared;
  std::shared_ptr<const RungLadder> Ladder; ///< Where there is no text.
  bool StandsIn = true;                     ///< See standsIn().
};

/// Whether code of a first tier may run until that of the tier wanted is there:
/// it has the same bits, and no state of its own.
bool standsIn(const Module &M);

/// Compiles a short text, if there is one, and the functions that it calls
/// where these are not there yet. Nothing where one of the texts does not
/// compile alone: then the whole text has to be. The GIL is held; it is given
/// away while Clang works.
Expected<std::optional<SharingCode>>
compileShort(Session &S, const ThunkSource &Short, const CompileOptions &O);

/// Lets go of the functions that are kept for programs to come. The GIL is
/// held.
void forgetSharedCode();

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_SHAREDCODE_H
