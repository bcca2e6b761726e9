// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Support for -fsanitize.

#include "Sanitizers.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/Sanitizers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"

using namespace clinch;
using namespace clinch::engine;

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
