// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predefined macros and sanitizers.

#pragma once

#include "clinch/Support/Expected.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/IR/PassManager.h"

namespace clinch::engine {

/// Defines or undefines in \p I the predefined macros, such as `__AVX2__` and
/// `_OPENMP`, in which it differs from \p OfPrefix.
void definePredefined(clang::CompilerInvocation &I,
                      const clang::CompilerInvocation &OfPrefix);

// Clang itself emits the checks of `undefined`, and a module pass adds those of
// `address`; other sanitizers are refused. The process brings the run time that
// reports.

/// Refuses sanitizers that would check nothing.
Status checkSanitizers(const clang::LangOptions &Lang);

/// Adds checks to each access in functions marked `sanitize_address`.
void addAddressChecks(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

} // namespace clinch::engine
