//===- SupportCode.h - What one author's code leaves for another *- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thunk is one text, in which the support code of every Type and Op stands;
// an Op on its own meets only some of it. What an author's text says must not
// depend on who else is there: it may use what the regions leave that it sees,
// and what headers do.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_RULES_SUPPORTCODE_H
#define CLINCH_JIT_ENGINE_RULES_SUPPORTCODE_H

#include "../Diagnostics/RegionMap.h"
#include "RuleChecker.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class MacroDirective;
class MacroInfo;
class Preprocessor;
class Token;
} // namespace clang

namespace clinch::engine {

/// Whose code a text may use, while it is read and afterwards.
class SupportCode {
public:
  SupportCode(clang::Preprocessor &PP, const RegionMap &Regions);

  /// A name that a text has of another: where, and where that one defines it.
  struct Use {
    std::string Name;
    clang::SourceLocation At, Defined;
    bool Undone = false; ///< It is taken from the other's texts, too.
  };

  /// The region that \p Defined is written in, where the text at \p At may not
  /// use what that region leaves; else null.
  const Region *hidden(clang::SourceLocation At,
                       clang::SourceLocation Defined) const;

  /// A macro is used, or asked for.
  void usesMacro(const clang::Token &Name, const clang::MacroDirective *Macro);
  void undefines(const clang::Token &Name, const clang::MacroDirective *Macro);
  /// `#ifndef` at \p If: where all of it up to its `#endif` stands word for
  /// word in the text that defined the macro, either may be the one that is
  /// read.
  void asksIfUndefined(clang::SourceLocation If, const clang::Token &Name,
                       const clang::MacroDirective *Macro);

  const std::vector<Use> &uses() const { return Uses; }

private:
  bool repeats(clang::SourceLocation If, clang::SourceLocation Defined);

  /// What may as well have been defined by the regions of another number.
  struct Repeated {
    size_t Begin, End;
    unsigned Support;
  };

  clang::Preprocessor &PP;
  const clang::SourceManager &SM;
  const RegionMap &Regions;
  std::vector<Repeated> Repeats;
  std::vector<Use> Uses;
};

/// Definitions that are in force, or would be without a later one.
void forEachDefinition(const clang::MacroDirective *Last,
                       llvm::function_ref<void(const clang::MacroInfo &)> Do);

void checkSupport(llvm::ArrayRef<clang::Decl *> Declarations,
                  clang::ASTContext &Context, const RegionMap &Regions,
                  const SupportCode &Support, Violations &Found);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_RULES_SUPPORTCODE_H
