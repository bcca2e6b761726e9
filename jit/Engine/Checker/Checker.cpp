// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors, warnings and advice on a text.

#include "Checker.h"
#include "../Diagnostics/DiagnosticCollector.h"
#include "../Files/EngineFileSystem.h"
#include "../Frontend/Watchers.h"
#include "../Options/Instance.h"
#include "../Rules/CompleteRegions.h"
#include "../Rules/RuleChecker.h"
#include "ExpressionChecks.h"

#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/CodeCompleteConsumer.h"
#include "clang/Sema/Sema.h"

#include <optional>
#include <set>

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

namespace {

clang::CodeCompleteOptions everything() {
  clang::CodeCompleteOptions O;
  O.IncludeMacros = O.IncludeGlobals = O.IncludeNamespaceLevelDecls = true;
  O.LoadExternal = true;
  return O;
}

class Collector : public clang::CodeCompleteConsumer {
public:
  explicit Collector(std::set<std::string> &Names)
      : CodeCompleteConsumer(everything()), Names(Names),
        Info(std::make_shared<clang::GlobalCodeCompletionAllocator>()) {}

  void ProcessCodeCompleteResults(clang::Sema &S, clang::CodeCompletionContext,
                                  clang::CodeCompletionResult *Results,
                                  unsigned Count) override {
    const llvm::StringRef Begun = S.getPreprocessor().getCodeCompletionFilter();
    for (const clang::CodeCompletionResult &R : llvm::ArrayRef(Results, Count))
      if (std::string Name = nameOf(R);
          !Name.empty() && llvm::StringRef(Name).starts_with(Begun))
        Names.insert(std::move(Name));
  }

  clang::CodeCompletionAllocator &getAllocator() override {
    return Info.getAllocator();
  }
  clang::CodeCompletionTUInfo &getCodeCompletionTUInfo() override {
    return Info;
  }

private:
  static std::string nameOf(const clang::CodeCompletionResult &R) {
    switch (R.Kind) {
    case clang::CodeCompletionResult::RK_Declaration:
      // Operators and destructors are not typed so.
      return R.Declaration->getIdentifier() ? R.Declaration->getName().str()
                                            : "";
    case clang::CodeCompletionResult::RK_Keyword:
      return R.Keyword;
    case clang::CodeCompletionResult::RK_Macro:
      return R.Macro->getName().str();
    case clang::CodeCompletionResult::RK_Pattern:
      break;
    }
    const char *Typed = R.Pattern->getTypedText();
    return Typed ? Typed : "";
  }

  std::set<std::string> &Names;
  clang::CodeCompletionTUInfo Info;
};

} // namespace

std::vector<std::string> clinch::engine::completions(const SourceText &Text,
                                                     const Plan &P) {
  DiagnosticCollector Diags;
  auto I = std::make_shared<clang::CompilerInvocation>(P.Invocation);
  clang::ParsedSourceLocation &Cursor = I->getFrontendOpts().CodeCompletionAt;
  Cursor.FileName = Text.Name;
  Cursor.Line = unsigned(llvm::StringRef(Text.Text).count('\n')) + 1;
  Cursor.Column = unsigned(Text.Text.size() - (Text.Text.rfind('\n') + 1)) + 1;
  std::set<std::string> Names;
  std::unique_ptr<clang::CompilerInstance> CI = createInstance(
      std::move(I), llvm::makeIntrusiveRefCnt<EngineFileSystem>(P.Files),
      Diags);
  if (CI) {
    CI->setCodeCompletionConsumer(new Collector(Names)); // Which it owns.
    clang::SyntaxOnlyAction Action;
    runAction(*CI, Action, llvm::MemoryBufferRef(Text.Text, Text.Name));
  }
  return {Names.begin(), Names.end()};
}
