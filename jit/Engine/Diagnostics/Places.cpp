// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a message points.

#include "Places.h"

#include "lib/Support/Faults.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Longer lines are not quoted: a text of 50 MB may be a single line.
constexpr size_t LongestQuotedLine = 2000;

std::string lineAt(const clang::SourceManager &SM, clang::SourceLocation Loc) {
  bool Invalid = false;
  auto [File, Offset] = SM.getDecomposedLoc(Loc);
  llvm::StringRef Text = SM.getBufferData(File, &Invalid);
  if (Invalid || Offset > Text.size())
    return {};
  llvm::StringRef Before = Text.take_front(Offset);
  if (Text.substr(Offset).starts_with("\n"))
    Before.consume_back("\r"); // Both are one end of a line.
  size_t Begin = Before.find_last_of("\r\n") + 1;
  llvm::StringRef Line = Text.slice(Begin, Text.find_first_of("\r\n", Begin));
  return Line.size() > LongestQuotedLine ? std::string() : Line.str();
}

void addMacroNotes(const clang::SourceManager &SM, clang::SourceLocation Loc,
                   const clang::LangOptions &LO, clinch::Diagnostic &D) {
  for (size_t I = 0; I != MostMacroNotes && Loc.isMacroID(); ++I) {
    llvm::StringRef Name =
        clang::Lexer::getImmediateMacroNameForDiagnostics(Loc, SM, LO);
    clang::SourceLocation Spelling = SM.getSpellingLoc(Loc);
    clang::SourceLocation Caller = SM.getImmediateMacroCallerLoc(Loc);
    bool Shown = !isInHeader(SM, Spelling) || !Caller.isMacroID();
    if (Shown && !Name.empty() && !SM.isWrittenInScratchSpace(Spelling))
      D.Notes.push_back(
          diagnosticAt(SM, Spelling, Diagnostic::Severity::Note,
                       "expanded from macro `" + Name.str() + "`"));
    Loc = Caller;
  }
}

clinch::Diagnostic::FixIt fixItOf(const clang::SourceManager &SM,
                                  const clang::LangOptions &LO,
                                  const clang::FixItHint &Hint) {
  clang::CharSourceRange Range = Hint.RemoveRange;
  clinch::Diagnostic::FixIt Result;
  Result.BeginColumn = SM.getSpellingColumnNumber(Range.getBegin());
  Result.EndColumn = SM.getSpellingColumnNumber(Range.getEnd());
  if (Range.isTokenRange())
    Result.EndColumn +=
        clang::Lexer::MeasureTokenLength(Range.getEnd(), SM, LO);
  Result.Replacement = Hint.CodeToInsert;
  return Result;
}

/// Whether \p Range is on the line that the message quotes.
bool onSameLine(const clang::SourceManager &SM, clang::SourceLocation Loc,
                clang::CharSourceRange Range) {
  clang::SourceLocation B = Range.getBegin(), E = Range.getEnd();
  if (B.isInvalid() || E.isInvalid() || B.isMacroID() || E.isMacroID())
    return false;
  Loc = SM.getExpansionLoc(Loc);
  unsigned Line = SM.getSpellingLineNumber(Loc);
  return SM.getFileID(B) == SM.getFileID(Loc) &&
         SM.getFileID(E) == SM.getFileID(Loc) &&
         SM.getSpellingLineNumber(B) == Line &&
         SM.getSpellingLineNumber(E) == Line;
}

/// Returns where the main file includes the file of \p Loc, if not itself.
clang::SourceLocation includedFrom(const clang::SourceManager &SM,
                                   clang::SourceLocation Loc) {
  clang::SourceLocation Result;
  for (;;) {
    clang::FileID File = SM.getFileID(SM.getExpansionLoc(Loc));
    if (File == SM.getMainFileID())
      return Result;
    Loc = Result = SM.getIncludeLoc(File);
  }
}

} // namespace

bool clinch::engine::isInHeader(const clang::SourceManager &SM,
                                clang::SourceLocation Loc) {
  return Loc.isValid() &&
         (SM.isLoadedSourceLocation(Loc) || SM.isInSystemHeader(Loc));
}

clinch::Diagnostic clinch::engine::diagnosticAt(const clang::SourceManager &SM,
                                                clang::SourceLocation Loc,
                                                Diagnostic::Severity Level,
                                                std::string Message) {
  clinch::Diagnostic D;
  D.Level = Level;
  D.Message = std::move(Message);
  clang::PresumedLoc P = SM.getPresumedLoc(Loc);
  if (P.isInvalid())
    return D;
  D.Origin = P.getFilename();
  D.Line = P.getLine();
  D.Column = P.getColumn();
  D.SourceLine = lineAt(SM, SM.getExpansionLoc(Loc));
  return D;
}

clinch::Diagnostic clinch::engine::diagnosticInMacros(
    const clang::SourceManager &SM, const clang::LangOptions &LO,
    clang::SourceLocation Loc, Diagnostic::Severity Level,
    std::string Message) {
  clinch::Diagnostic D = diagnosticAt(SM, Loc, Level, std::move(Message));
  addMacroNotes(SM, Loc, LO, D);
  return D;
}

void clinch::engine::nameRegion(const clang::SourceManager &SM,
                                clang::SourceLocation Loc,
                                const clinch::Region &R,
                                clinch::Diagnostic &D) {
  clang::SourceLocation Included = includedFrom(SM, Loc);
  if (Included.isValid())
    D.Notes.push_back(diagnosticAt(
        SM, Included, clinch::Diagnostic::Severity::Note, "included here"));
  const std::string Place =
      Included.isValid() ? D.Notes.back().Origin : D.Origin;
  nameText(D, Place, R.Name, R.Parts);
}

void clinch::engine::addFixIts(const clang::SourceManager &SM,
                               const clang::LangOptions &LO,
                               const clang::Diagnostic &Info,
                               clinch::Diagnostic &D) {
  for (const clang::FixItHint &Hint : Info.getFixItHints())
    if (onSameLine(SM, Info.getLocation(), Hint.RemoveRange))
      D.FixIts.push_back(fixItOf(SM, LO, Hint));
}
