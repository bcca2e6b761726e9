// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a prefix must be made for.

#include "PrefixTraits.h"

#include "../Files/PrefixPaths.h"

#include "clang/Basic/TargetOptions.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace clinch;
using namespace clinch::engine;

namespace {

/// What Clang counts as another language, but no header's declaration depends
/// on. Those of OpenMP are such in the baked headers, too.
constexpr llvm::StringLiteral OfCodeAlone[] = {"Exceptions",
                                               "CXXExceptions",
                                               "RTTI",
                                               "RTTIData",
                                               "POSIXThreads",
                                               "MathErrno",
                                               "ComplexRange",
                                               "Float16ExcessPrecision",
                                               "BFloat16ExcessPrecision",
                                               "StackProtector",
                                               "SignedOverflowBehavior",
                                               "PointerOverflowDefined",
                                               "CFProtectionBranch",
                                               "CFProtectionReturn",
                                               "CFBranchLabelScheme",
                                               "SetVisibilityForExternDecls"};

bool isOfCodeAlone(llvm::StringRef Name, bool IsBaked) {
  return (IsBaked && Name.starts_with("OpenMP")) ||
         llvm::is_contained(OfCodeAlone, Name);
}

/// Copies the options of \p From that headers depend on, and names those that
/// were others in \p To.
std::vector<std::string> copyLanguage(clang::LangOptions &To,
                                      const clang::LangOptions &From,
                                      bool IsBaked) {
  using CK = clang::LangOptions::CompatibilityKind;
  std::vector<std::string> Changed;
  auto Differs = [&](llvm::StringRef Name, unsigned Old, unsigned New) {
    if (Old == New || isOfCodeAlone(Name, IsBaked))
      return false;
    Changed.push_back((Name + "=" + llvm::Twine(New)).str());
    return true;
  };
#define LANGOPT(Name, Bits, Default, Compatibility, Description)               \
  if constexpr (CK::Compatibility == CK::NotCompatible)                        \
    if (Differs(#Name, To.Name, From.Name))                                    \
      To.Name = From.Name;
#define ENUM_LANGOPT(Name, Type, Bits, Default, Compatibility, Description)    \
  if constexpr (CK::Compatibility == CK::NotCompatible)                        \
    if (Differs(#Name, unsigned(To.get##Name()), unsigned(From.get##Name())))  \
      To.set##Name(From.get##Name());
#include "clang/Basic/LangOptions.def"
  if (!Changed.empty())
    To.LangStd = From.LangStd;
  return Changed;
}

/// Names the processor of \p From, which becomes that of \p To.
std::vector<std::string> copyProcessor(clang::TargetOptions &To,
                                       const clang::TargetOptions &From) {
  To.CPU = From.CPU;
  To.FeaturesAsWritten = From.FeaturesAsWritten;
  std::vector<std::string> Changed = From.FeaturesAsWritten;
  Changed.push_back(From.CPU);
  return Changed;
}

bool mentions(llvm::StringRef Text, llvm::StringRef Name) {
  auto IsPart = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t At = Text.find(Name); At != Text.npos;
       At = Text.find(Name, At + 1)) {
    size_t End = At + Name.size();
    if ((At == 0 || !IsPart(Text[At - 1])) &&
        (End == Text.size() || !IsPart(Text[End])))
      return true;
  }
  return false;
}

/// Whether \p Text begins with lines that say what the macro \p Name is.
bool settles(llvm::StringRef Text, llvm::StringRef Name) {
  for (;;) {
    auto [Line, Rest] = Text.split('\n');
    if (!Line.consume_front("#define ") && !Line.consume_front("#undef "))
      return false;
    if (Line.split(' ').first == Name)
      return true;
    Text = Rest;
  }
}

} // namespace

std::vector<std::string>
clinch::engine::adaptPrefix(clang::CompilerInvocation &Prefix,
                            const clang::CompilerInvocation &Text,
                            const std::string &PrefixText, bool WithProcessor,
                            const HeaderArchive &Baked) {
  std::vector<std::string> Changed =
      copyLanguage(Prefix.getLangOpts(), Text.getLangOpts(),
                   PrefixText == Baked.text(PrefixTextPath));
  if (WithProcessor)
    for (std::string &Part :
         copyProcessor(Prefix.getTargetOpts(), Text.getTargetOpts()))
      Changed.push_back(std::move(Part));
  return Changed;
}

bool clinch::engine::mayChange(const Macro &M, llvm::StringRef Prefix,
                               llvm::StringRef Names) {
  const llvm::StringRef Name =
      llvm::StringRef(M.first).split('=').first.split('(').first;
  if (Name.empty() || settles(Prefix, Name))
    return false;
  return Name.starts_with(OfCompilers) || mentions(Prefix, Name) ||
         Names.contains(("\n" + Name + "\n").str());
}
