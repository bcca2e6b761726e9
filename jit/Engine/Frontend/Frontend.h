// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text to IR.

#pragma once

#include "../Diagnostics/DiagnosticCollector.h"
#include "../Files/EngineFileSystem.h"
#include "../Options/Instance.h"
#include "../Options/Plan.h"
#include "../Rules/RuleChecker.h"
#include "clinch/Compiler/Options.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace clinch::engine {

/// IR, and what the back end needs to know of the compiler instance.
struct ParsedModule {
  /// Maps the back end's diagnostics to the text.
  std::unique_ptr<clang::CompilerInstance> Instance;
  std::unique_ptr<llvm::Module> IR; ///< Null if that failed.
  std::string CPU;
  std::string Features;
  /// See createSignatureWriter(). Empty if the text has regions: nobody calls
  /// its functions by name.
  std::string Functions;
  std::string Declarations;             ///< Stage::Declarations, if kept.
  Violations Broken;                    ///< Rules that the text breaks.
  std::vector<clinch::Diagnostic> Uses; ///< See symbolUses().
  double ParseMs = 0, IRGenMs = 0;
};

/// Parses \p Text after its prefix and emits IR. \p Regions are those of \p O.
/// Errors and warnings go to \p Diags.
ParsedModule parse(const SourceText &Text, const CompileOptions &O,
                   const Plan &P, llvm::IntrusiveRefCntPtr<EngineFileSystem> FS,
                   llvm::LLVMContext &Context, KnownTarget &Target,
                   const RegionMap &Regions, DiagnosticCollector &Diags);

} // namespace clinch::engine
