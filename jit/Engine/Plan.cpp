//===- Plan.cpp - What options mean for Clang and LLVM -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "Arguments.h"
#include "CrashGuard.h"
#include "Flags.h"
#include "Predefined.h"
#include "Prefix/PrefixBuilder.h"
#include "Prefix/PrefixFlags.h"
#include "Prefix/PythonVersion.h"
#include "Sanitizers.h"
#include "Watchers.h"
#include "clinch/Support/Hash.h"

#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"

#include <functional>
#include <optional>

using namespace clinch;
using namespace clinch::engine;

namespace {

constexpr size_t MostPlansKept = 128;
/// Clang stops after so many errors; what comes then is mostly noise.
constexpr unsigned ErrorLimit = 20;

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
    P.VectorMath = true;
    break;
  }
}

/// A level in the flags is more particular than the tier.
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

bool asksForVectorMath(const std::vector<std::string> &Flags) {
  const std::string *F = lastFlag(Flags, "-fveclib=");
  return F && *F == "-fveclib=libmvec";
}

/// Whether loops may call vector functions, and products join sums.
void setFloatingPoint(Plan &P, const std::vector<std::string> &Flags) {
  if (lastFlag(Flags, "-fveclib="))
    P.VectorMath = asksForVectorMath(Flags);
  // A function that sets errno cannot be called for many values at once.
  clang::LangOptions &Lang = P.Invocation.getLangOpts();
  if (P.VectorMath && lastFlag(Flags, "-fmath-errno"))
    P.VectorMath = !Lang.MathErrno;
  else if (P.VectorMath)
    Lang.MathErrno = false;
  // Tiers are for several processors, of which some multiply and add in one, or
  // compute with halves: a value must not depend on that unless a flag says so.
  using clang::LangOptions;
  if (Lang.getDefaultFPContractMode() == LangOptions::FPM_On &&
      !lastFlag(Flags, "-ffp-"))
    Lang.setDefaultFPContractMode(LangOptions::FPM_Off);
  if (!lastFlag(Flags, "-ffloat16-excess-precision="))
    Lang.setFloat16ExcessPrecision(LangOptions::FPP_None);
}

void setHostCPU(clang::TargetOptions &T) {
  T.CPU = llvm::sys::getHostCPUName().str();
  for (const auto &[Name, On] : llvm::sys::getHostCPUFeatures())
    T.FeaturesAsWritten.push_back((On ? "+" : "-") + Name.str());
}

/// First, so that a flag can still say otherwise. In a comment bytes that are
/// no text harm nobody, and old headers have them.
void addWarnings(std::vector<std::string> &Warnings) {
  const char *First[] = {"error=invalid-source-encoding",
                         "error=null-character", "uninitialized"};
  Warnings.insert(Warnings.begin(), std::begin(First), std::end(First));
}

/// What holds for every compile, whatever its flags were.
void setCommon(clang::CompilerInvocation &I, const CompileOptions &O) {
  for (const std::string &Dir : O.IncludeDirs)
    I.getHeaderSearchOpts().AddPath(Dir, clang::frontend::Angled, false, true);
  for (const std::string &D : O.Defines)
    I.getPreprocessorOpts().addMacroDef(D.find('=') == D.npos ? D + "=1" : D);
  addWarnings(I.getDiagnosticOpts().Warnings);
  I.getDiagnosticOpts().ErrorLimit = ErrorLimit;
  I.getDiagnosticOpts().ShowCarets = false;
  I.getLangOpts().BracketDepth = DeepestNesting;
  I.getFrontendOpts().DisableFree = false;
  I.getFrontendOpts().ProgramAction = clang::frontend::EmitObj;
  I.getDependencyOutputOpts() = clang::DependencyOutputOptions();
  I.getPreprocessorOpts().DisablePCHOrModuleValidation =
      clang::DisableValidationForModuleKind::All;
  I.getCodeGenOpts().ClearASTBeforeBackend = false;
  bool Shown = std::any_of(O.Keep.begin(), O.Keep.end(), [](Stage S) {
    return S == Stage::LLVM || S == Stage::LLVMOpt;
  });
  I.getCodeGenOpts().DiscardValueNames = !Shown;
  if (O.Debug) {
    I.getCodeGenOpts().UnwindTables = int(llvm::UWTableKind::Default);
    I.getCodeGenOpts().setDebugInfo(llvm::codegenoptions::LimitedDebugInfo);
    I.getCodeGenOpts().DwarfVersion = 4;
  }
}

/// What the precompiled headers were made without comes back for a text.
void fitPrefix(Plan &P, const CompileOptions &O,
               const std::vector<std::string> &Flags) {
  // Clang would look at each `delete` of the standard library once more.
  if (O.Lang == Language::CXX)
    P.Invocation.getDiagnosticOpts().Warnings.emplace_back(
        "no-mismatched-new-delete");
  clang::PreprocessorOptions &PP = P.Invocation.getPreprocessorOpts();
  // They have no assertions; these come back with the header.
  if (O.Debug || lastFlag(Flags, "-UNDEBUG")) {
    PP.addMacroUndef("NDEBUG");
    PP.Includes.push_back("assert.h");
  }
  // They have the macros that a compiler begins with; spelling these out for
  // every text only to drop them costs a fiftieth of a compile.
  if (P.PrefixFlags.empty())
    PP.UsePredefines = false;
}

std::string planKey(const CompileOptions &O,
                    const std::vector<std::string> &Flags) {
  KeyBuilder K;
  K.add(uint64_t(O.Lang)).add(uint64_t(O.Level)).add(O.CPU);
  K.add(uint64_t(O.Headers)).add(uint64_t(O.Debug));
  for (Stage S : O.Keep)
    K.add(uint64_t(S));
  for (const auto *List : {&Flags, &O.IncludeDirs, &O.Defines}) {
    K.add(uint64_t(List->size()));
    for (const std::string &S : *List)
      K.add(S);
  }
  return K.finish();
}

} // namespace

/// Stands behind the folders that the flags name.
static constexpr llvm::StringLiteral LastFolder = "-I/clinch/last-folder";

/// Clang's driver adds the folders of CPATH, C_INCLUDE_PATH and their like, of
/// which no key knows: they begin behind the last one.
static void dropEnvironment(std::vector<std::string> &Arguments) {
  std::vector<std::string> Kept;
  bool Behind = false;
  for (size_t I = 0; I != Arguments.size(); ++I) {
    llvm::StringRef A = Arguments[I];
    bool IsLast = A == "-I" && I + 1 != Arguments.size() &&
                  Arguments[I + 1] == LastFolder.substr(2);
    Behind |= IsLast;
    if ((Behind && A == "-I") || A == "-c-isystem" || A == "-cxx-isystem")
      ++I;
    else if (!Behind || !A.starts_with("-I"))
      Kept.push_back(A.str());
  }
  Arguments = std::move(Kept);
}

/// Nothing where the headers at hand are the very ones that were baked.
static std::vector<std::string>
foreignFolders(const HeaderArchive &Baked, std::vector<std::string> Folders) {
  if (pythonVersion(Folders) == Baked.text(PythonVersionPath))
    Folders.clear();
  return Folders;
}

Planner::Planner(const HeaderArchive &Baked,
                 std::vector<std::string> PythonFolders)
    : Baked(Baked),
      PythonFolders(foreignFolders(Baked, std::move(PythonFolders))) {}

std::vector<std::string> Planner::systemFolders() const {
  std::vector<std::string> Result;
  if (Expected<clang::CompilerInvocation> I = bakedInvocation(Language::CXX))
    for (const auto &Entry : I->getHeaderSearchOpts().UserEntries)
      if (PythonFolders.empty() || Entry.Group != clang::frontend::After)
        Result.push_back(Entry.Path);
  return Result;
}

Expected<clang::CompilerInvocation>
Planner::prefixInvocation(Language Lang,
                          const std::vector<std::string> &Flags) const {
  CompileOptions O;
  O.Lang = Lang;
  std::vector<Diagnostic> Warnings;
  Expected<clang::CompilerInvocation> I =
      Flags.empty() ? bakedInvocation(Lang)
                    : invocationWithFlags(O, Flags, Warnings);
  if (I)
    setCommon(*I, O);
  return I;
}

Expected<clang::CompilerInvocation>
Planner::bakedInvocation(Language Lang) const {
  std::string_view Text = Baked.text(prefixPaths(Lang).Arguments);
  llvm::SmallVector<llvm::StringRef, 64> Lines;
  llvm::SplitString(llvm::StringRef(Text.data(), Text.size()), Lines, "\n");
  std::vector<std::string> Arguments;
  Arguments.reserve(Lines.size());
  for (llvm::StringRef L : Lines)
    Arguments.push_back(L.str());
  Expected<clang::CompilerInvocation> I = parseArguments(Arguments);
  if (!I || PythonFolders.empty())
    return I;
  clang::HeaderSearchOptions &Search = I->getHeaderSearchOpts();
  llvm::erase_if(Search.UserEntries,
                 [](const clang::HeaderSearchOptions::Entry &E) {
                   return E.Group == clang::frontend::After;
                 });
  for (const std::string &Folder : PythonFolders)
    Search.AddPath(Folder, clang::frontend::After, false, true);
  return I;
}

Expected<clang::CompilerInvocation>
Planner::invocationWithFlags(const CompileOptions &O,
                             const std::vector<std::string> &Flags,
                             std::vector<Diagnostic> &Warnings) const {
  Expected<clang::CompilerInvocation> Base = bakedInvocation(O.Lang);
  if (!Base)
    return Base;
  // The driver is to find nothing on this machine; the folders of the system
  // are those of the build.
  std::vector<std::string> All = {"-nostdinc"};
  if (!O.CPU.empty())
    All.push_back("-march=" + (O.CPU == "host" ? "native" : O.CPU));
  All.insert(All.end(), Flags.begin(), Flags.end());
  All.emplace_back(LastFolder);
  Expected<std::vector<std::string>> Arguments = driverArguments(
      "/clinch/bin/clang", O.Lang, All,
      llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>(), Warnings);
  if (!Arguments)
    return Arguments.takeError();
  dropEnvironment(*Arguments);
  Expected<clang::CompilerInvocation> I = parseArguments(*Arguments);
  if (!I)
    return I;
  clang::HeaderSearchOptions &Search = I->getHeaderSearchOpts();
  const clang::HeaderSearchOptions &System = Base->getHeaderSearchOpts();
  Search.ResourceDir = System.ResourceDir;
  if (std::find(Flags.begin(), Flags.end(), "-nostdinc") == Flags.end())
    Search.UserEntries.insert(Search.UserEntries.end(),
                              System.UserEntries.begin(),
                              System.UserEntries.end());
  return I;
}

Expected<std::shared_ptr<const Plan>>
Planner::make(const CompileOptions &O) const {
  std::vector<std::string> Flags = effectiveFlags(O);
  CLINCH_TRY(checkFlags(Flags));
  auto P = std::make_shared<Plan>();
  Expected<clang::CompilerInvocation> I =
      Flags.empty() ? bakedInvocation(O.Lang)
                    : invocationWithFlags(O, Flags, P->Warnings);
  if (!I)
    return I.takeError();
  CLINCH_TRY(checkSanitizers(I->getLangOpts()));
  P->Invocation = *I;
  if (O.Headers == Prefix::Python)
    P->PrefixFlags = prefixFlags(O, Flags, Baked);
  clang::TargetOptions &Target = P->Invocation.getTargetOpts();
  bool HasArch = lastFlag(Flags, "-march=") || lastFlag(Flags, "-mcpu=");
  // Vector mathematics is that of this machine, in every tier the same.
  bool ForHost = O.Level == Tier::Max || asksForVectorMath(Flags);
  if (O.CPU == "host" || (O.CPU.empty() && ForHost && !HasArch))
    setHostCPU(Target);
  else if (!O.CPU.empty() && !HasArch)
    Target.CPU = O.CPU;
  CLINCH_TRY(checkTarget(Target));
  bool Differs = !Flags.empty() || !O.CPU.empty() || O.Level == Tier::Max;
  if (O.Headers == Prefix::Python && P->PrefixFlags.empty() && Differs)
    if (Expected<clang::CompilerInvocation> Base = bakedInvocation(O.Lang))
      definePredefined(P->Invocation, *Base);
  setTier(*P, O.Level);
  setFloatingPoint(*P, Flags);
  // What they are for, stack slots that take turns, matters to O3 at most; and
  // text full of `goto` takes long to find them in. A sanitizer looks at them.
  // What is contracted is found in the same IR in every tier.
  const clang::LangOptions &Lang = P->Invocation.getLangOpts();
  bool Contracts =
      Lang.getDefaultFPContractMode() != clang::LangOptions::FPM_Off;
  if ((O.Level != Tier::Max || Contracts) && Lang.Sanitize.empty())
    P->Invocation.getCodeGenOpts().DisableLifetimeMarkers = true;
  setLevelFromFlags(*P, Flags);
  setCommon(P->Invocation, O);
  if (O.Headers == Prefix::Python)
    fitPrefix(*P, O, Flags);
  return std::shared_ptr<const Plan>(std::move(P));
}

/// Clang believes some of what stands in a flag, and crashes.
static Expected<std::shared_ptr<const Plan>>
guarded(const CompileOptions &O,
        const std::function<Expected<std::shared_ptr<const Plan>>()> &Make) {
  std::optional<Expected<std::shared_ptr<const Plan>>> P;
  std::string Crash = "there is no memory for its stack";
  if (CompileStack Stack; Stack)
    Crash = runGuarded(Stack, [&] { P.emplace(Make()); });
  if (Crash.empty())
    return std::move(*P);
  std::string Flags;
  for (const std::string &Flag : O.Flags)
    Flags += (Flags.empty() ? "`" : ", `") + Flag + "`";
  return Error(ErrorKind::Crash, "The compiler crashed over the flags " +
                                     Flags + ": " + Crash + ".");
}

Expected<std::shared_ptr<const Plan>> Planner::plan(const CompileOptions &O) {
  std::string Key = planKey(O, effectiveFlags(O));
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (auto At = Plans.find(Key); At != Plans.end())
      return At->second;
  }
  Expected<std::shared_ptr<const Plan>> P =
      O.Flags.empty() ? make(O) : guarded(O, [&] { return make(O); });
  if (!P)
    return P;
  std::lock_guard<std::mutex> Guard(Lock);
  if (Plans.size() >= MostPlansKept)
    Plans.clear();
  Plans.emplace(std::move(Key), *P);
  return P;
}
