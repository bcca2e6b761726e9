//===- DiagnosticCollector.cpp - Clang's messages as data -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DiagnosticCollector.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Longer lines are not quoted: a text of 50 MB may be a single line.
constexpr size_t LongestQuotedLine = 2000;
constexpr size_t MostMacroNotes = 6;

std::string lineAt(const clang::SourceManager &SM, clang::SourceLocation Loc) {
  bool Invalid = false;
  auto [File, Offset] = SM.getDecomposedLoc(Loc);
  llvm::StringRef Text = SM.getBufferData(File, &Invalid);
  if (Invalid || Offset > Text.size())
    return {};
  size_t Begin = Text.rfind('\n', Offset);
  if (Begin == Offset && Offset) // At the end of a line.
    Begin = Text.rfind('\n', Offset - 1);
  Begin = Begin == Text.npos || Begin == Offset ? 0 : Begin + 1;
  llvm::StringRef Line = Text.substr(Begin).take_until(
      [](char C) { return C == '\n' || C == '\r'; });
  return Line.size() > LongestQuotedLine ? std::string() : Line.str();
}

clinch::FixIt fixItOf(const clang::SourceManager &SM,
                      const clang::LangOptions &LO,
                      const clang::FixItHint &Hint) {
  clang::CharSourceRange Range = Hint.RemoveRange;
  clinch::FixIt Result;
  Result.BeginColumn = SM.getSpellingColumnNumber(Range.getBegin());
  Result.EndColumn = SM.getSpellingColumnNumber(Range.getEnd());
  if (Range.isTokenRange())
    Result.EndColumn +=
        clang::Lexer::MeasureTokenLength(Range.getEnd(), SM, LO);
  Result.Replacement = Hint.CodeToInsert;
  return Result;
}

/// Whether a fix-it stands on the line that its message quotes.
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

/// Whether a place is in what stands before the text, or in a system's header.
bool isInHeader(const clang::SourceManager &SM, clang::SourceLocation Loc) {
  return Loc.isValid() &&
         (SM.isLoadedSourceLocation(Loc) || SM.isInSystemHeader(Loc));
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
          diagnosticAt(SM, Spelling, Severity::Note,
                       "expanded from macro `" + Name.str() + "`"));
    Loc = Caller;
  }
}

Severity severityOf(clang::DiagnosticsEngine::Level Level) {
  switch (Level) {
  case clang::DiagnosticsEngine::Note:
    return Severity::Note;
  case clang::DiagnosticsEngine::Warning:
    return Severity::Warning;
  default:
    return Severity::Error;
  }
}

clinch::Diagnostic convert(clang::DiagnosticsEngine::Level Level,
                           const clang::Diagnostic &Info,
                           const clang::LangOptions *LO) {
  llvm::SmallString<256> Message;
  Info.FormatDiagnostic(Message);
  Severity S = severityOf(Level);
  clinch::Diagnostic D;
  if (!Info.hasSourceManager() || Info.getLocation().isInvalid()) {
    D.Level = S;
    D.Message = Message.str().str();
    return D;
  }
  const clang::SourceManager &SM = Info.getSourceManager();
  clang::SourceLocation Loc = Info.getLocation();
  if (!LO)
    return diagnosticAt(SM, Loc, S, Message.str().str());
  D = diagnosticInMacros(SM, *LO, Loc, S, Message.str().str());
  for (const clang::FixItHint &Hint : Info.getFixItHints())
    if (onSameLine(SM, Loc, Hint.RemoveRange))
      D.FixIts.push_back(fixItOf(SM, *LO, Hint));
  return D;
}

} // namespace

clinch::Diagnostic clinch::engine::diagnosticAt(const clang::SourceManager &SM,
                                                clang::SourceLocation Loc,
                                                Severity Level,
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
    clang::SourceLocation Loc, Severity Level, std::string Message) {
  clinch::Diagnostic D = diagnosticAt(SM, Loc, Level, std::move(Message));
  addMacroNotes(SM, Loc, LO, D);
  return D;
}

void DiagnosticCollector::add(clinch::Diagnostic D) {
  std::vector<clinch::Diagnostic> &List =
      D.Level == Severity::Error ? Errors : Warnings;
  List.push_back(std::move(D));
  Last = &List.back();
  LastHasHeaderNote = false;
}

/// One note may point into a header: where what the text redefines is, or what
/// it calls. The place of a guessed name tells nothing.
void DiagnosticCollector::addNote(clinch::Diagnostic D, bool InHeader) {
  if (InHeader) {
    if (LastHasHeaderNote ||
        llvm::StringRef(Last->Message).contains("did you mean"))
      return;
    LastHasHeaderNote = true;
    D.Notes.clear();
  }
  Last->Notes.push_back(std::move(D));
}

void DiagnosticCollector::HandleDiagnostic(
    clang::DiagnosticsEngine::Level Level, const clang::Diagnostic &Info) {
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (Level == clang::DiagnosticsEngine::Ignored ||
      Level == clang::DiagnosticsEngine::Remark)
    return;
  clinch::Diagnostic D = convert(Level, Info, Lang);
  bool IsNote = Level == clang::DiagnosticsEngine::Note;
  if (!IsNote)
    LastIsLeftOut = D.Level == Severity::Error && Known.follows(D);
  if (LastIsLeftOut)
    return;
  if (IsNote && Last)
    addNote(std::move(D),
            Info.hasSourceManager() &&
                isInHeader(Info.getSourceManager(), Info.getLocation()));
  else
    add(std::move(D));
}
