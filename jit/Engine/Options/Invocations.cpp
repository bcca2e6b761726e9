// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Invocations of Clang, for the host and for devices.

#include "Invocations.h"
#include "../CrashRecovery/CrashGuard.h"
#include "../Files/PrefixPaths.h"
#include "Flags.h"
#include "Plan.h"
#include "PrefixTraits.h"
#include "lib/Support/Text.h"

#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Clang stops after this many errors; later ones are mostly noise.
constexpr unsigned ErrorLimit = 20;

/// Ours come first, so that flags override them. Invalid bytes in comments stay
/// allowed, since old headers have them.
void addWarnings(std::vector<std::string> &Warnings) {
  const char *First[] = {"error=invalid-source-encoding",
                         "error=null-character", "uninitialized"};
  Warnings.insert(Warnings.begin(), std::begin(First), std::end(First));
}

} // namespace

void clinch::engine::setCommonOptions(clang::CompilerInvocation &I,
                                      const CompileOptions &O) {
  for (const std::string &Dir : O.IncludeDirs)
    I.getHeaderSearchOpts().AddPath(Dir, clang::frontend::Angled, false, true);
  for (const std::string &D : O.Defines)
    I.getPreprocessorOpts().addMacroDef(D.find('=') == D.npos ? D + "=1" : D);
  addWarnings(I.getDiagnosticOpts().Warnings);
  I.getDiagnosticOpts().ErrorLimit = ErrorLimit;
  I.getDiagnosticOpts().ShowCarets = false;
  I.getLangOpts().BracketDepth = DeepestNesting;
  I.getLangOpts().CommentOpts.ParseAllComments = true; // TypeWriter has them.
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

/// Follows the folders that the flags name.
static constexpr llvm::StringLiteral LastFolder = "-I/clinch/last-folder";

/// Drops the folders that Clang's driver takes from CPATH, C_INCLUDE_PATH and
/// the like, which no key covers. They come after the last folder.
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

/// Returns \p Folders, or none if their headers are the baked ones.
static std::vector<std::string>
foreignFolders(const HeaderArchive &Baked, std::vector<std::string> Folders) {
  const std::string Prefix(Baked.text(PrefixTextPath));
  if (prefixVersion(Prefix, Folders) == Baked.text(PrefixVersionPath))
    Folders.clear();
  return Folders;
}

Planner::Planner(const HeaderArchive &Baked,
                 std::vector<std::string> PrefixFolders)
    : Baked(Baked),
      PrefixFolders(foreignFolders(Baked, std::move(PrefixFolders))) {}

std::vector<std::string>
Planner::prefixIncludeDirs(const CompileOptions &O) const {
  return O.Prefix == Baked.text(PrefixTextPath) ? std::vector<std::string>()
                                                : O.IncludeDirs;
}

Expected<clang::CompilerInvocation>
Planner::prefixInvocation(const CompileOptions &Given, const Plan &P,
                          const std::vector<Macro> &Macros) const {
  if (P.PrefixIsOpening) {
    clang::CompilerInvocation Own = P.Invocation;
    Own.getPreprocessorOpts().ImplicitPCHInclude.clear();
    return Own;
  }
  if (!Given.Device.empty()) {
    clang::CompilerInvocation Own = P.Invocation;
    clang::PreprocessorOptions &PP = Own.getPreprocessorOpts();
    PP.UsePredefines = true;
    PP.Includes.clear();
    PP.ImplicitPCHInclude.clear();
    PP.Macros = Macros;
    return Own;
  }
  CompileOptions O;
  O.Lang = Given.Lang;
  CLINCH_TRY_ASSIGN(clang::CompilerInvocation I, bakedInvocation(O));
  if (!P.PrefixTraits.empty())
    adaptPrefix(I, P.Invocation, Given.Prefix, P.PrefixHasProcessor, Baked);
  auto &Known = I.getPreprocessorOpts().Macros;
  Known.insert(Known.end(), Macros.begin(), Macros.end());
  O.IncludeDirs = prefixIncludeDirs(Given);
  setCommonOptions(I, O);
  return I;
}

static Expected<std::vector<std::string>>
forCUDA(std::vector<std::string> Arguments, const CompileOptions &O) {
  if (O.Device.empty())
    return Arguments;
  if (O.Launches)
    return launchingArguments(Arguments);
  CLINCH_TRY_ASSIGN(const std::string Feature, deviceFeature(O.Device));
  return deviceArguments(Arguments, O.Device, Feature);
}

Expected<clang::CompilerInvocation>
Planner::bakedInvocation(const CompileOptions &O) const {
  std::string_view Text = Baked.text(prefixPaths(O.Lang).Arguments);
  llvm::SmallVector<llvm::StringRef, 64> Lines;
  llvm::SplitString(llvm::StringRef(Text.data(), Text.size()), Lines, "\n");
  std::vector<std::string> Arguments;
  Arguments.reserve(Lines.size());
  for (llvm::StringRef L : Lines)
    Arguments.push_back(L.str());
  CLINCH_TRY_ASSIGN(Arguments, forCUDA(std::move(Arguments), O));
  Expected<clang::CompilerInvocation> I = parseArguments(Arguments);
  if (!I || PrefixFolders.empty())
    return I;
  clang::HeaderSearchOptions &Search = I->getHeaderSearchOpts();
  llvm::erase_if(Search.UserEntries,
                 [](const clang::HeaderSearchOptions::Entry &E) {
                   return E.Group == clang::frontend::After;
                 });
  for (const std::string &Folder : PrefixFolders)
    Search.AddPath(Folder, clang::frontend::After, false, true);
  return I;
}

Expected<clang::CompilerInvocation>
Planner::invocationWithFlags(const CompileOptions &O,
                             const std::vector<std::string> &Flags,
                             const clang::CompilerInvocation &Base,
                             std::vector<Diagnostic> &Warnings) const {
  // The driver must find nothing on this machine: the system's folders are
  // those of the build.
  std::vector<std::string> All = {"-nostdinc"};
  if (!O.CPU.empty())
    All.push_back("-march=" + (O.CPU == "host" ? "native" : O.CPU));
  All.insert(All.end(), Flags.begin(), Flags.end());
  All.emplace_back(LastFolder);
  CLINCH_TRY_ASSIGN(
      std::vector<std::string> Arguments,
      driverArguments(
          "/clinch/bin/clang", O.Lang, All,
          llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>(),
          Warnings));
  dropEnvironment(Arguments);
  CLINCH_TRY_ASSIGN(Arguments, forCUDA(std::move(Arguments), O));
  Expected<clang::CompilerInvocation> I = parseArguments(Arguments);
  if (!I)
    return I;
  clang::HeaderSearchOptions &Search = I->getHeaderSearchOpts();
  const clang::HeaderSearchOptions &System = Base.getHeaderSearchOpts();
  Search.ResourceDir = System.ResourceDir;
  if (std::find(Flags.begin(), Flags.end(), "-nostdinc") == Flags.end())
    Search.UserEntries.insert(Search.UserEntries.end(),
                              System.UserEntries.begin(),
                              System.UserEntries.end());
  return I;
}

namespace {

/// Each device, and the version of PTX that first had it.
constexpr std::pair<std::string_view, const char *> Devices[] = {
    {"sm_75", "+ptx63"},   {"sm_80", "+ptx70"},   {"sm_86", "+ptx71"},
    {"sm_87", "+ptx74"},   {"sm_89", "+ptx78"},   {"sm_90", "+ptx78"},
    {"sm_90a", "+ptx80"},  {"sm_100", "+ptx86"},  {"sm_100a", "+ptx86"},
    {"sm_103", "+ptx88"},  {"sm_103a", "+ptx88"}, {"sm_110", "+ptx90"},
    {"sm_110a", "+ptx90"}, {"sm_120", "+ptx87"},  {"sm_120a", "+ptx87"},
    {"sm_121", "+ptx88"},  {"sm_121a", "+ptx88"}};

/// What a driver says of the host's processor and of its frames, each with a
/// value behind it.
constexpr llvm::StringLiteral OfHost[] = {"-triple",
                                          "-target-cpu",
                                          "-tune-cpu",
                                          "-target-feature",
                                          "-mrelocation-model",
                                          "-pic-level",
                                          "-x"};

} // namespace

Expected<std::string> clinch::engine::deviceFeature(const std::string &Device) {
  std::vector<std::string_view> Names;
  for (const auto &[Name, Feature] : Devices) {
    if (Name == Device)
      return std::string(Feature);
    Names.push_back(Name);
  }
  std::string Message = "There is no device `" + Device + "` here";
  const std::string_view Close = closestName(Device, Names);
  if (!Close.empty())
    Message += "; did you mean `" + std::string(Close) + "`?";
  else
    Message += ": devices are named as `sm_90` is.";
  return Error(Error::Kind::InvalidArgument, Message, {}, {Device});
}

uint64_t clinch::engine::sharedLimit(std::string_view Device) {
  constexpr std::pair<std::string_view, uint64_t> Limits[] = {
      {"sm_75", 65536},  {"sm_80", 166912}, {"sm_86", 101376},
      {"sm_87", 166912}, {"sm_89", 101376}, {"sm_120", 101376},
      {"sm_121", 101376}};
  for (const auto &[Name, Bytes] : Limits)
    if (Device == Name || Device == std::string(Name) + "a")
      return Bytes;
  return 232448; // Of sm_90, sm_100 and their kin.
}

/// What both passes over a text in CUDA have; before the text, which is last.
static void addCommon(std::vector<std::string> &Arguments) {
  const std::vector<std::string> Common = {
      // From 10.1 on launches are those of today.
      "-target-sdk-version=12.8",
      // What only one file may see has the same name in both, which no file's
      // identity is part of: a text is no file.
      "-cuid=clinch", "-x", "cuda"};
  Arguments.insert(Arguments.end() - 1, Common.begin(), Common.end());
}

std::vector<std::string>
clinch::engine::deviceArguments(const std::vector<std::string> &Given,
                                const std::string &Device,
                                const std::string &Feature) {
  std::vector<std::string> Result;
  std::string Host;
  for (size_t I = 0; I != Given.size(); ++I) {
    const llvm::StringRef A = Given[I];
    if (A == "-triple" && I + 1 != Given.size())
      Host = Given[I + 1];
    if (llvm::is_contained(OfHost, A))
      ++I;
    else if (A != "-fmath-errno" && A != "-mconstructor-aliases" &&
             !A.starts_with("-funwind-tables"))
      Result.push_back(Given[I]);
  }
  // The text is the last argument.
  const std::vector<std::string> Own = {
      "-triple",          "nvptx64-nvidia-cuda",
      "-aux-triple",      Host,
      "-target-cpu",      Device,
      "-target-feature",  Feature,
      "-fcuda-is-device", "-fcuda-allow-variadic-functions"};
  Result.insert(Result.end() - 1, Own.begin(), Own.end());
  addCommon(Result);
  return Result;
}

std::vector<std::string>
clinch::engine::launchingArguments(const std::vector<std::string> &Given) {
  std::vector<std::string> Result;
  for (size_t I = 0; I != Given.size(); ++I)
    if (Given[I] == "-x")
      ++I;
    else
      Result.push_back(Given[I]);
  const std::vector<std::string> Own = {"-aux-triple", "nvptx64-nvidia-cuda",
                                        "-fcuda-include-gpubinary", ImagePath};
  Result.insert(Result.end() - 1, Own.begin(), Own.end());
  addCommon(Result);
  return Result;
}
