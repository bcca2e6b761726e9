//===- Instance.h - A compiler instance of our kind -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_OPTIONS_INSTANCE_H
#define CLINCH_JIT_ENGINE_OPTIONS_INSTANCE_H

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"

#include <memory>
#include <string>

namespace clinch::engine {

/// An instance that sees the files of \p FS and tells \p Client everything.
/// Null when the target cannot be made; \p Client knows why.
/// What Clang works out from an invocation's options for its target. It takes
/// some time, and is the same for equal options. For one thread at a time.
struct KnownTarget {
  /// Has the options that Info refers to; null: not known yet.
  std::shared_ptr<clang::CompilerInvocation> Of;
  llvm::IntrusiveRefCntPtr<clang::TargetInfo> Info;
  std::string CPU, Features; ///< All of them.
};

/// \p Known, if any, is of an equal invocation, or is filled.
std::unique_ptr<clang::CompilerInstance>
createInstance(std::shared_ptr<clang::CompilerInvocation> Invocation,
               llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
               clang::DiagnosticConsumer &Client, KnownTarget *Known = nullptr);

/// Runs \p Action over \p Text. CompilerInstance::ExecuteAction is not used:
/// it notes where the stack begins and has Clang go on in a thread of its own
/// after 8 MB, where no crash would be caught; our stacks are larger.
void runAction(clang::CompilerInstance &CI, clang::FrontendAction &Action,
               llvm::MemoryBufferRef Text);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_OPTIONS_INSTANCE_H
