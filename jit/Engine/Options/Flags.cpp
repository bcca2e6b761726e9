// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags of the driver, and the arguments they become.

#include "Flags.h"
#include "../Diagnostics/DiagnosticCollector.h"
#include "GccFlags.h"

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/LangStandard.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/ArgList.h"

#include <algorithm>

using namespace clinch;
using namespace clinch::engine;
namespace options = clang::options;

namespace {

constexpr const char *Prints = "it prints, and a library never does";
constexpr const char *Writes = "it writes files";
constexpr const char *Chooses = "what is made is object code in memory";
constexpr const char *Calls = "it changes how functions are called";
constexpr const char *Elsewhere = "code is made for the process it runs in";
constexpr const char *HasNUL = "it has a NUL byte in it";
constexpr const char *LacksValue = "the value that follows it is missing";
constexpr const char *WholeProcess =
    "it changes LLVM for the whole process, or loads code into it";
constexpr const char *NamesLanguage =
    "CompileOptions::Lang says which language it is";
constexpr const char *Modules = "modules are files beside the text";

/// An option or a group of Clang's, which is refused by all its names.
struct Refusal {
  unsigned Option;
  const char *Why;
};

constexpr Refusal Refusals[] = {
    {options::OPT_Action_Group, Chooses},
    {options::OPT_emit_ast, Chooses},
    {options::OPT_emit_symbol_graph, Chooses},
    {options::OPT__analyze, Chooses},
    {options::OPT_m16, Elsewhere},
    {options::OPT_m32, Elsewhere},
    {options::OPT_mx32, Elsewhere},
    {options::OPT_miamcu, Elsewhere},
    {options::OPT_target, Elsewhere},
    {options::OPT_mgeneral_regs_only, Calls},
    {options::OPT_msoft_float, Calls},
    {options::OPT_mno_x87, Calls}, // With -mno-sse, which Clang refuses alone.
    {options::OPT_o, Writes},
    {options::OPT_M_Group, Writes},
    {options::OPT_save_temps_EQ, Writes},
    {options::OPT_save_stats_EQ, Writes},
    {options::OPT_gen_cdb_fragment_path, Writes},
    {options::OPT_coverage, Writes},
    {options::OPT_ftest_coverage, Writes},
    {options::OPT_gsplit_dwarf, Writes},
    {options::OPT_gsplit_dwarf_EQ, Writes},
    {options::OPT__serialize_diags, Writes},
    {options::OPT_v, Prints},
    {options::OPT__HASH_HASH_HASH, Prints},
    {options::OPT_H, Prints},
    {options::OPT_help, Prints},
    {options::OPT__help_hidden, Prints},
    {options::OPT__target_help, Prints},
    {options::OPT__version, Prints},
    {options::OPT_autocomplete, Prints},
    {options::OPT_x, NamesLanguage},
    {options::OPT_ObjC, NamesLanguage},
    {options::OPT_ObjCXX, NamesLanguage},
    // Clang reads the first letter of an extension whose name is empty.
    {options::OPT_opencl_Group, "it is for OpenCL, and the text is C or C++"},
    {options::OPT_l, "libraries are named in `c_libraries`, or in "
                     "CompileOptions::Libraries"},
    {options::OPT_L, "their folders are named in `c_lib_dirs`, or in "
                     "CompileOptions::LibraryDirs"},
    {options::OPT_mllvm, WholeProcess},
    {options::OPT_Xclang, WholeProcess},
    {options::OPT_Xclangas, WholeProcess},
    {options::OPT_include_pch, "the prefix is the one that is precompiled"},
    {options::OPT_gmodules, Modules},
};

/// Options whose names begin so; Clang has no groups of them.
constexpr std::pair<llvm::StringLiteral, const char *> Families[] = {
    {"-ccc-", Prints},         {"-dump", Prints},
    {"-print-", Prints},       {"--print-", Prints},
    {"-fproc-stat-", Prints},  {"-ftime-", Writes},
    {"-fprofile-", Writes},    {"-fplugin", WholeProcess},
    {"-fpass-", WholeProcess}, {"-fmodule", Modules},
};

/// What a tier adds by itself, by the name that g++ has for it.
constexpr std::pair<Tier, OwnFlag> OfTiers[] = {
    {Tier::Default, {"-O2", "-O0"}},
    {Tier::Default, {"-march=native", "-march=x86-64"}},
    {Tier::Max, {"-O3", "-O0"}},
    {Tier::Max, {"-march=native", "-march=x86-64"}},
    {Tier::Max, {"-fno-math-errno", "-fmath-errno"}},
};

/// Returns why \p O is refused, or null.
const char *whyRefused(const llvm::opt::Option &O) {
  for (const Refusal &R : Refusals)
    if (O.matches(R.Option) && !O.matches(options::OPT_c))
      return R.Why;
  const std::string Name = O.getPrefixedName().str();
  for (const auto &[Begin, Why] : Families)
    if (llvm::StringRef(Name).starts_with(Begin))
      return Why;
  return nullptr;
}

/// \p Option is the option's own name, if \p Flag is another one.
Error refused(const std::string &Flag, const std::string &Why,
              const std::string &Option = "") {
  const std::string Known = Option.empty() ? "" : " (`" + Option + "`)";
  return Error(Error::Kind::InvalidArgument,
               "The flag `" + Flag.substr(0, Flag.find('\0')) + "`" + Known +
                   " cannot be used here: " + Why + ".",
               {}, {Flag});
}

Error noFlag(const std::string &F) {
  return Error(Error::Kind::InvalidArgument,
               "A flag that begins with `-` was expected, and found `" + F +
                   "`.",
               {}, {F});
}

} // namespace

std::vector<std::string>
clinch::engine::effectiveFlags(const CompileOptions &O) {
  std::vector<std::string> Flags = O.Flags, Opposites;
  for (const std::string &F : O.ForbiddenFlags) {
    auto At = std::find(Flags.begin(), Flags.end(), F);
    if (At != Flags.end())
      Flags.erase(At);
    for (const OwnFlag &Own : OneMeaning)
      if (F == Own.Flag)
        Opposites.push_back(Own.Opposite);
    for (const auto &[Level, Own] : OfTiers)
      if (F == Own.Flag && Level == O.Level)
        Opposites.push_back(Own.Opposite);
  }
  // Before the flags that are given, which win.
  Flags.insert(Flags.begin(), Opposites.begin(), Opposites.end());
  return Flags;
}

namespace {

/// Whether \p A says which standard a text of another language is of.
bool isOfOtherLanguage(const llvm::opt::Arg &A, Language Lang) {
  if (!A.getOption().matches(options::OPT_std_EQ))
    return false;
  using clang::LangStandard;
  const LangStandard::Kind Kind = LangStandard::getLangKind(A.getValue());
  return Kind != LangStandard::lang_unspecified &&
         LangStandard::getLangStandardForKind(Kind).isCPlusPlus() !=
             (Lang == Language::CXX);
}

class FlagReader {
public:
  /// \p Within is the flag that passes these on, or empty.
  explicit FlagReader(Language Lang, std::string Within = "")
      : Lang(Lang), Within(std::move(Within)) {}

  Expected<ReadFlags> read(const std::vector<std::string> &Flags) {
    std::vector<const char *> Words;
    for (const std::string &F : Flags) {
      if (F.find('\0') != F.npos)
        return refused(F, HasNUL);
      Words.push_back(F.c_str());
    }
    unsigned MissingAt = 0, Missing = 0;
    const llvm::opt::InputArgList Args = clang::getDriverOptTable().ParseArgs(
        Words, MissingAt, Missing, llvm::opt::Visibility(options::ClangOption));
    for (auto At = Args.begin(); At != Args.end(); ++At) {
      const size_t Begin = (*At)->getIndex();
      const auto Next = std::next(At);
      const size_t End =
          Next != Args.end() ? (*Next)->getIndex() : Flags.size() - Missing;
      CLINCH_TRY(
          read(**At, Args,
               llvm::ArrayRef(Flags).slice(Begin, std::max(End, Begin) - Begin),
               Flags[Begin]));
    }
    if (Missing)
      return refuse(Flags[MissingAt], LacksValue);
    if (!Unknown.empty())
      warn("the compiler does not know these flags and leaves them out: " +
           Unknown);
    return std::move(Result);
  }

private:
  Status read(const llvm::opt::Arg &A, const llvm::opt::ArgList &All,
              llvm::ArrayRef<std::string> Words, const std::string &Written) {
    const llvm::opt::Option &O = A.getOption();
    if (O.matches(options::OPT_INPUT) || O.matches(options::OPT__DASH_DASH))
      return noFlag(Written);
    if (const char *Why = whyRefused(O))
      return refuse(Written, Why,
                    A.getAlias() ? O.getPrefixedName().str() : std::string());
    if (const char *Part = ofALinker(A))
      return refused(Written, "it passes `" + std::string(Part) +
                                  "` to a linker, and none runs");
    // Clang's compiler reads a value of it that is not there.
    if (!Within.empty() && O.matches(options::OPT_O4))
      return refuse(Written, "only Clang's driver knows it");
    if (isOfOtherLanguage(A, Lang)) {
      warnOfOtherLanguage(Written);
      return Status::success();
    }
    if (O.matches(options::OPT_finline_limit_EQ))
      return readInlineLimit(A, Written);
    if (auto Ours = fromGcc(A)) {
      add(Result.Known, *Ours);
      add(Result.Given, *Ours);
      return Status::success();
    }
    if (isUnknown(A)) {
      Unknown += (Unknown.empty() ? "`" : ", `") + Written + "`";
      return Status::success();
    }
    add(Result.Given, Words);
    return readKnown(A, All, Written);
  }

  /// It is LLVM's, and Clang leaves it out.
  Status readInlineLimit(const llvm::opt::Arg &A, const std::string &Written) {
    int Limit = 0;
    if (llvm::StringRef(A.getValue()).getAsInteger(10, Limit) || Limit < 0)
      return refuse(Written, "expected a number");
    Result.Known.push_back(InlineLimitFlag + std::to_string(Limit));
    return Status::success();
  }

  Status readKnown(const llvm::opt::Arg &A, const llvm::opt::ArgList &All,
                   const std::string &Written) {
    const llvm::opt::Option &O = A.getOption();
    if (O.matches(options::OPT_Wp_COMMA) ||
        O.matches(options::OPT_Xpreprocessor))
      return readPassed(A, Written);
    if (O.getKind() == llvm::opt::Option::JoinedOrSeparateClass) {
      if (A.getValue()[0] == 0)
        return refuse(Written, LacksValue);
      Result.Known.push_back(O.getPrefixedName().str() + A.getValue());
      return Status::success();
    }
    llvm::opt::ArgStringList Strings;
    A.render(All, Strings);
    Result.Known.insert(Result.Known.end(), Strings.begin(), Strings.end());
    return Status::success();
  }

  Status readPassed(const llvm::opt::Arg &A, const std::string &Written) {
    const std::vector<std::string> Passed(A.getValues().begin(),
                                          A.getValues().end());
    CLINCH_TRY_ASSIGN(
        const ReadFlags More,
        FlagReader(Lang, Within.empty() ? Written : Within).read(Passed));
    add(Result.Known, More.Known);
    return Status::success();
  }

  static void add(std::vector<std::string> &To,
                  llvm::ArrayRef<std::string> More) {
    To.insert(To.end(), More.begin(), More.end());
  }

  /// As gcc, which is given one list of flags for files of both languages.
  void warnOfOtherLanguage(const std::string &Flag) {
    warn("`" + Flag + "` is for " +
         (Lang == Language::C ? "C++, and the text is C"
                              : "C, and the text is C++"));
  }

  void warn(std::string Message) {
    Diagnostic D;
    D.Level = Diagnostic::Severity::Warning;
    D.Message = std::move(Message);
    Result.Warnings.push_back(std::move(D));
  }

  Error refuse(const std::string &Flag, const char *Why,
               const std::string &Option = "") const {
    if (Within.empty())
      return refused(Flag, Why, Option);
    return refused(Within, "it passes `" + Flag + "` on, and " + Why);
  }

  const Language Lang;
  const std::string Within;
  std::string Unknown; ///< Flags, in backticks.
  ReadFlags Result;
};

} // namespace

Expected<ReadFlags>
clinch::engine::readFlags(Language Lang,
                          const std::vector<std::string> &Flags) {
  return FlagReader(Lang).read(Flags);
}

const std::string *
clinch::engine::lastFlag(const std::vector<std::string> &Flags,
                         std::string_view Prefix) {
  for (size_t I = Flags.size(); I != 0; --I)
    if (Flags[I - 1].starts_with(Prefix))
      return &Flags[I - 1];
  return nullptr;
}

namespace {

/// The diagnostics of the driver and of the argument parser.
struct ArgumentDiagnostics {
  clang::DiagnosticOptions Options;
  DiagnosticCollector Collector;
  llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> Engine;

  explicit ArgumentDiagnostics(llvm::vfs::FileSystem &FS)
      : Engine(clang::CompilerInstance::createDiagnostics(
            FS, Options, &Collector, /*ShouldOwnClient=*/false)) {}

  Error error() {
    std::vector<Diagnostic> Errors = Collector.takeErrors();
    std::string What;
    for (const Diagnostic &D : Errors)
      What += (What.empty() ? "" : "; ") + D.Message;
    return Error(Error::Kind::InvalidArgument,
                 "The compiler does not take these flags: " + What + ".", {},
                 Collector.takeArguments());
  }
};

std::vector<std::string> driverCommand(const std::string &Program,
                                       Language Lang) {
  std::vector<std::string> Command = {Program};
  if (Lang == Language::C)
    Command.insert(Command.end(), {"-x", "c", "-std=gnu23"});
  else // libstdc++ would look for TBB's headers on the host.
    Command.insert(Command.end(), {"-x", "c++", "-std=gnu++20",
                                   "-D_GLIBCXX_USE_TBB_PAR_BACKEND=0"});
  Command.insert(Command.end(),
                 {"-O2", "-fPIC", "-fno-asynchronous-unwind-tables"});
  return Command;
}

} // namespace

Expected<std::vector<std::string>> clinch::engine::driverArguments(
    const std::string &Program, Language Lang,
    const std::vector<std::string> &Flags,
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
    std::vector<Diagnostic> &Warnings) {
  std::vector<std::string> Command = driverCommand(Program, Lang);
  // A sanitizer looks for just what these define.
  if (llvm::none_of(Flags, [](llvm::StringRef F) {
        return F.starts_with("-fsanitize=");
      }))
    for (const OwnFlag &Own : OneMeaning)
      Command.push_back(Own.Flag);
  // An author's own flags win.
  Command.insert(Command.end(), Flags.begin(), Flags.end());
  Command.push_back("text");
  std::vector<const char *> Pointers;
  Pointers.reserve(Command.size());
  for (const std::string &S : Command)
    Pointers.push_back(S.c_str());
  ArgumentDiagnostics Diags(*FS);
  std::vector<std::string> Result;
  clang::CreateInvocationOptions Options;
  Options.Diags = Diags.Engine;
  Options.VFS = std::move(FS);
  Options.CC1Args = &Result;
  clang::createInvocation(Pointers, Options);
  if (Diags.Collector.hasErrors() || Result.empty())
    return Diags.error();
  Warnings = Diags.Collector.takeWarnings();
  return Result;
}

Expected<clang::CompilerInvocation>
clinch::engine::parseArguments(const std::vector<std::string> &Arguments) {
  std::vector<const char *> Pointers;
  Pointers.reserve(Arguments.size());
  for (const std::string &S : Arguments)
    Pointers.push_back(S.c_str());
  ArgumentDiagnostics Diags(*llvm::vfs::getRealFileSystem());
  clang::CompilerInvocation I;
  if (!clang::CompilerInvocation::CreateFromArgs(I, Pointers, *Diags.Engine))
    return Diags.error();
  I.getPreprocessorOpts().SourceDateEpoch.reset(); // From the environment.
  // C++20 turns modules on, and with modules on Clang looks up each of its
  // 3,000 built-in functions in the prefix at every start: ten times slower.
  I.getLangOpts().Modules = false;
  I.getLangOpts().CPlusPlusModules = false;
  return I;
}

Status clinch::engine::checkTarget(const clang::TargetOptions &Target) {
  ArgumentDiagnostics Diags(*llvm::vfs::getRealFileSystem());
  clang::TargetOptions Copy = Target;
  llvm::IntrusiveRefCntPtr<clang::TargetInfo> Info(
      clang::TargetInfo::CreateTargetInfo(*Diags.Engine, Copy));
  return Info ? Status::success() : Status(Diags.error());
}
