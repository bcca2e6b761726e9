//===- SupportCode.h - Which definitions a text may use ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thunk is one text with the support code of every Type and Op in it, but an
// Op compiled alone meets only some of that. The meaning of an author's text
// must not depend on what else is in the graph: it may use the definitions of
// the regions that it sees, and those of headers.
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

/// Records uses of other authors' definitions while a text is read.
class SupportCode {
public:
  SupportCode(clang::Preprocessor &PP, const RegionMap &Regions);

  /// A name that a text takes from another: where, and its definition.
  struct Use {
    std::string Name;
    clang::SourceLocation At, Defined;
    bool Undone = false; ///< `#undef`, for the other's texts too.
  };

  /// Returns the region of \p Defined if the text at \p At may not use what
  /// that region defines; else null.
  const Region *hidden(clang::SourceLocation At,
                       clang::SourceLocation Defined) const;

  /// Whether the text at \p At may call functions that \p Of defines.
  bool calls(clang::SourceLocation At, const Region &Of) const;

  /// Records that a macro is used or tested.
  void usesMacro(const clang::Token &Name, const clang::MacroDirective *Macro);
  void undefines(const clang::Token &Name, const clang::MacroDirective *Macro);
  /// Handles `#ifndef` at \p If. If the text that defined the macro has the
  /// same lines up to `#endif`, word for word, either may be the one that is
  /// read.
  void asksIfUndefined(clang::SourceLocation If, const clang::Token &Name,
                       const clang::MacroDirective *Macro);

  const std::vector<Use> &uses() const { return Uses; }

private:
  bool repeats(clang::SourceLocation If, clang::SourceLocation Defined);

  /// A range that regions of another number repeat.
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

/// Calls \p Do for the definitions in force or hidden by a later one.
void forEachDefinition(const clang::MacroDirective *Last,
                       llvm::function_ref<void(const clang::MacroInfo &)> Do);

void checkSupport(llvm::ArrayRef<clang::Decl *> Declarations,
                  clang::ASTContext &Context, const RegionMap &Regions,
                  const SupportCode &Support, Violations &Found);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_RULES_SUPPORTCODE_H
