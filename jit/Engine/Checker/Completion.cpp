// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may stand at the end of a text.

#include "Completion.h"

#include "../Diagnostics/DiagnosticCollector.h"
#include "../Files/EngineFileSystem.h"
#include "../Options/Instance.h"

#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/CodeCompleteConsumer.h"
#include "clang/Sema/Sema.h"

#include <set>

using namespace clinch;
using namespace clinch::engine;

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
