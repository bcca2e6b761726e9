// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predefined macros and sanitizers.

#include "Predefined.h"
#include "../Diagnostics/DiagnosticCollector.h"
#include "Instance.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/Sanitizers.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"

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

Status clinch::engine::checkSanitizers(const clang::LangOptions &Lang) {
  using namespace clang;
  const SanitizerMask Given =
      SanitizerKind::Address | SanitizerKind::Undefined |
      SanitizerKind::Integer | SanitizerKind::ImplicitConversion |
      SanitizerKind::Nullability | SanitizerKind::FloatDivideByZero;
  SanitizerSet Others;
  Others.Mask = Lang.Sanitize.Mask & ~Given;
  if (Others.empty())
    return Status::success();
  SmallVector<StringRef, 4> Names;
  serializeSanitizerSet(Others, Names);
  const std::string List = llvm::join(Names, ",");
  return Error(Error::Kind::InvalidArgument,
               "The flag `-fsanitize=" + List +
                   "` cannot be used here: of the sanitizers only `address` "
                   "and `undefined` have their checks.",
               {}, {"-fsanitize=" + List});
}

void clinch::engine::addAddressChecks(llvm::Module &M,
                                      llvm::ModuleAnalysisManager &MAM) {
  if (llvm::none_of(M, [](const llvm::Function &F) {
        return F.hasFnAttribute(llvm::Attribute::SanitizeAddress);
      }))
    return;
  llvm::AddressSanitizerOptions Options;
  Options.UseAfterScope = true;
  // Our loader does not gather sections as a linker does.
  llvm::AddressSanitizerPass(Options, /*UseGlobalGC=*/false,
                             /*UseOdrIndicator=*/false)
      .run(M, MAM);
}
