// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's messages as data.

#pragma once

#include "FollowOnErrors.h"
#include "RegionMap.h"
#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/IR/DiagnosticHandler.h"

#include <string>
#include <vector>

namespace clang {
class SourceManager;
} // namespace clang

namespace clinch::engine {

class RegionMap;

/// Collects every message, except those that only follow from others, and
/// prints none. If a text has regions, each message is about one of them.
class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
  /// Null if the text has none.
  void setRegions(const RegionMap *Map) { Regions = Map; }

  void BeginSourceFile(const clang::LangOptions &LO,
                       const clang::Preprocessor *PP) override {
    Lang = &LO;
    Reader = PP;
  }
  void EndSourceFile() override {
    Lang = nullptr;
    Reader = nullptr;
  }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  bool hasErrors() const { return !Errors.empty(); }
  bool hasWarnings() const { return !Warnings.empty(); }
  std::vector<clinch::Diagnostic> takeErrors() { return std::move(Errors); }
  std::vector<clinch::Diagnostic> takeWarnings() { return std::move(Warnings); }
  /// Broken rules that Clang finds by itself, in the words of the rules.
  std::vector<clinch::Diagnostic> takeBroken() { return std::move(Broken); }
  /// The strings in errors without a location: flags and their values.
  std::vector<std::string> takeArguments() { return std::move(Arguments); }
  /// Adds what other checks than Clang's find.
  void add(clinch::Diagnostic D);
  /// The same, about \p Loc.
  void addAt(const clang::SourceManager &SM, const clang::LangOptions &LO,
             clang::SourceLocation Loc, clinch::Diagnostic D,
             const UnknownName &Unknown = {});

private:
  bool addBroken(const clang::Diagnostic &Info, clinch::Diagnostic &D);
  std::string brokenRule(const clang::Diagnostic &Info) const;
  std::string redefinedMacro(const clang::Diagnostic &Info) const;
  std::string redefinedByLabel(const clang::SourceManager &SM,
                               clang::SourceLocation Behind) const;
  bool isOurs(const clang::SourceManager &SM, clang::SourceLocation Loc) const;
  void addNote(clinch::Diagnostic D, bool InHeader);
  void addPlaceless(const clang::Diagnostic &Info, clinch::Diagnostic D);
  void blame(clinch::Diagnostic Note);
  void dropWhatFollows();
  bool followsFromOpenIf(unsigned ID);

  const RegionMap *Regions = nullptr;
  const clang::LangOptions *Lang = nullptr;
  const clang::Preprocessor *Reader = nullptr; ///< Of the current text.
  std::vector<clinch::Diagnostic> Errors, Warnings, Broken;
  std::vector<std::string> Arguments;
  FollowOnErrors Known;
  clinch::Diagnostic *Last = nullptr; ///< What a note belongs to.
  bool LastIsLeftOut = false;
  bool LastHasHeaderNote = false;
  bool LastIsGuess = false;   ///< It suggests another name.
  bool HasOpenIf = false;     ///< An `#if` is open at the end of the file.
  bool LastIsForeign = false; ///< It is outside of all regions.
};

// Writes Stage::Remarks: what the inliner and the vectorisers say, one line for
// each remark, of fields between tabs:
//
//     KIND  PASS  FUNCTION  ORIGIN  LINE  COLUMN  MESSAGE
//
// KIND is `passed`, `missed` or `analysis`.

class RemarkHandler : public llvm::DiagnosticHandler {
public:
  using OthersFn = void (*)(const llvm::DiagnosticInfo *, void *);

  /// Gives \p Others what is no remark. No remark is made if \p Lines is null.
  RemarkHandler(OthersFn Others, void *Context, std::string *Lines)
      : Others(Others), Context(Context), Lines(Lines) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &Info) override;
  bool isAnalysisRemarkEnabled(llvm::StringRef Pass) const override;
  bool isMissedOptRemarkEnabled(llvm::StringRef Pass) const override;
  bool isPassedOptRemarkEnabled(llvm::StringRef Pass) const override;
  bool isAnyRemarkEnabled() const override { return Lines != nullptr; }

private:
  OthersFn Others;
  void *Context;
  std::string *Lines;
};

} // namespace clinch::engine
