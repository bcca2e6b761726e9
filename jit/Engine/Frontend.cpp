//===- Frontend.cpp - Text to IR -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend.h"

#include "Clock.h"
#include "Instance.h"
#include "Watchers.h"

#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <mutex>

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Passes everything on to the code generator, and counts its time.
class IRConsumer : public clang::MultiplexConsumer {
public:
  IRConsumer(std::vector<std::unique_ptr<clang::ASTConsumer>> Consumers,
             double &Ms, Budget &Limits)
      : MultiplexConsumer(std::move(Consumers)), Ms(Ms), Limits(Limits) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef D) override {
    Timer T(Ms);
    return MultiplexConsumer::HandleTopLevelDecl(D) && !Limits.exceeded();
  }
  void HandleTranslationUnit(clang::ASTContext &C) override {
    Timer T(Ms);
    if (!Limits.wasExceeded())
      MultiplexConsumer::HandleTranslationUnit(C);
  }

private:
  double &Ms;
  Budget &Limits;
};

class IRAction : public clang::ASTFrontendAction {
public:
  IRAction(const CompileOptions &O, llvm::LLVMContext &Context,
           ParsedModule &Result, Budget &Limits)
      : Options(O), Context(Context), Result(Result), Limits(Limits) {}

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, llvm::StringRef) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> Consumers;
    if (!Options.Regions.empty())
      Consumers.push_back(createRuleChecker(Options, Result.Broken));
    std::unique_ptr<clang::CodeGenerator> G =
        clang::CreateLLVMCodeGen(CI, "clinch", Context);
    Generator = G.get();
    Consumers.push_back(std::move(G));
    watchTokens(CI, Limits);
    refuseDebugPragmas(CI);
    return std::make_unique<IRConsumer>(std::move(Consumers), Result.IRGenMs,
                                        Limits);
  }

  void EndSourceFileAction() override {
    if (!getCompilerInstance().getDiagnostics().hasErrorOccurred() &&
        Result.Broken.empty() && !Limits.wasExceeded())
      Result.IR.reset(Generator->ReleaseModule().release());
  }

private:
  const CompileOptions &Options;
  llvm::LLVMContext &Context;
  ParsedModule &Result;
  Budget &Limits;
  clang::CodeGenerator *Generator = nullptr;
};

/// Of the features of \p Target those that its processor does not have, or
/// lack, by itself.
std::vector<std::string> ownFeatures(const clang::TargetInfo &Target,
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
void shortenFeatures(clang::CompilerInstance &CI, const std::string &All) {
  static std::mutex Lock;
  static std::map<std::string, std::vector<std::string>> Known;
  std::lock_guard<std::mutex> Guard(Lock);
  auto [At, IsNew] = Known.try_emplace(CI.getTargetOpts().CPU + "|" + All);
  if (IsNew)
    At->second = ownFeatures(CI.getTarget(), CI.getDiagnostics());
  CI.getTargetOpts().Features = At->second;
}

} // namespace

ParsedModule
clinch::engine::parse(const SourceText &Text, const CompileOptions &O,
                      const Plan &P, const std::string &PrefixPath,
                      llvm::IntrusiveRefCntPtr<EngineFileSystem> FS,
                      llvm::LLVMContext &Context, DiagnosticCollector &Diags,
                      Budget &Limits) {
  ParsedModule Result;
  double All = 0;
  {
    Timer T(All);
    auto I = std::make_shared<clang::CompilerInvocation>(P.Invocation);
    I->getPreprocessorOpts().ImplicitPCHInclude = PrefixPath;
    std::unique_ptr<clang::CompilerInstance> CI =
        createInstance(std::move(I), std::move(FS), Diags);
    if (!CI)
      return Result;
    Result.CPU = CI->getTargetOpts().CPU;
    Result.Features = llvm::join(CI->getTargetOpts().Features, ",");
    shortenFeatures(*CI, Result.Features);
    IRAction Action(O, Context, Result, Limits);
    runAction(*CI, Action, llvm::MemoryBufferRef(Text.Text, Text.Name));
    Result.Instance = std::move(CI);
  }
  Result.ParseMs = All - Result.IRGenMs;
  return Result;
}
