// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings, and the edits that mend them.

#include "Findings.h"
#include "../Diagnostics/DiagnosticCollector.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Core/Replacement.h"

#include <algorithm>

using namespace clinch;
using namespace clinch::engine;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

clinch::Diagnostic *Findings::add(clang::SourceLocation Loc,
                                  const std::string &Check,
                                  std::string Message) {
  const Region *R = regionAt(Loc);
  bool Known = std::any_of(All.begin(), All.end(), [&](const auto &E) {
    return E->Loc == Loc && E->F.Check == Check;
  });
  if (!R || Known)
    return nullptr;
  const clang::SourceManager &SM = CI.getSourceManager();
  auto E = std::make_unique<Entry>();
  E->Loc = Loc;
  E->F.What =
      diagnosticInMacros(SM, CI.getLangOpts(), Loc,
                         Diagnostic::Severity::Warning, std::move(Message));
  E->F.Check = Check;
  nameRegion(SM, Loc, *R, E->F.What);
  All.push_back(std::move(E));
  return &All.back()->F.What;
}

void Findings::note(clinch::Diagnostic &D, clang::SourceLocation Loc,
                    std::string Message) {
  D.Notes.push_back(diagnosticAt(CI.getSourceManager(), Loc,
                                 Diagnostic::Severity::Note,
                                 std::move(Message)));
}

void Findings::fix(clinch::Diagnostic &D, clang::SourceLocation Begin,
                   clang::SourceLocation End, const std::string &Text) {
  if (Begin.isInvalid() || End.isInvalid() || Begin.isMacroID() ||
      End.isMacroID())
    return;
  const clang::SourceManager &SM = CI.getSourceManager();
  if (SM.getFileID(Begin) != SM.getFileID(End) ||
      SM.getPresumedLineNumber(Begin) != D.Line ||
      SM.getPresumedLineNumber(End) != D.Line)
    return;
  D.FixIts.push_back({SM.getSpellingColumnNumber(Begin),
                      SM.getSpellingColumnNumber(End), Text});
}

clang::SourceLocation
Findings::afterSemicolon(clang::SourceLocation Last) const {
  if (Last.isMacroID())
    return {};
  return clang::Lexer::findLocationAfterToken(
      Last, clang::tok::semi, CI.getSourceManager(), CI.getLangOpts(), false);
}

std::string Findings::failAt(clang::SourceLocation Loc) const {
  clang::Preprocessor &PP = CI.getPreprocessor();
  clang::MacroDefinition M =
      PP.getMacroDefinitionAtLoc(PP.getIdentifierInfo("FAIL"), Loc);
  return M.getMacroInfo() ? "FAIL" : "%(fail)s";
}

std::string Findings::textOf(clang::SourceRange Range) const {
  return clang::Lexer::getSourceText(
             clang::CharSourceRange::getTokenRange(Range),
             CI.getSourceManager(), CI.getLangOpts())
      .str();
}

std::vector<Finding> Findings::take() {
  std::stable_sort(All.begin(), All.end(), [](const auto &A, const auto &B) {
    return A->Loc < B->Loc;
  });
  std::vector<Finding> Result;
  Result.reserve(All.size());
  for (auto &E : All)
    Result.push_back(std::move(E->F));
  return Result;
}

namespace {

/// The lines of a text and where they begin.
class Lines {
public:
  explicit Lines(llvm::StringRef Text) {
    while (!Text.empty()) {
      auto [Line, Rest] = Text.split('\n');
      Begins.push_back(At);
      All.push_back(Line.ends_with("\r") ? Line.drop_back() : Line);
      At += Line.size() + 1;
      Text = Rest;
    }
  }
  bool has(const LineFix &F) const {
    return F.Line && F.Line <= All.size() && All[F.Line - 1] == F.Before;
  }
  size_t begin(unsigned Line) const { return Begins[Line - 1]; }

private:
  size_t At = 0;
  std::vector<size_t> Begins;
  std::vector<llvm::StringRef> All;
};

Error about(const LineFix &F, const std::string &Message) {
  return Error(Error::Kind::InvalidArgument,
               "line " + std::to_string(F.Line) + ": " + Message);
}

} // namespace

Expected<std::string>
clinch::engine::applyFixes(const SourceText &Text,
                           const std::vector<LineFix> &Fixes) {
  Lines L(Text.Text);
  Replacements All;
  for (const LineFix &F : Fixes) {
    if (!L.has(F))
      return about(F, "it is not as it was when it was looked at");
    Replacement R(Text.Name, unsigned(L.begin(F.Line) + F.Fix.BeginColumn - 1),
                  F.Fix.EndColumn - F.Fix.BeginColumn, F.Fix.Replacement);
    if (llvm::Error E = All.add(R)) {
      llvm::consumeError(std::move(E));
      return about(F, "two fixes meet here; make one of them by hand");
    }
  }
  llvm::Expected<std::string> Result =
      clang::tooling::applyAllReplacements(Text.Text, All);
  if (Result)
    return std::move(*Result);
  llvm::consumeError(Result.takeError());
  return Error(Error::Kind::InvalidArgument, "the fixes do not fit the file");
}
