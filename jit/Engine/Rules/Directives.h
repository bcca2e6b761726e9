// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the directives of regions do.

#pragma once

#include "../Diagnostics/RegionMap.h"
#include "NameRules.h"

#include "clang/Lex/PPCallbacks.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace clinch::engine {

/// Reports \p Message through the DiagnosticsEngine of \p CI.
void report(clang::CompilerInstance &CI, clang::SourceLocation Loc,
            clang::DiagnosticsEngine::Level Level, const std::string &Message);

/// Watches the macros, conditions and pragmas of regions while a text is read.
class Directives : public clang::PPCallbacks {
public:
  Directives(clang::CompilerInstance &CI, const RegionMap &Regions);

  /// Reports a macro that a declaration has left defined, unless \p Current is
  /// its region.
  void leaveMacros(const Region *Current);
  /// Warns of pragmas of regions that are still in force at \p At, unless that
  /// is in a region.
  void lookAtPragmas(clang::SourceLocation At);
  /// Names that directives of regions define, undefine or test.
  const NamedMacros &namedMacros() const { return Macros; }

  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &MD,
                    clang::SourceRange Range,
                    const clang::MacroArgs *Arguments) override;
  void MacroDefined(const clang::Token &Name,
                    const clang::MacroDirective *) override;
  void MacroUndefined(const clang::Token &Name, const clang::MacroDefinition &,
                      const clang::MacroDirective *) override {
    note(Name);
  }
  void Defined(const clang::Token &Name, const clang::MacroDefinition &,
               clang::SourceRange) override {
    note(Name);
  }
  void Ifdef(clang::SourceLocation, const clang::Token &Name,
             const clang::MacroDefinition &) override {
    note(Name);
  }
  void Ifndef(clang::SourceLocation, const clang::Token &Name,
              const clang::MacroDefinition &) override {
    note(Name);
  }
  void Endif(clang::SourceLocation Loc, clang::SourceLocation If) override;
  void PragmaDirective(clang::SourceLocation Loc,
                       clang::PragmaIntroducerKind) override;

private:
  void note(const clang::Token &Name);
  bool isOurs(clang::SourceLocation Loc) const;
  clang::SourceLocation pragmaInForce() const;

  clang::CompilerInstance &CI;
  const clang::SourceManager &SM;
  const RegionMap &Regions;
  NamedMacros Macros;
  NamedMacros Declared;             ///< Those that declarations define.
  clang::SourceLocation LastPragma; ///< Of any region.
};

} // namespace clinch::engine
