//===- Instance.cpp - A compiler instance of our kind -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instance.h"

using namespace clinch;

std::unique_ptr<clang::CompilerInstance> clinch::engine::createInstance(
    std::shared_ptr<clang::CompilerInvocation> Invocation,
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
    clang::DiagnosticConsumer &Client) {
  auto CI = std::make_unique<clang::CompilerInstance>(std::move(Invocation));
  CI->setVirtualFileSystem(std::move(FS));
  CI->createDiagnostics(&Client, /*ShouldOwnClient=*/false);
  CI->createFileManager();
  CI->createSourceManager();
  if (!CI->createTarget())
    return nullptr;
  return CI;
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
