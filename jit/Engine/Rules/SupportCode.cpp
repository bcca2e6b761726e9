//===- SupportCode.cpp - Which definitions a text may use -----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SupportCode.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>

using namespace clinch;
using namespace clinch::engine;

SupportCode::SupportCode(clang::Preprocessor &PP, const RegionMap &Regions)
    : PP(PP), SM(PP.getSourceManager()), Regions(Regions) {}

const Region *SupportCode::hidden(clang::SourceLocation At,
                                  clang::SourceLocation Defined) const {
  if (Defined.isInvalid() || SM.isLoadedSourceLocation(Defined))
    return nullptr;
  auto [File, Offset] = SM.getDecomposedExpansionLoc(Defined);
  const Region *Of =
      File == SM.getMainFileID() ? Regions.at(SM, Defined) : nullptr;
  const Region *R = Of && Of->Support ? Regions.at(SM, At) : nullptr;
  auto Sees = [&](unsigned Number) {
    return Number == R->Support ||
           std::binary_search(R->Sees.begin(), R->Sees.end(), Number);
  };
  if (!R || Sees(Of->Support))
    return nullptr;
  for (const Repeated &Each : Repeats)
    if (Each.Begin <= Offset && Offset < Each.End && Sees(Each.Support))
      return nullptr;
  return Of;
}

bool SupportCode::calls(clang::SourceLocation At, const Region &Of) const {
  const Region *R = Regions.at(SM, At);
  return R && std::binary_search(R->Calls.begin(), R->Calls.end(), Of.Support);
}

void clinch::engine::forEachDefinition(
    const clang::MacroDirective *Last,
    llvm::function_ref<void(const clang::MacroInfo &)> Do) {
  for (const clang::MacroDirective *D = Last;
       D && !llvm::isa<clang::UndefMacroDirective>(D); D = D->getPrevious())
    if (const auto *Def = llvm::dyn_cast<clang::DefMacroDirective>(D))
      Do(*Def->getInfo());
}

void SupportCode::usesMacro(const clang::Token &Name,
                            const clang::MacroDirective *Macro) {
  const clang::MacroInfo *InForce = nullptr;
  bool Hidden = false, Seen = false;
  forEachDefinition(Macro, [&](const clang::MacroInfo &Each) {
    if (!InForce)
      InForce = &Each;
    if (hidden(Name.getLocation(), Each.getDefinitionLoc()))
      Hidden |= &Each == InForce;
    else
      Seen |= &Each == InForce || Each.isIdenticalTo(*InForce, PP, false);
  });
  if (Hidden && !Seen)
    Uses.push_back({Name.getIdentifierInfo()->getName().str(),
                    Name.getLocation(), InForce->getDefinitionLoc()});
}

void SupportCode::undefines(const clang::Token &Name,
                            const clang::MacroDirective *Macro) {
  const Region *R = Regions.at(SM, Name.getLocation());
  forEachDefinition(Macro, [&](const clang::MacroInfo &Each) {
    clang::SourceLocation Loc = Each.getDefinitionLoc();
    if (!R || !SM.isWrittenInMainFile(Loc))
      return;
    const Region *Of = Regions.at(SM, Loc);
    if (Of && Of->Support && Of != R)
      Uses.push_back({Name.getIdentifierInfo()->getName().str(),
                      Name.getLocation(), Loc, true});
  });
}

/// Returns the text from after the `#` of a condition to its `#endif`.
static std::string_view groupAt(const clang::SourceManager &SM,
                                const clang::LangOptions &LO,
                                clang::SourceLocation If) {
  llvm::StringRef Text = SM.getBufferData(SM.getMainFileID());
  const char *Begin = Text.begin() + SM.getFileOffset(If);
  clang::Lexer L(SM.getLocForStartOfFile(SM.getMainFileID()), LO, Text.begin(),
                 Begin, Text.end());
  clang::Token T;
  unsigned Depth = 1;
  for (bool Directive = false; Depth && !L.LexFromRawLexer(T);) {
    llvm::StringRef Word = Directive && T.is(clang::tok::raw_identifier)
                               ? T.getRawIdentifier()
                               : llvm::StringRef();
    Depth += Word == "if" || Word == "ifdef" || Word == "ifndef";
    Depth -= Word == "endif";
    Directive = T.is(clang::tok::hash) && T.isAtStartOfLine();
  }
  return {Begin, size_t(L.getBufferLocation() - Begin)};
}

bool SupportCode::repeats(clang::SourceLocation If,
                          clang::SourceLocation Defined) {
  const Region *R = Regions.at(SM, If), *Of = Regions.at(SM, Defined);
  if (!R || !R->Support || !SM.isWrittenInMainFile(If))
    return false;
  std::string_view Group = groupAt(SM, PP.getLangOpts(), If);
  std::string_view Text = SM.getBufferData(SM.getMainFileID());
  size_t At = SM.getFileOffset(Defined), Begin = Text.rfind(Group, At);
  if (SM.getFileOffset(If) + Group.size() > R->End || Begin == Text.npos ||
      Begin < Of->Begin || Begin + Group.size() <= At)
    return false;
  Repeats.push_back({Begin, Begin + Group.size(), R->Support});
  return true;
}

void SupportCode::asksIfUndefined(clang::SourceLocation If,
                                  const clang::Token &Name,
                                  const clang::MacroDirective *Macro) {
  size_t Before = Uses.size();
  usesMacro(Name, Macro);
  if (Uses.size() != Before && repeats(If, Uses.back().Defined))
    Uses.pop_back();
}
