// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an author wrote what a message is about.

#include "RegionMap.h"
#include "lib/Support/Faults.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>

using namespace clinch;
using namespace clinch::engine;

static std::vector<const Region *> sorted(const std::vector<Region> &Regions) {
  std::vector<const Region *> Result;
  Result.reserve(Regions.size());
  for (const Region &R : Regions)
    Result.push_back(&R);
  std::stable_sort(
      Result.begin(), Result.end(),
      [](const Region *A, const Region *B) { return A->Begin < B->Begin; });
  return Result;
}

RegionMap::RegionMap(const std::vector<Region> &Regions)
    : Sorted(sorted(Regions)) {}

Status RegionMap::check(const std::vector<Region> &Regions,
                        std::string_view Text) {
  size_t End = 0;
  for (const Region *R : sorted(Regions)) {
    if (R->Begin < End || R->End < R->Begin || R->End > Text.size())
      return Error(Error::Kind::InvalidArgument,
                   "The region " + R->Name + " has the bytes " +
                       std::to_string(R->Begin) + " to " +
                       std::to_string(R->End) +
                       "; expected regions of the text that do not overlap.");
    End = R->End;
  }
  return Status::success();
}

const Region *RegionMap::at(size_t Offset) const {
  auto After =
      std::partition_point(Sorted.begin(), Sorted.end(),
                           [&](const Region *R) { return R->Begin <= Offset; });
  if (After == Sorted.begin())
    return nullptr;
  const Region *R = *std::prev(After);
  return Offset < R->End ? R : nullptr;
}

const Region *RegionMap::at(const clang::SourceManager &SM,
                            clang::SourceLocation Loc) const {
  while (Loc.isValid() && !SM.isLoadedSourceLocation(Loc)) {
    auto [File, Offset] = SM.getDecomposedExpansionLoc(Loc);
    if (File == SM.getMainFileID())
      return at(Offset);
    Loc = SM.getIncludeLoc(File);
  }
  return nullptr;
}

const Region *RegionMap::endingBefore(const clang::SourceManager &SM,
                                      const clang::LangOptions &LO,
                                      clang::SourceLocation Loc) const {
  auto [File, Offset] = SM.getDecomposedExpansionLoc(Loc);
  auto After =
      std::partition_point(Sorted.begin(), Sorted.end(),
                           [&](const Region *R) { return R->Begin <= Offset; });
  if (File != SM.getMainFileID() || After == Sorted.begin())
    return nullptr;
  const Region *R = *--After;
  // A directive is one logical line, which a raw lexer gives token by token.
  clang::Lexer L(
      SM.getLocForStartOfFile(File), LO, SM.getBufferData(File).begin(),
      SM.getBufferData(File).begin() + R->End, SM.getBufferData(File).end());
  clang::Token T;
  L.LexFromRawLexer(T);
  while (T.is(clang::tok::hash) && T.isAtStartOfLine())
    do
      L.LexFromRawLexer(T);
    while (!T.isAtStartOfLine() && T.isNot(clang::tok::eof));
  // What a text leaves open may take a part of the assertion that closes it.
  if (T.is(clang::tok::raw_identifier) &&
      (T.getRawIdentifier() == "__extension__" ||
       T.getRawIdentifier() == "static_assert"))
    while (T.isNot(clang::tok::semi) && T.isNot(clang::tok::eof))
      L.LexFromRawLexer(T);
  return SM.getFileOffset(T.getLocation()) >= Offset ? R : nullptr;
}

clang::SourceLocation RegionMap::lastToken(const Region &R,
                                           const clang::SourceManager &SM,
                                           const clang::LangOptions &LO) {
  llvm::StringRef Text = SM.getBufferData(SM.getMainFileID());
  clang::Lexer L(SM.getLocForStartOfFile(SM.getMainFileID()), LO, Text.begin(),
                 Text.begin() + R.Begin, Text.end());
  clang::SourceLocation Last;
  for (clang::Token T;;) {
    L.LexFromRawLexer(T);
    if (T.is(clang::tok::eof) || SM.getFileOffset(T.getLocation()) >= R.End)
      return Last;
    Last = T.getLocation();
  }
}

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
