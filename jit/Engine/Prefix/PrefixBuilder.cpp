// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Precompiles headers.

#include "PrefixBuilder.h"

#include "../Diagnostics/DiagnosticCollector.h"
#include "../Options/Instance.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTWriter.h"
#include "llvm/ADT/StringExtras.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Instantiates the virtual functions that the headers use, which Clang would
/// do at the end of each text; then drops the lists of what it checks there:
/// virtual tables, delegating constructors, unused functions. Clang would spend
/// half of its time loading and checking those of the headers after each text.
/// They are correct, and the code generator finds what a text uses.
class PrefixGenerator : public clang::PCHGenerator {
public:
  using PCHGenerator::PCHGenerator;

  void InitializeSema(clang::Sema &S) override {
    TheSema = &S;
    PCHGenerator::InitializeSema(S);
  }
  void HandleTranslationUnit(clang::ASTContext &Context) override {
    // The end of a prefix closed the scope in which templates are looked up.
    TheSema->TUScope = TheSema->getCurScope();
    while (TheSema->DefineUsedVTables())
      TheSema->PerformPendingInstantiations();
    TheSema->TUScope = nullptr;
    TheSema->VTableUses.clear();
    clear(TheSema->DelegatingCtorDecls);
    clear(TheSema->UnusedFileScopedDecls);
    PCHGenerator::HandleTranslationUnit(Context);
  }

private:
  template <typename LazyVector> static void clear(LazyVector &V) {
    V.erase(V.begin(nullptr, /*LocalOnly=*/true), V.end());
  }

  clang::Sema *TheSema = nullptr;
};

/// Like clang::GeneratePCHAction, with the result in memory.
class PrecompileAction : public clang::GeneratePCHAction {
public:
  PrecompileAction(std::shared_ptr<clang::PCHBuffer> Buffer,
                   ManifestRecorder &Recorder)
      : Buffer(std::move(Buffer)), Recorder(Recorder) {}

  std::string Names; ///< See BuiltPrefix.

protected:
  bool BeginSourceFileAction(clang::CompilerInstance &CI) override {
    watchBuiltinMacros(CI, Recorder);
    return GeneratePCHAction::BeginSourceFileAction(CI);
  }
  void EndSourceFileAction() override {
    std::vector<llvm::StringRef> All;
    for (const auto &Name :
         getCompilerInstance().getPreprocessor().getIdentifierTable())
      if (!Name.first().starts_with(OfCompilers))
        All.push_back(Name.first());
    llvm::sort(All);
    Names = "\n" + llvm::join(All, "\n") + "\n";
    GeneratePCHAction::EndSourceFileAction();
  }
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, llvm::StringRef) override {
    return std::make_unique<PrefixGenerator>(
        CI.getPreprocessor(), CI.getModuleCache(), /*OutputFile=*/"",
        /*isysroot=*/"", Buffer, CI.getCodeGenOpts(),
        CI.getFrontendOpts().ModuleFileExtensions,
        /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false);
  }

private:
  std::shared_ptr<clang::PCHBuffer> Buffer;
  ManifestRecorder &Recorder;
};

/// Collects system headers too.
class AllFiles : public clang::DependencyCollector {
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef Filename, bool, bool, bool IsModuleFile,
                     bool IsMissing) override {
    return !IsMissing && !IsModuleFile && Filename != PrefixInputName &&
           !Filename.starts_with("<");
  }
};

std::vector<std::string> absolute(llvm::vfs::FileSystem &FS,
                                  llvm::ArrayRef<std::string> Paths) {
  std::vector<std::string> Result;
  Result.reserve(Paths.size());
  for (const std::string &P : Paths) {
    llvm::SmallString<256> A(P);
    if (FS.makeAbsolute(A))
      continue;
    llvm::sys::path::remove_dots(A, /*remove_dot_dot=*/true);
    Result.push_back(A.str().str());
  }
  return Result;
}

std::vector<std::string>
runCollecting(std::shared_ptr<clang::CompilerInvocation> Invocation,
              const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &FS,
              DiagnosticCollector &Diags, clang::FrontendAction &Action,
              const std::string &Text) {
  std::unique_ptr<clang::CompilerInstance> CI =
      createInstance(std::move(Invocation), FS, Diags);
  if (!CI)
    return {};
  auto Files = std::make_shared<AllFiles>();
  CI->addDependencyCollector(Files);
  runAction(*CI, Action, llvm::MemoryBufferRef(Text, PrefixInputName));
  return absolute(*FS, Files->getDependencies());
}

} // namespace

std::string clinch::engine::clangVersionText() {
  return "precompiled by " + clang::getClangFullVersion();
}

Expected<BuiltPrefix> clinch::engine::buildPrefix(
    std::shared_ptr<clang::CompilerInvocation> Invocation,
    const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &FS,
    ManifestRecorder &Recorder, const std::string &Text) {
  // Otherwise each use of the prefix instantiates the same templates again.
  Invocation->getLangOpts().PCHInstantiateTemplates = true;
  Invocation->getFrontendOpts().ProgramAction = clang::frontend::GeneratePCH;
  auto Buffer = std::make_shared<clang::PCHBuffer>();
  Buffer->IsComplete = false;
  DiagnosticCollector Diags;
  PrecompileAction Action(Buffer, Recorder);
  BuiltPrefix Result;
  Result.Headers =
      runCollecting(std::move(Invocation), FS, Diags, Action, Text);
  if (Diags.hasErrors() || !Buffer->IsComplete)
    return Error(Error::Kind::Compile, "The prefix does not compile.",
                 Diags.takeErrors());
  Result.Names = std::move(Action.Names);
  Result.HasWarnings = !Diags.takeWarnings().empty();
  Result.Precompiled.assign(Buffer->Data.begin(), Buffer->Data.end());
  return Result;
}

std::vector<std::string> clinch::engine::headersOf(
    std::shared_ptr<clang::CompilerInvocation> Invocation,
    const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &FS,
    const std::string &Text) {
  DiagnosticCollector Diags;
  clang::PreprocessOnlyAction Action;
  return runCollecting(std::move(Invocation), FS, Diags, Action, Text);
}
