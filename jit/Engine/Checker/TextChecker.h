//===- TextChecker.h - The border of what looks at texts --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of libclinch-engine.so, as Engine is: no header of LLVM is needed here.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_CHECKER_TEXTCHECKER_H
#define CLINCH_JIT_ENGINE_CHECKER_TEXTCHECKER_H

#include "../Engine.h"

namespace clinch {

struct Finding {
  Diagnostic What;
  /// What found it, such as "leaked-reference", "rule"; empty: Clang.
  std::string Check;
};

/// A fix-it, and the line that it was made for.
struct LineFix {
  unsigned Line = 0;
  std::string Before; ///< The whole line.
  Diagnostic::FixIt Fix;
};

/// Looks at texts and makes no code of them.
class TextChecker {
public:
  virtual ~TextChecker() = default;
  /// Errors, broken rules, warnings, and what is only looked for here. An error
  /// is returned when the text could not be looked at.
  virtual Expected<std::vector<Finding>> check(const SourceText &Text,
                                               const CompileOptions &O) = 0;
  /// \p Text with the fixes in it. An error when two of them meet, or when a
  /// line is not as it was.
  virtual Expected<std::string> fixed(const SourceText &Text,
                                      const std::vector<LineFix> &Fixes) = 0;
};

/// The symbol that is looked up after dlopen.
using CreateCheckerFn = TextChecker *(*)(const EngineConfig &Config);
constexpr const char *CreateCheckerSymbol = "clinch_checker_create";

} // namespace clinch

#endif // CLINCH_JIT_ENGINE_CHECKER_TEXTCHECKER_H
