// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's predefined macros.

#include "Predefined.h"

#include "../Diagnostics/DiagnosticCollector.h"
#include "Instance.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace clinch;
using namespace clinch::engine;

/// Returns the macros that Clang itself defines before a text.
static std::set<std::string>
predefinedMacros(const clang::CompilerInvocation &I) {
  auto Copy = std::make_shared<clang::CompilerInvocation>(I);
  Copy->getPreprocessorOpts().Macros.clear();
  Copy->getPreprocessorOpts().Includes.clear();
  DiagnosticCollector Ignored;
  std::unique_ptr<clang::CompilerInstance> CI = createInstance(
      Copy, llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>(),
      Ignored);
  std::set<std::string> Result;
  if (!CI)
    return Result;
  CI->createPreprocessor(clang::TU_Complete);
  llvm::SmallVector<llvm::StringRef, 512> Lines;
  llvm::SplitString(CI->getPreprocessor().getPredefines(), Lines, "\n");
  for (llvm::StringRef L : Lines)
    if (L.consume_front("#define "))
      Result.insert(L.str());
  return Result;
}

void clinch::engine::definePredefined(
    clang::CompilerInvocation &I, const clang::CompilerInvocation &OfPrefix) {
  std::set<std::string> Before = predefinedMacros(OfPrefix);
  std::set<std::string> Now = predefinedMacros(I);
  clang::PreprocessorOptions &PP = I.getPreprocessorOpts();
  std::vector<std::pair<std::string, bool>> Given;
  Given.swap(PP.Macros); // The user's come last.
  for (const std::string &Line : Before)
    if (!Now.count(Line))
      PP.addMacroUndef(llvm::StringRef(Line).split(' ').first);
  for (const std::string &Line : Now)
    if (!Before.count(Line)) {
      auto [Name, Value] = llvm::StringRef(Line).split(' ');
      PP.addMacroDef((Name + "=" + Value).str());
    }
  PP.Macros.insert(PP.Macros.end(), Given.begin(), Given.end());
}
