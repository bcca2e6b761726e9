//===- Sanitizers.h - Code that checks itself -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `-fsanitize=` asks for. Clang itself writes the checks of `undefined`;
// those of `address` are a pass over the module, and others have none here. The
// run time that reports is the process's.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_OPTIONS_SANITIZERS_H
#define CLINCH_JIT_ENGINE_OPTIONS_SANITIZERS_H

#include "clinch/Support/Expected.h"

#include "llvm/IR/PassManager.h"

namespace clang {
class LangOptions;
} // namespace clang

namespace clinch::engine {

/// Refuses a sanitizer that would be asked for in vain.
Status checkSanitizers(const clang::LangOptions &Lang);

/// Checks each access in the functions that are marked for it.
void addAddressChecks(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_OPTIONS_SANITIZERS_H
