// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors, warnings and advice on a text.

#include "Checker.h"

#include "Checks.h"

#include "../Diagnostics/DiagnosticCollector.h"
#include "../Files/EngineFileSystem.h"
#include "../Frontend/Watchers.h"
#include "../Options/Instance.h"
#include "../Rules/CompleteRegions.h"
#include "../Rules/RuleChecker.h"

#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"

#include <optional>

using namespace clinch;
using namespace clinch::engine;

namespace {

class AdviceConsumer : public clang::ASTConsumer {
public:
  AdviceConsumer(const CompileOptions &O, Findings &Found)
      : Options(O), Found(Found) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (clang::Decl *D : Group)
      if (!D->isFromASTFile())
        Declarations.push_back(D);
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext &Context) override {
    // Errors can hide code from the checks, which would then report too much.
    if (Context.getDiagnostics().hasErrorOccurred())
      return;
    checkPaths(Declarations, Context, Options.FailureVariable, Found);
    checkExpressions(Declarations, Context, Found);
  }

private:
  const CompileOptions &Options;
  Findings &Found;
  std::vector<clang::Decl *> Declarations;
};

class CheckAction : public clang::ASTFrontendAction {
public:
  CheckAction(const CompileOptions &O, const RegionMap &Regions,
              const CallFacts &Facts, Violations &Broken,
              std::vector<Finding> &Advice)
      : Options(O), Regions(Regions), Facts(Facts), Broken(Broken),
        Advice(Advice) {}

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, llvm::StringRef) override {
    Texts.emplace(CI, Regions);
    Found.emplace(CI, Regions, Facts);
    watchTokens(CI, &*Texts);
    refuseDebugPragmas(CI);
    watchDeprecatedMacros(CI, *Found);
    std::vector<std::unique_ptr<clang::ASTConsumer>> Consumers;
    Consumers.push_back(createRuleChecker(Options, Regions, *Texts, Broken));
    Consumers.push_back(std::make_unique<AdviceConsumer>(Options, *Found));
    return std::make_unique<clang::MultiplexConsumer>(std::move(Consumers));
  }

  void EndSourceFileAction() override { Advice = Found->take(); }

private:
  const CompileOptions &Options;
  const RegionMap &Regions;
  const CallFacts &Facts;
  std::optional<CompleteRegions> Texts;
  std::optional<Findings> Found;
  Violations &Broken;
  std::vector<Finding> &Advice;
};

} // namespace

std::vector<Finding> clinch::engine::checkText(const SourceText &Text,
                                               const CompileOptions &O,
                                               const Plan &P,
                                               const CallFacts &Facts) {
  RegionMap Regions(O.Regions);
  DiagnosticCollector Diags;
  Diags.setRegions(Regions.empty() ? nullptr : &Regions);
  auto I = std::make_shared<clang::CompilerInvocation>(P.Invocation);
  std::unique_ptr<clang::CompilerInstance> CI = createInstance(
      std::move(I), llvm::makeIntrusiveRefCnt<EngineFileSystem>(P.Files),
      Diags);
  Violations Broken;
  std::vector<Finding> Advice, Result;
  if (CI) {
    CheckAction Action(O, Regions, Facts, Broken, Advice);
    runAction(*CI, Action, llvm::MemoryBufferRef(Text.Text, Text.Name));
  }
  std::vector<clinch::Diagnostic> Errors = Diags.takeErrors();
  mergeViolations(Diags.takeBroken(), Errors, Broken);
  for (clinch::Diagnostic &D : Broken)
    Result.push_back({std::move(D), "rule"});
  for (clinch::Diagnostic &D : Errors)
    Result.push_back({std::move(D), ""});
  for (clinch::Diagnostic &D : Diags.takeWarnings())
    Result.push_back({std::move(D), ""});
  std::move(Advice.begin(), Advice.end(), std::back_inserter(Result));
  return Result;
}
