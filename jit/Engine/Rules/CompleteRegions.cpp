//===- CompleteRegions.cpp - Regions complete in themselves ---------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompleteRegions.h"

#include "../Diagnostics/RuleMessages.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

using namespace clinch;
using namespace clinch::engine;

static void report(clang::CompilerInstance &CI, clang::SourceLocation Loc,
                   clang::DiagnosticsEngine::Level Level,
                   const std::string &Message) {
  clang::DiagnosticsEngine &Diags = CI.getDiagnostics();
  Diags.Report(Loc, Diags.getCustomDiagID(Level, "%0")) << Message;
}

/// Watches what regions do to macros and pragmas.
class CompleteRegions::Directives : public clang::PPCallbacks {
public:
  explicit Directives(CompleteRegions &Of)
      : Of(Of), SM(Of.CI.getSourceManager()) {}

  /// In Clinch's own text only macros of headers and of Clinch may expand.
  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &MD,
                    clang::SourceRange, const clang::MacroArgs *) override {
    const clang::MacroInfo *Macro = MD.getMacroInfo();
    if (!Macro || SM.isLoadedSourceLocation(Macro->getDefinitionLoc()) ||
        SM.isInSystemHeader(Macro->getDefinitionLoc()) ||
        !isOurs(Name.getLocation()))
      return;
    if (Of.Regions.at(SM, Macro->getDefinitionLoc()))
      report(Of.CI, Macro->getDefinitionLoc(), clang::DiagnosticsEngine::Error,
             rules::macroOfOurs(Name.getIdentifierInfo()->getName().str()));
  }

  void MacroDefined(const clang::Token &Name,
                    const clang::MacroDirective *) override {
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
  void Elifdef(clang::SourceLocation, const clang::Token &Name,
               const clang::MacroDefinition &) override {
    note(Name);
  }
  void Elifndef(clang::SourceLocation, const clang::Token &Name,
                const clang::MacroDefinition &) override {
    note(Name);
  }
  void Defined(const clang::Token &Name, const clang::MacroDefinition &,
               clang::SourceRange) override {
    note(Name);
  }

  void MacroUndefined(const clang::Token &Name, const clang::MacroDefinition &,
                      const clang::MacroDirective *) override {
    note(Name);
  }

  void PragmaDirective(clang::SourceLocation Loc,
                       clang::PragmaIntroducerKind) override {
    if (Of.Regions.at(SM, Loc))
      Of.LastPragma = Loc;
  }

private:
  void note(const clang::Token &Name) {
    if (Of.Regions.at(SM, Name.getLocation()))
      Of.Macros.emplace_back(Name.getIdentifierInfo()->getName().str(),
                             Name.getLocation());
  }
  /// Whether \p Loc is in the main file, but in no region.
  bool isOurs(clang::SourceLocation Loc) const {
    return SM.isWrittenInMainFile(SM.getExpansionLoc(Loc)) &&
           !Of.Regions.at(SM, Loc);
  }

  CompleteRegions &Of;
  const clang::SourceManager &SM;
};

CompleteRegions::CompleteRegions(clang::CompilerInstance &CI,
                                 const RegionMap &Regions)
    : CI(CI), Regions(Regions) {
  CI.getPreprocessor().addPPCallbacks(std::make_unique<Directives>(*this));
}

/// Keeps the last file: most tokens share the file or macro expansion of the
/// one before.
const Region *CompleteRegions::regionOf(clang::SourceLocation Loc) {
  const clang::SourceManager &SM = CI.getSourceManager();
  clang::FileID Of = SM.getFileID(Loc);
  if (Of == File)
    return Current;
  File = Of == SM.getMainFileID() ? clang::FileID() : Of;
  return Regions.at(SM, Loc);
}

bool CompleteRegions::leave() {
  if (Open.empty())
    return true;
  clang::Token T = Open.back();
  Open.clear();
  report(CI, T.getLocation(), clang::DiagnosticsEngine::Fatal,
         rules::neverClosed(clang::tok::getPunctuatorSpelling(T.getKind())));
  return false;
}

bool CompleteRegions::close(const clang::Token &T,
                            clang::tok::TokenKind Opening) {
  // Clang reports brackets that do not match.
  if (!Open.empty()) {
    if (Open.back().is(Opening))
      Open.pop_back();
    return true;
  }
  report(CI, T.getLocation(), clang::DiagnosticsEngine::Fatal,
         rules::closesNothing(clang::tok::getPunctuatorSpelling(T.getKind())));
  return false;
}

bool CompleteRegions::accepts(const clang::Token &T) {
  const Region *R = regionOf(T.getLocation());
  if (R != Current) {
    if (!leave())
      return false;
    Current = R;
  }
  if (!R)
    return true;
  switch (T.getKind()) {
  case clang::tok::l_brace:
  case clang::tok::l_paren:
  case clang::tok::l_square:
    Open.push_back(T);
    return true;
  case clang::tok::r_brace:
    return close(T, clang::tok::l_brace);
  case clang::tok::r_paren:
    return close(T, clang::tok::l_paren);
  case clang::tok::r_square:
    return close(T, clang::tok::l_square);
  default:
    return true;
  }
}

/// Returns the pragma that changes the meaning of declarations or expressions;
/// invalid if there is none.
clang::SourceLocation CompleteRegions::pragmaInForce() const {
  clang::Sema &S = CI.getSema();
  if (S.AlignPackStack.hasValue() || !S.AlignPackStack.Stack.empty())
    return S.AlignPackStack.hasValue()
               ? S.AlignPackStack.CurrentPragmaLocation
               : S.AlignPackStack.Stack.back().PragmaPushLocation;
  if (S.getOptimizeOffPragmaLocation().isValid())
    return S.getOptimizeOffPragmaLocation();
  for (const auto *Section :
       {&S.PragmaClangBSSSection, &S.PragmaClangDataSection,
        &S.PragmaClangRodataSection, &S.PragmaClangRelroSection,
        &S.PragmaClangTextSection})
    if (Section->Valid)
      return Section->PragmaLocation;
  bool Others = S.VisContext || S.MSStructPragmaOn ||
                S.CurFPFeatures != clang::FPOptions(S.getLangOpts());
  return Others ? LastPragma : clang::SourceLocation();
}

void CompleteRegions::lookAtPragmas(clang::SourceLocation At) {
  if (LastPragma.isInvalid() || Regions.at(CI.getSourceManager(), At))
    return;
  clang::SourceLocation Loc = pragmaInForce();
  if (Loc.isValid() && Regions.at(CI.getSourceManager(), Loc))
    report(CI, Loc, clang::DiagnosticsEngine::Warning, rules::pragmaInForce());
  LastPragma = {};
}
