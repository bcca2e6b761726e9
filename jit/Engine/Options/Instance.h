// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making and running compiler instances.

#pragma once

#include "../Manifest.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"

#include <memory>
#include <string>

namespace clinch::engine {

/// What Clang computes from an invocation's target options. This takes time,
/// and is the same for equal options. Only one thread may use it at a time.
struct KnownTarget {
  /// Owns the options that Info refers to; null if not yet known.
  std::shared_ptr<clang::CompilerInvocation> Of;
  llvm::IntrusiveRefCntPtr<clang::TargetInfo> Info;
  llvm::IntrusiveRefCntPtr<clang::TargetInfo> Aux; ///< Of CUDA: the device.
  std::string CPU, Features;                       ///< All features.
};

/// Returns an instance that reads files through \p FS and reports to \p Client,
/// or null if the target cannot be made. \p Known, if any, is of an equal
/// invocation, or is filled.
std::unique_ptr<clang::CompilerInstance>
createInstance(std::shared_ptr<clang::CompilerInvocation> Invocation,
               llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
               clang::DiagnosticConsumer &Client, KnownTarget *Known = nullptr);

/// Tells \p Recorder if the source uses the date or the time, and lets it ask
/// `__has_embed`. \p CI must have its preprocessor.
void watchBuiltinMacros(clang::CompilerInstance &CI,
                        ManifestRecorder &Recorder);

/// Runs \p Action over \p Text. Avoids CompilerInstance::ExecuteAction, which
/// continues in a thread of its own after 8 MB of stack, where no crash is
/// caught; our stacks are larger.
void runAction(clang::CompilerInstance &CI, clang::FrontendAction &Action,
               llvm::MemoryBufferRef Text);

} // namespace clinch::engine
