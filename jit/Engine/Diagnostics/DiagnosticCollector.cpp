// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's messages as data.

#include "DiagnosticCollector.h"
#include "FollowOnErrors.h"
#include "RegionMap.h"
#include "RuleMessages.h"

#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"

#include <algorithm>
#include <tuple>

using namespace clinch;
using namespace clinch::engine;

namespace {

Diagnostic::Severity severityOf(clang::DiagnosticsEngine::Level Level) {
  switch (Level) {
  case clang::DiagnosticsEngine::Note:
    return Diagnostic::Severity::Note;
  case clang::DiagnosticsEngine::Warning:
    return Diagnostic::Severity::Warning;
  default:
    return Diagnostic::Severity::Error;
  }
}

/// Returns the end of the last token of \p R, where a missing one belongs.
clang::SourceLocation endOf(const clinch::Region &R,
                            const clang::SourceManager &SM,
                            const clang::LangOptions &LO) {
  clang::SourceLocation Last = RegionMap::lastToken(R, SM, LO);
  return Last.isValid() ? clang::Lexer::getLocForEndOfToken(Last, 0, SM, LO)
                        : SM.getComposedLoc(SM.getMainFileID(), R.Begin);
}

/// Returns the `goto` of `%(fail)s` at \p Loc; empty where nothing may fail.
std::string failingGoto(const RegionMap &Regions,
                        const clang::SourceManager &SM,
                        clang::SourceLocation Loc) {
  const Region *R = Regions.at(SM, Loc);
  return !R || R->Label.empty() ? "" : "goto " + R->Label + ";";
}

/// Whether the `goto` at \p Loc is \p Failing.
bool isFailure(const std::string &Failing, const clang::SourceManager &SM,
               clang::SourceLocation Loc) {
  auto [File, Offset] = SM.getDecomposedSpellingLoc(Loc);
  return !Failing.empty() &&
         SM.getBufferData(File).substr(Offset).starts_with(Failing);
}

/// `if (...) %(fail)s; else ...`: the block of `fail` ends the `if`.
bool isElseAfterFail(const std::string &Failing, const clang::SourceManager &SM,
                     clang::SourceLocation Loc) {
  auto [File, Offset] = SM.getDecomposedSpellingLoc(Loc);
  llvm::StringRef Text = SM.getBufferData(File);
  llvm::StringRef Before = Text.take_front(Offset).rtrim();
  if (!Text.substr(Offset).starts_with("else") || !Before.consume_back(";"))
    return false;
  Before = Before.rtrim();
  return !Failing.empty() && Before.consume_back("}") &&
         Before.ends_with(Failing);
}

} // namespace

void DiagnosticCollector::add(clinch::Diagnostic D) {
  std::vector<clinch::Diagnostic> &List =
      D.Level == Diagnostic::Severity::Error ? Errors : Warnings;
  List.push_back(std::move(D));
  Last = &List.back();
  LastHasHeaderNote = LastIsForeign = LastIsGuess = false;
}

/// Adds a message of the driver about flags.
void DiagnosticCollector::addPlaceless(const clang::Diagnostic &Info,
                                       clinch::Diagnostic D) {
  LastIsLeftOut = false;
  if (D.Level == Diagnostic::Severity::Error)
    appendTexts(Info, Arguments);
  if (D.Level == Diagnostic::Severity::Note)
    addNote(std::move(D), false);
  else
    add(std::move(D));
}

void DiagnosticCollector::addAt(const clang::SourceManager &SM,
                                const clang::LangOptions &LO,
                                clang::SourceLocation Loc, clinch::Diagnostic D,
                                const UnknownName &Unknown) {
  const Region *R = Regions ? Regions->at(SM, Loc) : nullptr;
  if (!Regions || R) {
    if (R)
      nameRegion(SM, Loc, *R, D);
    LastIsLeftOut =
        D.Level == Diagnostic::Severity::Error && Known.follows(D, Unknown);
    if (!LastIsLeftOut)
      add(std::move(D));
    return;
  }
  // Generated text is correct: its errors follow from those in regions.
  LastIsLeftOut = D.Level != Diagnostic::Severity::Error || !Errors.empty();
  if (LastIsLeftOut)
    return;
  if (const Region *Before = Regions->endingBefore(SM, LO, Loc)) {
    clang::SourceLocation End = endOf(*Before, SM, LO);
    clinch::Diagnostic Ended = diagnosticAt(
        SM, End, clinch::Diagnostic::Severity::Error,
        "the text ends in the middle of a statement: " + D.Message);
    nameRegion(SM, End, *Before, Ended);
    return add(std::move(Ended));
  }
  add(std::move(D));
  LastIsForeign = true;
}

/// Only one note may point into a header, to what the text redefines or calls.
/// The location of a guessed name tells nothing.
void DiagnosticCollector::addNote(clinch::Diagnostic D, bool InHeader) {
  if (InHeader) {
    if (LastHasHeaderNote || LastIsGuess)
      return;
    LastHasHeaderNote = true;
    D.Notes.clear();
  }
  Last->Notes.push_back(std::move(D));
}

/// Whether \p Loc, spelled in the main file, is in no region.
bool DiagnosticCollector::isOurs(const clang::SourceManager &SM,
                                 clang::SourceLocation Loc) const {
  return SM.isWrittenInMainFile(Loc) && !Regions->at(SM, Loc);
}

/// The token at \p Loc, as it is written.
static std::string tokenAt(const clang::SourceManager &SM,
                           const clang::LangOptions &LO,
                           clang::SourceLocation Loc) {
  llvm::SmallString<32> Buffer;
  return clang::Lexer::getSpelling(SM.getSpellingLoc(Loc), Buffer, SM, LO)
      .str();
}

/// Returns the macro of ours that a label redefines: `:` follows, not `;`.
std::string
DiagnosticCollector::redefinedByLabel(const clang::SourceManager &SM,
                                      clang::SourceLocation Behind) const {
  if (*SM.getCharacterData(Behind) != ':')
    return {};
  std::string Name = tokenAt(SM, *Lang,
                             clang::Lexer::GetBeginningOfToken(
                                 Behind.getLocWithOffset(-1), SM, *Lang));
  // An author's macro may expand to the name of ours.
  for (unsigned I = 0; I < MostMacroNotes; ++I) {
    const clang::MacroInfo *Macro =
        Reader->getMacroInfo(Reader->getIdentifierInfo(Name));
    if (Macro && isOurs(SM, Macro->getDefinitionLoc()))
      return Name;
    if (!Macro || Macro->getNumTokens() != 1 ||
        !Macro->getReplacementToken(0).getIdentifierInfo())
      break;
    Name = Macro->getReplacementToken(0).getIdentifierInfo()->getName().str();
  }
  return {};
}

/// In C a variable of the graph may be a macro of ours, `state->name`. Returns
/// its name if \p Info shows that the text gives it another meaning (at the
/// arrow, or about the name before it), or an empty string.
std::string
DiagnosticCollector::redefinedMacro(const clang::Diagnostic &Info) const {
  const clang::SourceManager &SM = Info.getSourceManager();
  clang::SourceLocation Loc = Info.getLocation();
  if (Loc.isFileID())
    return Info.getID() == clang::diag::err_expected_semi_after_expr
               ? redefinedByLabel(SM, Loc)
               : "";
  std::string Token = tokenAt(SM, *Lang, Loc);
  if (!isOurs(SM, SM.getSpellingLoc(Loc)) ||
      (Token != "->" && !names(Info, Token)))
    return {};
  return clang::Lexer::getImmediateMacroName(Loc, SM, *Lang).str();
}

/// Returns the message of the rule that is broken, or an empty string.
std::string
DiagnosticCollector::brokenRule(const clang::Diagnostic &Info) const {
  if (Info.getID() == clang::diag::err_break_not_in_loop_or_switch)
    return rules::noJump("break");
  if (Info.getID() == clang::diag::err_continue_not_in_loop)
    return rules::noJump("continue");
  if (Info.getID() ==
      clang::diag::err_capture_class_member_does_not_name_variable)
    return rules::noCapture(
        tokenAt(Info.getSourceManager(), *Lang, Info.getLocation()));
  std::string Name = redefinedMacro(Info);
  return Name.empty() ? Name : rules::nameTaken(Name);
}

/// Adds an error as a broken rule. Returns false if it breaks none.
bool DiagnosticCollector::addBroken(const clang::Diagnostic &Info,
                                    clinch::Diagnostic &D) {
  if (!Regions || D.Level != Diagnostic::Severity::Error)
    return false;
  const clang::SourceManager &SM = Info.getSourceManager();
  const Region *R = Regions->at(SM, Info.getLocation());
  if (!R || (R->Kind != Region::Role::Code && R->Kind != Region::Role::NoFail))
    return false;
  std::string Rule = brokenRule(Info);
  if (Rule.empty())
    return false;
  nameRegion(SM, Info.getLocation(), *R, D);
  D.Message = std::move(Rule);
  Broken.push_back(std::move(D));
  LastIsLeftOut = true;
  return true;
}

/// Clang names the conditions that are open at the end of the file from the
/// last one to the first, which may have taken the others, and then what is
/// missing.
bool DiagnosticCollector::followsFromOpenIf(unsigned ID) {
  bool IsOpenIf = ID == clang::diag::err_pp_unterminated_conditional;
  if (HasOpenIf && IsOpenIf)
    Errors.pop_back();
  LastIsLeftOut = HasOpenIf && !IsOpenIf;
  HasOpenIf |= IsOpenIf;
  return LastIsLeftOut;
}

/// What the text has after something open, it has only as that is open.
void DiagnosticCollector::dropWhatFollows() {
  if (LastIsLeftOut || Errors.empty())
    return;
  clinch::Diagnostic Open = std::move(Errors.back());
  Errors.pop_back();
  std::erase_if(Errors, [&](const clinch::Diagnostic &D) {
    return D.Origin == Open.Origin &&
           std::tie(D.Line, D.Column) >= std::tie(Open.Line, Open.Column);
  });
  Errors.push_back(std::move(Open));
  Last = &Errors.back();
}

/// Moves the last error to the region that \p Note points to, since the
/// generated text around the regions is correct.
void DiagnosticCollector::blame(clinch::Diagnostic Note) {
  Note.Level = Diagnostic::Severity::Error;
  Note.Message =
      "this conflicts with the text that Clinch generates: " + Last->Message;
  *Last = std::move(Note);
  LastIsForeign = false;
}

void DiagnosticCollector::HandleDiagnostic(
    clang::DiagnosticsEngine::Level Level, const clang::Diagnostic &Info) {
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (Level == clang::DiagnosticsEngine::Ignored ||
      Level == clang::DiagnosticsEngine::Remark)
    return;
  bool IsNote = Level == clang::DiagnosticsEngine::Note;
  if (IsNote && (LastIsLeftOut || !Last))
    return;
  llvm::SmallString<256> Message;
  Info.FormatDiagnostic(Message);
  clinch::Diagnostic D;
  D.Level = severityOf(Level);
  D.Message = Message.str().str();
  clang::SourceLocation Loc = Info.getLocation();
  if (!Info.hasSourceManager() || Loc.isInvalid() || !Lang)
    return addPlaceless(Info, std::move(D));
  const clang::SourceManager &SM = Info.getSourceManager();
  if (Regions && followsFromOpenIf(Info.getID()))
    return;
  if (auto Open = Regions ? leftOpen(Info, *Lang) : std::nullopt)
    std::tie(D.Message, Loc) = *Open;
  D = diagnosticInMacros(SM, *Lang, Loc, D.Level, std::move(D.Message));
  addFixIts(SM, *Lang, Info, D);
  if (Regions && Info.getID() == clang::diag::err_expected_expression &&
      isElseAfterFail(failingGoto(*Regions, SM, Loc), SM, Loc))
    D.Message += rules::noSemicolonBeforeElse();
  if (Regions && Info.getID() == clang::diag::err_goto_into_protected_scope &&
      isFailure(failingGoto(*Regions, SM, Loc), SM, Loc))
    D.Message = rules::noJumpPast();
  if (addBroken(Info, D))
    return;
  if (!IsNote) {
    bool IsFatal = Regions && Level == clang::DiagnosticsEngine::Fatal;
    if (IsFatal)
      Known = {}; // It follows from nothing.
    UnknownName Unknown = unknownNameIn(Info);
    if (Regions && !Lang->CPlusPlus && isOfCxx(Unknown.Name))
      D.Message += rules::needsCxx();
    const bool IsMissing = Lang->CUDA && isMissingOfCUDA(Info);
    if (IsMissing) {
      D.Message = rules::notOfCUDA(Unknown.Name);
      D.FixIts.clear();
      Unknown.IsGuessed = false;
    }
    addAt(SM, *Lang, Loc, std::move(D), Unknown);
    LastIsGuess = isGuess(Info.getID());
    LastIsLeftOut |= IsMissing; // Its notes are about the guess.
    if (IsFatal)
      dropWhatFollows();
  } else if (LastIsForeign && Regions->at(SM, Loc)) {
    blame(std::move(D));
  } else {
    addNote(std::move(D), isInHeader(SM, Loc));
  }
}

/// Other passes say what only their authors understand.
static bool isTold(llvm::StringRef Pass) {
  return Pass == "inline" || Pass == "loop-vectorize" ||
         Pass == "slp-vectorizer";
}

bool RemarkHandler::isAnalysisRemarkEnabled(llvm::StringRef Pass) const {
  return Lines && isTold(Pass);
}
bool RemarkHandler::isMissedOptRemarkEnabled(llvm::StringRef Pass) const {
  return Lines && isTold(Pass);
}
bool RemarkHandler::isPassedOptRemarkEnabled(llvm::StringRef Pass) const {
  return Lines && isTold(Pass);
}

static const char *kindOf(const llvm::DiagnosticInfoOptimizationBase &R) {
  return R.isPassed() ? "passed" : R.isMissed() ? "missed" : "analysis";
}

bool RemarkHandler::handleDiagnostics(const llvm::DiagnosticInfo &Info) {
  const auto *R = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&Info);
  if (!R) {
    Others(&Info, Context);
    return true;
  }
  // Some of a pass are made whether they are enabled or not.
  if (!Lines || !isTold(R->getPassName()) || !R->isLocationAvailable())
    return true;
  const llvm::DiagnosticLocation At = R->getLocation();
  std::string Message = R->getMsg();
  std::replace_if(
      Message.begin(), Message.end(),
      [](char A) { return A == '\t' || A == '\n'; }, ' ');
  for (const std::string &Field :
       {std::string(kindOf(*R)), R->getPassName().str(),
        llvm::demangle(R->getFunction().getName().str()),
        At.getRelativePath().str(), std::to_string(At.getLine()),
        std::to_string(At.getColumn())})
    *Lines += Field + '\t';
  *Lines += Message + '\n';
  return true;
}
