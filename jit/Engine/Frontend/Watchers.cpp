// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits on the text while it is read.

#include "Watchers.h"

#include "../CrashRecovery/CrashGuard.h"
#include "../Rules/CompleteRegions.h"

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"

using namespace clinch::engine;

namespace {

class TokenWatcher {
public:
  TokenWatcher(clang::CompilerInstance &CI, CompleteRegions *Texts)
      : CI(CI), Texts(Texts) {}

  void operator()(const clang::Token &T) {
    doNotGuess(T);
    if (!Stopped)
      Stopped =
          nestsTooDeeply(T.getLocation()) || (Texts && !Texts->accepts(T));
    if (Stopped) // The token is the preprocessor's own.
      const_cast<clang::Token &>(T).setKind(clang::tok::eof);
  }

private:
  /// To suggest a name Clang compares an unknown one with all others, which
  /// takes minutes if one is very long.
  void doNotGuess(const clang::Token &T) {
    constexpr unsigned Longest = 256;
    if (T.isAnyIdentifier() && T.getLength() > Longest)
      CI.getLangOpts().SpellChecking = false;
  }

  bool nestsTooDeeply(clang::SourceLocation At) {
    if (!CI.hasSema())
      return false;
    const clang::Scope *Innermost = CI.getSema().getCurScope();
    if (!Innermost || Innermost->getDepth() <= DeepestNesting)
      return false;
    clang::DiagnosticsEngine &Diags = CI.getDiagnostics();
    // Fatal, so that Clang does not report the open scopes too.
    Diags.Report(At, Diags.getCustomDiagID(
                         clang::DiagnosticsEngine::Fatal,
                         "statements nest too deeply: more than %0 scopes are "
                         "open"))
        << DeepestNesting;
    return true;
  }

  clang::CompilerInstance &CI;
  CompleteRegions *Texts;
  bool Stopped = false;
};

class DebugPragmas : public clang::PPCallbacks {
public:
  explicit DebugPragmas(clang::DiagnosticsEngine &Diags) : Diags(Diags) {}

  void PragmaDebug(clang::SourceLocation At, llvm::StringRef) override {
    Diags.Report(At, Diags.getCustomDiagID(
                         clang::DiagnosticsEngine::Error,
                         "`#pragma clang __debug` is for those who debug Clang "
                         "itself, and is refused"));
  }

private:
  clang::DiagnosticsEngine &Diags;
};

class HeadersOfCUDA : public clang::PPCallbacks {
public:
  explicit HeadersOfCUDA(clang::DiagnosticsEngine &Diags) : Diags(Diags) {}

  void InclusionDirective(clang::SourceLocation At, const clang::Token &,
                          llvm::StringRef Name, bool, clang::CharSourceRange,
                          clang::OptionalFileEntryRef, llvm::StringRef,
                          llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (!isNvidias(Name))
      return;
    // Fatal, so that Clang reports nothing of what is in it.
    Diags.Report(At, Diags.getCustomDiagID(
                         clang::DiagnosticsEngine::Fatal,
                         "`%0` is NVIDIA's, and cannot be used here: what "
                         "kernels need is declared without it"))
        << Name;
  }

  /// One that is not there is refused above, and Clang need not miss it.
  bool FileNotFound(llvm::StringRef Name) override { return isNvidias(Name); }

private:
  static bool isNvidias(llvm::StringRef Name) {
    return Name == "cuda.h" || Name.starts_with("cuda_") ||
           Name == "device_launch_parameters.h" ||
           Name == "cooperative_groups.h";
  }

  clang::DiagnosticsEngine &Diags;
};

} // namespace

void clinch::engine::refuseHeadersOfCUDA(clang::CompilerInstance &CI) {
  CI.getPreprocessor().addPPCallbacks(
      std::make_unique<HeadersOfCUDA>(CI.getDiagnostics()));
}

void clinch::engine::watchTokens(clang::CompilerInstance &CI,
                                 CompleteRegions *Texts) {
  CI.getPreprocessor().setTokenWatcher(TokenWatcher(CI, Texts));
}

void clinch::engine::refuseDebugPragmas(clang::CompilerInstance &CI) {
  // The pragmas then do nothing, but still call the callback.
  CI.getPreprocessorOpts().DisablePragmaDebugCrash = true;
  CI.getPreprocessor().addPPCallbacks(
      std::make_unique<DebugPragmas>(CI.getDiagnostics()));
}
