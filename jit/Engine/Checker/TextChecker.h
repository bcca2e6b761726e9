//===- TextChecker.h - The interface of the text checker --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of libclinch-engine.so, like Engine. Needs no header of LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_CHECKER_TEXTCHECKER_H
#define CLINCH_JIT_ENGINE_CHECKER_TEXTCHECKER_H

#include "../Engine.h"

namespace clinch {

struct Finding {
  Diagnostic What;
  /// Which check found it, as "leaked-reference" or "rule"; empty: Clang.
  std::string Check;
};

/// A fix-it and the line that it applies to.
struct LineFix {
  unsigned Line = 0;
  std::string Before; ///< The whole line.
  Diagnostic::FixIt Fix;
};

/// Checks texts without generating code.
class TextChecker {
public:
  virtual ~TextChecker() = default;
  /// Returns errors, broken rules, warnings and the findings of the checks.
  /// Fails if the text could not be checked. After a crash no engine and no
  /// checker of this process may be used.
  virtual Expected<std::vector<Finding>> check(const SourceText &Text,
                                               const CompileOptions &O) = 0;
  /// Returns \p Text with the fixes applied. Fails if two of them overlap or a
  /// line has changed.
  virtual Expected<std::string> fixed(const SourceText &Text,
                                      const std::vector<LineFix> &Fixes) = 0;
};

/// Type and name of the function that makes a checker, which the caller owns.
using CreateCheckerFn = TextChecker *(*)(const EngineConfig &Config);
constexpr const char *CreateCheckerSymbol = "clinch_checker_create";

} // namespace clinch

#endif // CLINCH_JIT_ENGINE_CHECKER_TEXTCHECKER_H
