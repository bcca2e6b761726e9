// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors that follow from others, and what is left open.

#include "FollowOnErrors.h"
#include "RuleMessages.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace clinch;
using namespace clinch::engine;

static llvm::StringRef takeName(llvm::StringRef &Text) {
  llvm::StringRef Name =
      Text.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  Text = Text.drop_front(Name.size());
  return Name;
}

/// In `type name, *other;` the names are missing with the type.
void FollowOnErrors::rememberDeclared(const Diagnostic &D,
                                      const std::string &Type) {
  llvm::StringRef Rest = D.SourceLine;
  if (!D.Column || D.Column > Rest.size())
    return;
  Rest = Rest.drop_front(D.Column - 1);
  if (!Rest.consume_front(Type))
    return;
  do {
    Rest = Rest.ltrim("* \t");
    llvm::StringRef Name = takeName(Rest);
    if (Name.empty() || Name[0] < 'A')
      return;
    Missing.insert(Name.str());
    Rest = Rest.ltrim();
  } while (Rest.consume_front(","));
}

bool FollowOnErrors::follows(const Diagnostic &D, const UnknownName &Unknown) {
  if (Guessed.count({D.Origin, D.Line}) ||
      (D.Column && !Places.insert({D.Origin, D.Line, D.Column}).second))
    return true;
  if (Unknown.Name.empty())
    return false;
  bool Known = !Missing.insert(Unknown.Name).second;
  rememberDeclared(D, Unknown.Name);
  if (Known)
    return true;
  if (Unknown.IsGuessed && D.Line)
    Guessed.insert({D.Origin, D.Line});
  return false;
}

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

/// Returns the name that an argument is, or that it is declared by.
static std::string nameIn(const clang::Diagnostic &Info, unsigned Arg) {
  auto Raw = [&] { return uintptr_t(Info.getRawArg(Arg)); };
  switch (Info.getArgKind(Arg)) {
  case clang::DiagnosticsEngine::ak_identifierinfo:
    return Info.getArgIdentifier(Arg)->getName().str();
  case clang::DiagnosticsEngine::ak_declarationname:
    return clang::DeclarationName::getFromOpaqueInteger(Raw()).getAsString();
  case clang::DiagnosticsEngine::ak_nameddecl:
    return reinterpret_cast<const clang::NamedDecl *>(Raw())->getNameAsString();
  case clang::DiagnosticsEngine::ak_std_string:
    return Info.getArgStdStr(Arg);
  default:
    return {};
  }
}

static std::string nameIn(const clang::Diagnostic &Info) {
  return Info.getNumArgs() ? nameIn(Info, 0) : std::string();
}

bool clinch::engine::names(const clang::Diagnostic &Info,
                           llvm::StringRef Name) {
  for (unsigned I = 0; I != Info.getNumArgs(); ++I)
    if (nameIn(Info, I) == Name)
      return true;
  return false;
}

UnknownName clinch::engine::unknownNameIn(const clang::Diagnostic &Info) {
  switch (Info.getID()) {
  case clang::diag::err_undeclared_var_use:
  case clang::diag::err_unknown_typename:
  case clang::diag::ext_implicit_function_decl_c99:
    return {nameIn(Info)};
  case clang::diag::err_undeclared_var_use_suggest:
  case clang::diag::err_unknown_typename_suggest:
  case clang::diag::err_unknown_type_or_class_name_suggest:
    return {nameIn(Info), /*IsGuessed=*/true};
  default:
    return {};
  }
}

bool clinch::engine::isOfCxx(llvm::StringRef Name) {
  return llvm::is_contained({"std", "template", "class", "namespace", "using",
                             "new", "throw", "try", "typename", "static_cast"},
                            Name);
}

/// Whether a word of \p Name ends behind \p Start: `cudaMalloc`, not `cudart`.
static bool startsWithWord(llvm::StringRef Name, llvm::StringRef Start) {
  return Name.consume_front(Start) && !Name.empty() &&
         (llvm::isUpper(Name[0]) || Name[0] == '_');
}

/// Whether what \p Info suggests for \p Name is it but for one letter.
static bool isMisspelt(const clang::Diagnostic &Info, llvm::StringRef Name) {
  for (unsigned I = 1; I < Info.getNumArgs(); ++I)
    if (Name.edit_distance(llvm::StringRef(nameIn(Info, I)).trim('\'')) <= 1)
      return true;
  return false;
}

bool clinch::engine::isMissingOfCUDA(const clang::Diagnostic &Info) {
  constexpr llvm::StringRef Starts[] = {
      "cuda",  "cuArray",  "cuCtx",    "cuDevice", "cuEvent",   "cuFunc",
      "cuGet", "cuGraph",  "cuKernel", "cuLaunch", "cuLibrary", "cuLink",
      "cuMem", "cuMemcpy", "cuMemset", "cuModule", "cuPointer", "cuStream"};
  const std::string Name = unknownNameIn(Info).Name;
  const bool IsOfCUDA = Name == "__managed__" || Name == "cuInit" ||
                        Name == "CUdeviceptr" ||
                        llvm::any_of(Starts, [&](llvm::StringRef Start) {
                          return startsWithWord(Name, Start);
                        });
  return IsOfCUDA && !isMisspelt(Info, Name);
}

bool clinch::engine::isGuess(unsigned ID) {
  switch (ID) {
  case clang::diag::err_undeclared_var_use_suggest:
  case clang::diag::err_undeclared_use_suggest:
  case clang::diag::err_unknown_typename_suggest:
  case clang::diag::err_unknown_type_or_class_name_suggest:
  case clang::diag::err_unknown_nested_typename_suggest:
  case clang::diag::err_no_member_suggest:
  case clang::diag::err_no_member_template_suggest:
  case clang::diag::err_no_template_suggest:
  case clang::diag::err_non_template_in_template_id_suggest:
  case clang::diag::err_non_template_in_member_template_id_suggest:
  case clang::diag::err_field_designator_unknown_suggest:
  case clang::diag::err_mem_init_not_member_or_class_suggest:
  case clang::diag::err_member_decl_does_not_match_suggest:
  case clang::diag::err_typecheck_call_too_few_args_suggest:
  case clang::diag::err_typecheck_call_too_few_args_at_least_suggest:
  case clang::diag::err_typecheck_call_too_many_args_suggest:
  case clang::diag::err_typecheck_call_too_many_args_at_most_suggest:
  case clang::diag::err_using_directive_suggest:
  case clang::diag::err_using_directive_member_suggest:
    return true;
  default:
    return false;
  }
}

void clinch::engine::appendTexts(const clang::Diagnostic &Info,
                                 std::vector<std::string> &To) {
  for (unsigned I = 0; I != Info.getNumArgs(); ++I)
    if (Info.getArgKind(I) == clang::DiagnosticsEngine::ak_std_string)
      To.push_back(Info.getArgStdStr(I));
    else if (Info.getArgKind(I) == clang::DiagnosticsEngine::ak_c_string)
      To.emplace_back(Info.getArgCStr(I));
}
