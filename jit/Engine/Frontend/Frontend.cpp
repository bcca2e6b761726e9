// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text to IR.

#include "Frontend.h"

#include "../Options/Instance.h"
#include "../Rules/CompleteRegions.h"
#include "DeclarationWriter.h"
#include "SymbolUses.h"
#include "TypeWriter.h"
#include "Watchers.h"

#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"

#include <optional>

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Forwards to the rule checker and code generator, and measures their time.
class IRConsumer : public clang::MultiplexConsumer {
public:
  IRConsumer(std::vector<std::unique_ptr<clang::ASTConsumer>> Consumers,
             double &Ms)
      : MultiplexConsumer(std::move(Consumers)), Ms(Ms) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef D) override {
    Timer T(Ms);
    return MultiplexConsumer::HandleTopLevelDecl(D);
  }
  void HandleTranslationUnit(clang::ASTContext &C) override {
    Timer T(Ms);
    MultiplexConsumer::HandleTranslationUnit(C);
  }

private:
  double &Ms;
};

class IRAction : public clang::ASTFrontendAction {
public:
  IRAction(const CompileOptions &O, const RegionMap &Regions,
           ManifestRecorder &Recorder, llvm::LLVMContext &Context,
           ParsedModule &Result)
      : Options(O), Regions(Regions), Recorder(Recorder), Context(Context),
        Result(Result) {}

protected:
  bool BeginSourceFileAction(clang::CompilerInstance &CI) override {
    Recorder.searchPathIsKnown();
    watchBuiltinMacros(CI, Recorder);
    return true;
  }

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, llvm::StringRef) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> Consumers;
    if (!Regions.empty()) {
      Texts.emplace(CI, Regions);
      Consumers.push_back(
          createRuleChecker(Options, Regions, *Texts, Result.Broken));
    } else {
      Consumers.push_back(createSignatureWriter(Result.Functions));
    }
    if (llvm::is_contained(Options.Keep, Stage::Declarations))
      Consumers.push_back(createDeclarationWriter(Result.Declarations));
    std::unique_ptr<clang::CodeGenerator> G =
        clang::CreateLLVMCodeGen(CI, "clinch", Context);
    Generator = G.get();
    Consumers.push_back(std::move(G));
    watchTokens(CI, Texts ? &*Texts : nullptr);
    refuseDebugPragmas(CI);
    if (CI.getLangOpts().CUDA)
      refuseHeadersOfCUDA(CI);
    return std::make_unique<IRConsumer>(std::move(Consumers), Result.IRGenMs);
  }

  void EndSourceFileAction() override {
    clang::CompilerInstance &CI = getCompilerInstance();
    if (CI.getDiagnostics().hasErrorOccurred() || !Result.Broken.empty())
      return;
    Result.Uses = symbolUses(CI, *Generator);
    Result.IR = Generator->ReleaseModule();
  }

private:
  const CompileOptions &Options;
  const RegionMap &Regions;
  ManifestRecorder &Recorder;
  std::optional<CompleteRegions> Texts;
  llvm::LLVMContext &Context;
  ParsedModule &Result;
  clang::CodeGenerator *Generator = nullptr;
};

/// Gives instructions their lines, without a word of that in the object.
void locateRemarks(clang::CodeGenOptions &Code) {
  Code.DebugColumnInfo = true;
  if (Code.getDebugInfo() == llvm::codegenoptions::NoDebugInfo)
    Code.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
}

} // namespace

ParsedModule clinch::engine::parse(
    const SourceText &Text, const CompileOptions &O, const Plan &P,
    llvm::IntrusiveRefCntPtr<EngineFileSystem> FS, llvm::LLVMContext &Context,
    KnownTarget &Target, const RegionMap &Regions, DiagnosticCollector &Diags) {
  ParsedModule Result;
  double All = 0;
  {
    Timer T(All);
    ManifestRecorder &Recorder = FS->Recorder;
    auto I = std::make_shared<clang::CompilerInvocation>(P.Invocation);
    if (llvm::is_contained(O.Keep, Stage::Remarks))
      locateRemarks(I->getCodeGenOpts());
    std::unique_ptr<clang::CompilerInstance> CI =
        createInstance(std::move(I), std::move(FS), Diags,
                       P.DeviceFeature.empty() ? &Target : nullptr);
    if (!CI)
      return Result;
    Result.CPU = Target.CPU;
    Result.Features = Target.Features;
    IRAction Action(O, Regions, Recorder, Context, Result);
    runAction(*CI, Action, llvm::MemoryBufferRef(Text.Text, Text.Name));
    Result.Instance = std::move(CI);
  }
  Result.ParseMs = All - Result.IRGenMs;
  return Result;
}
