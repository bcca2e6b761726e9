// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making and running compiler instances.

#include "Instance.h"

#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"

using namespace clinch;
using namespace clinch::engine;

namespace {
/// Watches for macros that read the clock, and for `__has_embed`.
class BuiltinMacroWatcher : public clang::PPCallbacks {
public:
  BuiltinMacroWatcher(clang::CompilerInstance &CI, ManifestRecorder &Recorder)
      : CI(CI), Recorder(Recorder) {}

  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &D,
                    clang::SourceRange, const clang::MacroArgs *) override {
    if (!D.getMacroInfo()->isBuiltinMacro())
      return;
    const llvm::StringRef Macro = Name.getIdentifierInfo()->getName();
    if (Macro == "__DATE__" || Macro == "__TIME__" || Macro == "__TIMESTAMP__")
      Recorder.dependsOnMore();
    else if (Macro == "__has_embed")
      addMainEntry();
  }

private:
  /// Clang uses the main file's entry here without checking that it has any.
  void addMainEntry() {
    clang::SourceManager &SM = CI.getSourceManager();
    const clang::SrcMgr::ContentCache &Main =
        SM.getSLocEntry(SM.getMainFileID()).getFile().getContentCache();
    if (const auto Text = Main.getBufferIfLoaded(); Text && !Main.OrigEntry)
      const_cast<clang::SrcMgr::ContentCache &>(Main).OrigEntry =
          CI.getFileManager().getVirtualFileRef(
              Text->getBufferIdentifier(), off_t(Text->getBufferSize()), 0);
  }

  clang::CompilerInstance &CI;
  ManifestRecorder &Recorder;
};

} // namespace

void clinch::engine::watchBuiltinMacros(clang::CompilerInstance &CI,
                                        ManifestRecorder &Recorder) {
  CI.getPreprocessor().addPPCallbacks(
      std::make_unique<BuiltinMacroWatcher>(CI, Recorder));
}

/// Returns the features of \p Target that differ from its processor's own.
static std::vector<std::string> ownFeatures(const clang::TargetInfo &Target,
                                            clang::DiagnosticsEngine &Diags) {
  const clang::TargetOptions &Options = Target.getTargetOpts();
  llvm::StringMap<bool> OfProcessor;
  if (!Target.initFeatureMap(OfProcessor, Diags, Options.CPU, {}))
    return Options.Features;
  std::vector<std::string> Result;
  for (const std::string &Feature : Options.Features)
    if (OfProcessor.lookup(Feature.substr(1)) != (Feature.front() == '+'))
      Result.push_back(Feature);
  return Result;
}

/// Clang would write all features on each function, about 2 kB for this
/// machine; the back end has them anyway.
static void learnTarget(clang::CompilerInstance &CI, KnownTarget &Known) {
  Known.CPU = CI.getTargetOpts().CPU;
  Known.Features = llvm::join(CI.getTargetOpts().Features, ",");
  CI.getTargetOpts().Features =
      ownFeatures(CI.getTarget(), CI.getDiagnostics());
  // Each compile must repeat the diagnostics about its options.
  if (CI.getDiagnostics().getNumWarnings() ||
      CI.getDiagnostics().hasErrorOccurred())
    return;
  Known.Of = CI.getInvocationPtr();
  Known.Info = CI.getTargetPtr();
  Known.Aux = CI.getAuxTarget();
}

static bool setTarget(clang::CompilerInstance &CI, KnownTarget *Known) {
  if (Known && Known->Info) {
    CI.getTargetOpts() = Known->Of->getTargetOpts();
    CI.setTarget(Known->Info.get());
    CI.setAuxTarget(Known->Aux.get());
    return true;
  }
  if (!CI.createTarget())
    return false;
  if (Known)
    learnTarget(CI, *Known);
  return true;
}

std::unique_ptr<clang::CompilerInstance> clinch::engine::createInstance(
    std::shared_ptr<clang::CompilerInvocation> Invocation,
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
    clang::DiagnosticConsumer &Client, KnownTarget *Known) {
  auto CI = std::make_unique<clang::CompilerInstance>(std::move(Invocation));
  CI->setVirtualFileSystem(std::move(FS));
  CI->createDiagnostics(&Client, /*ShouldOwnClient=*/false);
  CI->createFileManager();
  CI->createSourceManager();
  return setTarget(*CI, Known) ? std::move(CI) : nullptr;
}

/// Returns \p Text as Clang's main file. With sanitizers Clang uses that file's
/// entry without checking that there is one, and completion looks for it.
static clang::FrontendInputFile mainFile(clang::CompilerInstance &CI,
                                         llvm::MemoryBufferRef Text,
                                         clang::InputKind Kind) {
  if (CI.getLangOpts().Sanitize.empty() &&
      CI.getFrontendOpts().CodeCompletionAt.FileName.empty())
    return clang::FrontendInputFile(Text, Kind);
  clang::FileEntryRef File = CI.getFileManager().getVirtualFileRef(
      Text.getBufferIdentifier(), off_t(Text.getBufferSize()), 0);
  CI.getSourceManager().overrideFileContents(File, Text);
  return clang::FrontendInputFile(Text.getBufferIdentifier(), Kind);
}

void clinch::engine::runAction(clang::CompilerInstance &CI,
                               clang::FrontendAction &Action,
                               llvm::MemoryBufferRef Text) {
  const clang::LangOptions &Lang = CI.getLangOpts();
  clang::InputKind Kind(Lang.CUDA        ? clang::Language::CUDA
                        : Lang.CPlusPlus ? clang::Language::CXX
                                         : clang::Language::C);
  if (!Action.BeginSourceFile(CI, mainFile(CI, Text, Kind)))
    return;
  llvm::consumeError(Action.Execute());
  Action.EndSourceFile();
}
