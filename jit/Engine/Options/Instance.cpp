//===- Instance.cpp - A compiler instance of our kind -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instance.h"

#include "clang/Basic/TargetInfo.h"
#include "llvm/ADT/StringExtras.h"

using namespace clinch;
using namespace clinch::engine;

/// Of the features of \p Target those that its processor does not have, or
/// lack, by itself.
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

/// Clang writes all features on each function, some 2 kB where the processor is
/// this machine's; the back end knows them from elsewhere.
static void learnTarget(clang::CompilerInstance &CI, KnownTarget &Known) {
  Known.CPU = CI.getTargetOpts().CPU;
  Known.Features = llvm::join(CI.getTargetOpts().Features, ",");
  CI.getTargetOpts().Features =
      ownFeatures(CI.getTarget(), CI.getDiagnostics());
  // What was said about the options is to be said each time.
  if (CI.getDiagnostics().getNumWarnings() ||
      CI.getDiagnostics().hasErrorOccurred())
    return;
  Known.Of = CI.getInvocationPtr();
  Known.Info = CI.getTargetPtr();
}

static bool setTarget(clang::CompilerInstance &CI, KnownTarget *Known) {
  if (Known && Known->Info) {
    CI.getTargetOpts() = Known->Of->getTargetOpts();
    CI.setTarget(Known->Info.get());
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

/// The text, as Clang wants its main file. Where code checks itself Clang asks
/// for that file's entry without looking whether it has one.
static clang::FrontendInputFile mainFile(clang::CompilerInstance &CI,
                                         llvm::MemoryBufferRef Text,
                                         clang::InputKind Kind) {
  if (CI.getLangOpts().Sanitize.empty())
    return clang::FrontendInputFile(Text, Kind);
  clang::FileEntryRef File = CI.getFileManager().getVirtualFileRef(
      Text.getBufferIdentifier(), off_t(Text.getBufferSize()), 0);
  CI.getSourceManager().overrideFileContents(File, Text);
  return clang::FrontendInputFile(Text.getBufferIdentifier(), Kind);
}

void clinch::engine::runAction(clang::CompilerInstance &CI,
                               clang::FrontendAction &Action,
                               llvm::MemoryBufferRef Text) {
  clang::InputKind Kind(CI.getLangOpts().CPlusPlus ? clang::Language::CXX
                                                   : clang::Language::C);
  if (!Action.BeginSourceFile(CI, mainFile(CI, Text, Kind)))
    return;
  llvm::consumeError(Action.Execute());
  Action.EndSourceFile();
}
