// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's cc1 arguments.

#include "Arguments.h"

#include "../Diagnostics/DiagnosticCollector.h"

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

/// The diagnostics of the driver and of the argument parser.
struct ArgumentDiagnostics {
  clang::DiagnosticOptions Options;
  DiagnosticCollector Collector;
  llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> Engine;

  explicit ArgumentDiagnostics(llvm::vfs::FileSystem &FS)
      : Engine(clang::CompilerInstance::createDiagnostics(
            FS, Options, &Collector, /*ShouldOwnClient=*/false)) {}

  Error error() {
    std::vector<Diagnostic> Errors = Collector.takeErrors();
    std::string What;
    for (const Diagnostic &D : Errors)
      What += (What.empty() ? "" : "; ") + D.Message;
    return Error(Error::Kind::InvalidArgument,
                 "The compiler does not take these flags: " + What + ".", {},
                 Collector.takeArguments());
  }
};

std::vector<std::string> driverCommand(const std::string &Program,
                                       Language Lang) {
  std::vector<std::string> Command = {Program};
  if (Lang == Language::C)
    Command.insert(Command.end(), {"-x", "c", "-std=gnu23"});
  else // libstdc++ would look for TBB's headers on the host.
    Command.insert(Command.end(), {"-x", "c++", "-std=gnu++20",
                                   "-D_GLIBCXX_USE_TBB_PAR_BACKEND=0"});
  Command.insert(Command.end(),
                 {"-O2", "-fPIC", "-fno-asynchronous-unwind-tables"});
  return Command;
}

} // namespace

Expected<std::vector<std::string>> clinch::engine::driverArguments(
    const std::string &Program, Language Lang,
    const std::vector<std::string> &Flags,
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
    std::vector<Diagnostic> &Warnings) {
  std::vector<std::string> Command = driverCommand(Program, Lang);
  // A sanitizer looks for just what these define.
  if (llvm::none_of(Flags, [](llvm::StringRef F) {
        return F.starts_with("-fsanitize=");
      }))
    for (const OwnFlag &Own : OneMeaning)
      Command.push_back(Own.Flag);
  // An author's own flags win.
  Command.insert(Command.end(), Flags.begin(), Flags.end());
  Command.push_back("text");
  std::vector<const char *> Pointers;
  Pointers.reserve(Command.size());
  for (const std::string &S : Command)
    Pointers.push_back(S.c_str());
  ArgumentDiagnostics Diags(*FS);
  std::vector<std::string> Result;
  clang::CreateInvocationOptions Options;
  Options.Diags = Diags.Engine;
  Options.VFS = std::move(FS);
  Options.CC1Args = &Result;
  clang::createInvocation(Pointers, Options);
  if (Diags.Collector.hasErrors() || Result.empty())
    return Diags.error();
  Warnings = Diags.Collector.takeWarnings();
  return Result;
}

Expected<clang::CompilerInvocation>
clinch::engine::parseArguments(const std::vector<std::string> &Arguments) {
  std::vector<const char *> Pointers;
  Pointers.reserve(Arguments.size());
  for (const std::string &S : Arguments)
    Pointers.push_back(S.c_str());
  ArgumentDiagnostics Diags(*llvm::vfs::getRealFileSystem());
  clang::CompilerInvocation I;
  if (!clang::CompilerInvocation::CreateFromArgs(I, Pointers, *Diags.Engine))
    return Diags.error();
  I.getPreprocessorOpts().SourceDateEpoch.reset(); // From the environment.
  // C++20 turns modules on, and with modules on Clang looks up each of its
  // 3,000 built-in functions in the prefix at every start: ten times slower.
  I.getLangOpts().Modules = false;
  I.getLangOpts().CPlusPlusModules = false;
  return I;
}

Status clinch::engine::checkTarget(const clang::TargetOptions &Target) {
  ArgumentDiagnostics Diags(*llvm::vfs::getRealFileSystem());
  clang::TargetOptions Copy = Target;
  llvm::IntrusiveRefCntPtr<clang::TargetInfo> Info(
      clang::TargetInfo::CreateTargetInfo(*Diags.Engine, Copy));
  return Info ? Status::success() : Status(Diags.error());
}
