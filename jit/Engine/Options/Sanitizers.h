// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Support for -fsanitize.
//
// Clang itself emits the checks of `undefined`, and a module pass adds those of
// `address`; other sanitizers are refused. The process brings the run time that
// reports.

#pragma once

#include "clinch/Support/Expected.h"

#include "llvm/IR/PassManager.h"

namespace clang {
class LangOptions;
} // namespace clang

namespace clinch::engine {

/// Refuses sanitizers that would check nothing.
Status checkSanitizers(const clang::LangOptions &Lang);

/// Adds checks to each access in functions marked `sanitize_address`.
void addAddressChecks(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

} // namespace clinch::engine
