// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What options mean for Clang and LLVM.

#include "Plan.h"

#include "../Files/PrefixPaths.h"
#include "Flags.h"
#include "Invocations.h"
#include "Predefined.h"
#include "PrefixTraits.h"
#include "Processor.h"

#include "clang/Basic/TargetOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/TargetParser/Host.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

void setTier(Plan &P, Tier Level) {
  switch (Level) {
  case Tier::Fast:
    P.Optimise = Passes::Quick;
    P.CodeGen = llvm::CodeGenOptLevel::None;
    break;
  case Tier::Default:
    P.Optimise = Passes::Auto;
    P.CodeGen = llvm::CodeGenOptLevel::Default;
    break;
  case Tier::Max:
    P.Optimise = Passes::O3;
    P.CodeGen = llvm::CodeGenOptLevel::Aggressive;
    break;
  }
}

/// A level in the flags overrides the tier.
void setLevelFromFlags(Plan &P, const std::vector<std::string> &Flags) {
  const std::string *F = lastFlag(Flags, "-O");
  if (!F)
    return;
  using Level = llvm::CodeGenOptLevel;
  const clang::CodeGenOptions &CG = P.Invocation.getCodeGenOpts();
  if (CG.OptimizeSize) {
    P.Optimise = CG.OptimizeSize == 1 ? Passes::Os : Passes::Oz;
    P.CodeGen = Level::Default;
    return;
  }
  constexpr std::pair<Passes, Level> Levels[] = {
      {Passes::None, Level::None},
      {Passes::O1, Level::Less},
      {Passes::O2, Level::Default},
      {Passes::O3, Level::Aggressive}};
  std::tie(P.Optimise, P.CodeGen) = Levels[std::min(CG.OptimizationLevel, 3u)];
}

/// Whether \p Flag is there, with no \p Opposite after it.
bool isLast(const std::vector<std::string> &Flags, std::string_view Flag,
            std::string_view Opposite) {
  auto Last =
      std::find_if(Flags.rbegin(), Flags.rend(), [&](const std::string &F) {
        return F == Flag || F == Opposite;
      });
  return Last != Flags.rend() && *Last == Flag;
}

/// Decides who sets errno, and what is contracted.
void setFloatingPoint(Plan &P, Tier Level,
                      const std::vector<std::string> &Flags) {
  clang::LangOptions &Lang = P.Invocation.getLangOpts();
  if (lastFlag(Flags, "-fmath-errno"))
    P.MathErrno = Lang.MathErrno;
  else if (Level == Tier::Max)
    Lang.MathErrno = false;
  // Tiers target different processors, some of which fuse multiply and add or
  // compute in half precision. Only flags may let values depend on that.
  using clang::LangOptions;
  if ((Lang.getDefaultFPContractMode() == LangOptions::FPM_On || Lang.CUDA) &&
      !lastFlag(Flags, "-ffp-"))
    Lang.setDefaultFPContractMode(LangOptions::FPM_Off);
  if (!lastFlag(Flags, "-ffloat16-excess-precision="))
    Lang.setFloat16ExcessPrecision(LangOptions::FPP_None);
}

/// Puts the host's features before those that the flags turn on or off.
void setHostCPU(clang::TargetOptions &T) {
  const Processor Host = Processor::host();
  T.CPU = Host.Name;
  T.FeaturesAsWritten.insert(T.FeaturesAsWritten.begin(), Host.Features.begin(),
                             Host.Features.end());
}

bool isSameProcessor(const clang::CompilerInvocation &A,
                     const clang::CompilerInvocation &B) {
  const clang::TargetOptions &T = A.getTargetOpts(), &U = B.getTargetOpts();
  return T.CPU == U.CPU && T.FeaturesAsWritten == U.FeaturesAsWritten;
}

/// A back end is used again, for a triple that never changes.
Status checkTriple(const std::string &Triple,
                   const std::vector<std::string> &Flags) {
  const std::string Process = llvm::sys::getProcessTriple();
  if (Triple == Process)
    return Status::success();
  return Error(Error::Kind::InvalidArgument,
               "The flags " + quoted(Flags) + " ask for code for `" + Triple +
                   "`: code is made for the process it runs in, which is `" +
                   Process + "`.",
               {}, Flags);
}

/// Adapts \p P to what the prefix was precompiled with.
void fitPrefix(Plan &P, const CompileOptions &O,
               const std::vector<std::string> &Flags) {
  // Clang would check each `delete` of the standard library again.
  if (O.Lang == Language::CXX)
    P.Invocation.getDiagnosticOpts().Warnings.emplace_back(
        "no-mismatched-new-delete");
  clang::PreprocessorOptions &PP = P.Invocation.getPreprocessorOpts();
  // The prefix disables assertions; including the header again restores them.
  if (O.Debug || lastFlag(Flags, "-UNDEBUG"))
    PP.Includes.push_back("assert.h");
  // The prefix has the predefined macros; spelling them out for every text
  // costs a fiftieth of a compile.
  if (P.PrefixTraits.empty())
    PP.UsePredefines = false;
}

std::vector<std::string> withoutMacros(const std::vector<std::string> &Flags) {
  std::vector<std::string> Kept;
  for (size_t I = 0; I != Flags.size(); ++I)
    if (Flags[I] == "-D" || Flags[I] == "-U")
      ++I;
    else if (!Flags[I].starts_with("-D") && !Flags[I].starts_with("-U"))
      Kept.push_back(Flags[I]);
  return Kept;
}

/// Names all that \p P was made of but the macros.
std::vector<std::string> allTraits(const Plan &P, const CompileOptions &O,
                                   const std::vector<std::string> &Given) {
  const clang::TargetOptions &Target = P.Invocation.getTargetOpts();
  std::vector<std::string> Traits = withoutMacros(Given);
  Traits.insert(Traits.end(), Target.FeaturesAsWritten.begin(),
                Target.FeaturesAsWritten.end());
  Traits.push_back(Target.CPU);
  Traits.push_back(std::to_string(int(O.Level)));
  return Traits;
}

/// What stands before a text in CUDA has all of the text's flags.
void fitPrelude(Plan &P, const CompileOptions &O,
                const std::vector<std::string> &Given) {
  P.PrefixTraits = allTraits(P, O, Given);
  P.PrefixTraits.emplace_back("of the host");
  P.Macros = P.Invocation.getPreprocessorOpts().Macros;
  P.Invocation.getPreprocessorOpts().UsePredefines = false;
}

} // namespace

std::string clinch::engine::quoted(const std::vector<std::string> &Flags) {
  std::string Result;
  for (const std::string &Flag : Flags)
    Result += (Result.empty() ? "`" : ", `") + Flag + "`";
  return Result;
}

Expected<std::shared_ptr<Plan>>
Planner::devicePlan(const CompileOptions &O) const {
  auto P = std::make_shared<Plan>();
  CLINCH_TRY_ASSIGN(P->DeviceFeature, deviceFeature(O.Device));
  CLINCH_TRY_ASSIGN(const ReadFlags Read,
                    readFlags(Language::CXX, effectiveFlags(O)));
  CLINCH_TRY_ASSIGN(P->Invocation, bakedInvocation(O));
  if (!Read.Given.empty()) {
    const clang::CompilerInvocation Base = P->Invocation;
    CLINCH_TRY_ASSIGN(P->Invocation,
                      invocationWithFlags(O, Read.Given, Base, P->Warnings));
  }
  P->Warnings.insert(P->Warnings.end(), Read.Warnings.begin(),
                     Read.Warnings.end());
  CLINCH_TRY(checkSanitizers(P->Invocation.getLangOpts()));
  setCommonOptions(P->Invocation, O);
  setTier(*P, O.Level == Tier::Fast ? Tier::Fast : Tier::Max);
  setLevelFromFlags(*P, Read.Known);
  // What stands before the text has all of its flags.
  P->PrefixTraits = withoutMacros(Read.Given);
  P->PrefixTraits.push_back(O.Device);
  P->Macros = P->Invocation.getPreprocessorOpts().Macros;
  P->Invocation.getPreprocessorOpts().UsePredefines = false;
  if (O.Simulate) {
    clang::CodeGenOptions &Code = P->Invocation.getCodeGenOpts();
    Code.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
    Code.DwarfVersion = 4;
    Code.DebugColumnInfo = true;
  }
  return P;
}

Expected<std::shared_ptr<Plan>>
Planner::planOpened(const CompileOptions &O) const {
  CompileOptions Plain = O;
  Plain.Prefix.clear();
  CLINCH_TRY_ASSIGN(std::shared_ptr<Plan> P, plan(Plain));
  P->PrefixIsOpening = true;
  P->PrefixTraits = allTraits(*P, O, O.Flags);
  P->Macros = P->Invocation.getPreprocessorOpts().Macros;
  P->PrefixTraits.emplace_back("of an opening");
  return P;
}

Expected<std::shared_ptr<Plan>> Planner::plan(const CompileOptions &O) const {
  if (!O.Device.empty() && !O.Launches)
    return devicePlan(O);
  CLINCH_TRY_ASSIGN(const ReadFlags Read, readFlags(O.Lang, effectiveFlags(O)));
  const std::vector<std::string> &Given = Read.Given, &Flags = Read.Known;
  auto P = std::make_shared<Plan>();
  CLINCH_TRY_ASSIGN(const clang::CompilerInvocation Base, bakedInvocation(O));
  P->Invocation = Base;
  if (!Given.empty()) {
    CLINCH_TRY_ASSIGN(P->Invocation,
                      invocationWithFlags(O, Given, Base, P->Warnings));
  }
  P->Warnings.insert(P->Warnings.end(), Read.Warnings.begin(),
                     Read.Warnings.end());
  CLINCH_TRY(checkSanitizers(P->Invocation.getLangOpts()));
  setCommonOptions(P->Invocation, O);
  const bool HasPrefix = !O.Prefix.empty() && !O.Launches;
  P->PrefixHasProcessor = HasPrefix && O.Prefix != Baked.text(PrefixTextPath) &&
                          !isSameProcessor(P->Invocation, Base);
  clang::TargetOptions &Target = P->Invocation.getTargetOpts();
  bool HasArch = lastFlag(Flags, "-march=") || lastFlag(Flags, "-mcpu=");
  const bool ForHost = O.Level != Tier::Fast;
  if (O.CPU == "host" || (O.CPU.empty() && ForHost && !HasArch))
    setHostCPU(Target);
  else if (!O.CPU.empty() && !HasArch)
    Target.CPU = O.CPU;
  CLINCH_TRY(checkTriple(Target.Triple, Given));
  CLINCH_TRY(checkTarget(Target));
  if (HasPrefix) {
    const auto &Known = Base.getPreprocessorOpts().Macros;
    for (const Macro &M : P->Invocation.getPreprocessorOpts().Macros)
      if (!llvm::is_contained(Known, M))
        P->Macros.push_back(M);
    clang::CompilerInvocation OfPrefix = Base;
    P->PrefixTraits = adaptPrefix(OfPrefix, P->Invocation, O.Prefix,
                                  P->PrefixHasProcessor, Baked);
  }
  bool Differs = !Given.empty() || !O.CPU.empty() || ForHost;
  if (HasPrefix && P->PrefixTraits.empty() && Differs)
    definePredefined(P->Invocation, Base);
  setTier(*P, O.Level);
  setFloatingPoint(*P, O.Level, Flags);
  // Lifetime markers let stack slots be shared, which matters to O3 at most,
  // and take long to place in text full of `goto`. Sanitizers need them.
  // Contraction must see the same IR in every tier.
  const clang::LangOptions &Lang = P->Invocation.getLangOpts();
  bool Contracts =
      Lang.getDefaultFPContractMode() != clang::LangOptions::FPM_Off;
  if ((O.Level != Tier::Max || Contracts) && Lang.Sanitize.empty())
    P->Invocation.getCodeGenOpts().DisableLifetimeMarkers = true;
  setLevelFromFlags(*P, Flags);
  P->DefinesMath = O.Saved;
  P->EmulatesThreadLocals =
      P->DefinesMath ? isLast(Flags, "-femulated-tls", "-fno-emulated-tls")
                     : !isLast(Flags, "-fno-emulated-tls", "-femulated-tls");
  if (const std::string *F = lastFlag(Flags, InlineLimitFlag))
    P->InlineLimit = std::stoi(F->substr(F->find('=') + 1));
  P->VectorisesLoops = !isLast(Flags, "-fno-vectorize", "-fvectorize");
  if (!O.Prefix.empty())
    fitPrefix(*P, O, Flags);
  if (O.Launches)
    fitPrelude(*P, O, Given);
  return P;
}
