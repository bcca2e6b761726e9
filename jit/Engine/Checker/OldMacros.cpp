// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that a library deprecates.

#include "Checks.h"

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

class MacroWatcher : public clang::PPCallbacks {
public:
  MacroWatcher(clang::CompilerInstance &CI, Findings &Found)
      : SM(CI.getSourceManager()), PP(CI.getPreprocessor()), Found(Found) {}

  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &MD,
                    clang::SourceRange, const clang::MacroArgs *) override {
    const clang::MacroInfo *Macro = MD.getMacroInfo();
    clang::SourceLocation Loc = Name.getLocation();
    if (!Macro || Loc.isMacroID() || !Found.regionAt(Loc) ||
        !SM.getFilename(Macro->getDefinitionLoc())
             .ends_with(Found.facts().Macros.Header))
      return;
    std::string Old = Name.getIdentifierInfo()->getName().str();
    std::string New = nameIn(*Macro);
    clinch::Diagnostic *D =
        Found.add(Loc, Found.facts().Macros.Check,
                  "`" + Old + "` " + Found.facts().Macros.Why +
                      (New.empty() ? "" : "; write `" + New + "`"));
    if (D && !New.empty())
      Found.fix(*D, Loc, Loc.getLocWithOffset(int(Old.size())), New);
  }

private:
  /// Returns the one name that the macro expands to, or an empty string.
  std::string nameIn(const clang::MacroInfo &Macro) const {
    if (!Macro.isObjectLike() || Macro.getNumTokens() != 1 ||
        !Macro.getReplacementToken(0).is(clang::tok::identifier))
      return {};
    return PP.getSpelling(Macro.getReplacementToken(0));
  }

  const clang::SourceManager &SM;
  clang::Preprocessor &PP;
  Findings &Found;
};

} // namespace

void clinch::engine::watchDeprecatedMacros(clang::CompilerInstance &CI,
                                           Findings &Found) {
  CI.getPreprocessor().addPPCallbacks(
      std::make_unique<MacroWatcher>(CI, Found));
}
