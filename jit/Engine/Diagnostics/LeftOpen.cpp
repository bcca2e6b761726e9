// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's errors about what is left open.

#include "LeftOpen.h"

#include "RuleMessages.h"

#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clinch;
using namespace clinch::engine;

clang::SourceLocation clinch::engine::openingOf(clang::SourceLocation Name,
                                                const clang::SourceManager &SM,
                                                const clang::LangOptions &LO) {
  auto Next = clang::Lexer::findNextToken(SM.getExpansionLoc(Name), SM, LO);
  return Next && Next->is(clang::tok::l_paren) ? Next->getLocation() : Name;
}

std::optional<std::pair<std::string, clang::SourceLocation>>
clinch::engine::leftOpen(const clang::Diagnostic &Info,
                         const clang::LangOptions &LO) {
  const clang::SourceManager &SM = Info.getSourceManager();
  clang::SourceLocation Loc = Info.getLocation();
  switch (Info.getID()) {
  case clang::diag::err_unterminated_block_comment:
    return {{rules::commentNeverEnds(), Loc}};
  case clang::diag::err_unterminated_raw_string:
    return {{rules::literalNeverEnds('"'), Loc}};
  case clang::diag::err_unterm_macro_invoc:
    return {{rules::neverClosed(clang::tok::l_paren), openingOf(Loc, SM, LO)}};
  case clang::diag::err_pp_unterminated_conditional:
    return {{rules::ifNeverClosed(), Loc}};
  case clang::diag::pp_err_else_without_if:
  case clang::diag::pp_err_elif_without_if:
  case clang::diag::err_pp_endif_without_if: {
    llvm::SmallString<16> Buffer;
    return {
        {rules::withoutIf(clang::Lexer::getSpelling(Loc, Buffer, SM, LO).str()),
         Loc}};
  }
  default:
    return {};
  }
}
