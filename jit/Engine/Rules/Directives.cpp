// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the directives of regions do.

#include "Directives.h"

#include "../Diagnostics/LeftOpen.h"
#include "../Diagnostics/RuleMessages.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

using namespace clinch;
using namespace clinch::engine;

void clinch::engine::report(clang::CompilerInstance &CI,
                            clang::SourceLocation Loc,
                            clang::DiagnosticsEngine::Level Level,
                            const std::string &Message) {
  clang::DiagnosticsEngine &Diags = CI.getDiagnostics();
  Diags.Report(Loc, Diags.getCustomDiagID(Level, "%0")) << Message;
}

Directives::Directives(clang::CompilerInstance &CI, const RegionMap &Regions)
    : CI(CI), SM(CI.getSourceManager()), Regions(Regions) {}

/// Whether \p Loc is in the main file, but in no region.
bool Directives::isOurs(clang::SourceLocation Loc) const {
  return SM.isWrittenInMainFile(SM.getExpansionLoc(Loc)) &&
         !Regions.at(SM, Loc);
}

/// In Clinch's own text only macros of headers and of Clinch may expand; what a
/// region opens for the arguments of a macro, it closes.
void Directives::MacroExpands(const clang::Token &Name,
                              const clang::MacroDefinition &MD,
                              clang::SourceRange Range,
                              const clang::MacroArgs *Arguments) {
  if (Arguments &&
      Regions.at(SM, Range.getBegin()) != Regions.at(SM, Range.getEnd()))
    report(CI, openingOf(Range.getBegin(), SM, CI.getLangOpts()),
           clang::DiagnosticsEngine::Fatal,
           rules::neverClosed(clang::tok::l_paren));
  const clang::MacroInfo *Macro = MD.getMacroInfo();
  if (!Macro || SM.isLoadedSourceLocation(Macro->getDefinitionLoc()) ||
      SM.isInSystemHeader(Macro->getDefinitionLoc()) ||
      !isOurs(Name.getLocation()))
    return;
  if (Regions.at(SM, Macro->getDefinitionLoc()))
    report(CI, Macro->getDefinitionLoc(), clang::DiagnosticsEngine::Error,
           rules::macroOfOurs(Name.getIdentifierInfo()->getName().str()));
}

void Directives::MacroDefined(const clang::Token &Name,
                              const clang::MacroDirective *) {
  note(Name);
  const Region *R = Regions.at(SM, Name.getLocation());
  if (R && R->Kind == Region::Role::Declarations)
    Declared.push_back(Macros.back());
}

void Directives::leaveMacros(const Region *Current) {
  std::erase_if(Declared, [&](const NamedMacros::value_type &Macro) {
    const auto &[Name, Loc] = Macro;
    if (Regions.at(SM, Loc) == Current)
      return false;
    clang::Preprocessor &PP = CI.getPreprocessor();
    const clang::MacroInfo *Now = PP.getMacroInfo(PP.getIdentifierInfo(Name));
    if (Now && Now->getDefinitionLoc() == Loc)
      report(CI, Loc, clang::DiagnosticsEngine::Error,
             rules::neverUndefined(Name));
    return true;
  });
}

/// The `#endif` of another author may end what a region has left open.
void Directives::Endif(clang::SourceLocation Loc, clang::SourceLocation If) {
  if (Regions.at(SM, If) != Regions.at(SM, Loc))
    report(CI, If, clang::DiagnosticsEngine::Fatal, rules::ifNeverClosed());
}

void Directives::note(const clang::Token &Name) {
  if (Regions.at(SM, Name.getLocation()))
    Macros.emplace_back(Name.getIdentifierInfo()->getName().str(),
                        Name.getLocation());
}

void Directives::PragmaDirective(clang::SourceLocation Loc,
                                 clang::PragmaIntroducerKind) {
  if (Regions.at(SM, Loc))
    LastPragma = Loc;
}

/// Returns the pragma that changes the meaning of declarations or expressions;
/// invalid if there is none.
clang::SourceLocation Directives::pragmaInForce() const {
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

void Directives::lookAtPragmas(clang::SourceLocation At) {
  if (LastPragma.isInvalid() || Regions.at(SM, At))
    return;
  clang::SourceLocation Loc = pragmaInForce();
  if (Loc.isValid() && Regions.at(SM, Loc))
    report(CI, Loc, clang::DiagnosticsEngine::Warning, rules::pragmaInForce());
  LastPragma = {};
}
