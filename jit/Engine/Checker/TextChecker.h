// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of the text checker.
//
// Part of libclinch-engine.so, like Engine. Needs no header of LLVM.

#pragma once

#include "../Engine.h"

#include <map>
#include <set>

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

/// What the checks know of the library whose functions texts call: of what it
/// counts references, and raises exceptions.
struct CallFacts {
  using Names = std::set<std::string, std::less<>>;

  Names NewReference; ///< Return one, or NULL with an exception.
  Names Status;       ///< Return less than 0, with an exception, on failure.
  Names Raise;        ///< Set an exception and do nothing else.
  Names Clear;        ///< Leave no exception pending.
  Names IsRaised;     ///< Say if one is.
  Names TakesNull;    ///< Accept NULL for an object.
  /// The argument whose reference a function takes over.
  std::map<std::string, unsigned, std::less<>> Takes;
  Names Unsure; ///< May take over references, or not.
  /// The others, whose names begin so, take over none.
  std::vector<std::string> Beginnings;
  std::string Release; ///< Gives a reference back.

  /// Fields of a struct that texts should not use.
  struct {
    std::string Check, Struct, Why;
    std::map<std::string, std::string, std::less<>> Accessors;
  } Fields;
  /// Macros of a header that texts should not use.
  struct {
    std::string Check, Header, Why;
  } Macros;
};

/// Looks at texts without generating code.
class TextChecker {
public:
  virtual ~TextChecker() = default;
  /// Returns errors, broken rules, warnings and the findings of the checks.
  /// Fails if the text could not be checked. After a crash no engine and no
  /// checker of this process may be used.
  virtual Expected<std::vector<Finding>> check(const SourceText &Text,
                                               const CompileOptions &O,
                                               const CallFacts &Facts) = 0;
  /// Returns the names that may stand where \p Text ends, sorted.
  virtual Expected<std::vector<std::string>>
  completions(const SourceText &Text, const CompileOptions &O) = 0;
  /// Returns \p Text with the fixes applied. Fails if two of them overlap or a
  /// line has changed.
  virtual Expected<std::string> fixed(const SourceText &Text,
                                      const std::vector<LineFix> &Fixes) = 0;
};

/// Type and name of the function that makes a checker, which the caller owns.
using CreateCheckerFn = TextChecker *(*)(const EngineConfig &Config);
constexpr const char *CreateCheckerSymbol = "clinch_checker_create";

} // namespace clinch
