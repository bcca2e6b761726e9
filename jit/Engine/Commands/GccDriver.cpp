// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands cc and c++.

#include "GccDriver.h"

#include "../Files/EngineFileSystem.h"
#include "../Files/PrefixPaths.h"
#include "../Options/GccFlags.h"
#include "CompileCommand.h"
#include "LinkCommand.h"

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Options/Options.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <climits>
#include <dlfcn.h>

using namespace clinch;
using namespace clinch::engine;
namespace driver = clang::driver;
namespace options = clang::options;
using llvm::StringRef;

extern "C" const char ClinchPrefixBegin[], ClinchPrefixEnd[];

namespace {

/// Which linker and which assembler: there is one of each.
constexpr unsigned OfAnotherProgram[] = {options::OPT_fuse_ld_EQ,
                                         options::OPT_fno_integrated_as};

/// Returns the words without what is gcc's alone; one warning names what has a
/// meaning there.
std::vector<const char *> withoutGccs(llvm::ArrayRef<const char *> Words,
                                      llvm::StringSaver &Saver) {
  unsigned MissingAt = 0, Missing = 0;
  const llvm::opt::InputArgList Args = clang::getDriverOptTable().ParseArgs(
      Words.drop_front(), MissingAt, Missing,
      llvm::opt::Visibility(options::ClangOption));
  std::vector<const char *> Result = {Words.front()};
  std::string Unknown;
  for (auto At = Args.begin(); At != Args.end(); ++At) {
    const llvm::opt::Option &O = (*At)->getOption();
    const auto Next = std::next(At);
    const size_t Begin = (*At)->getIndex() + 1;
    const size_t End =
        Next != Args.end() ? (*Next)->getIndex() + 1 : Words.size();
    const bool MayBeGccs =
        O.matches(options::OPT_UNKNOWN) || O.matches(options::OPT_W_Joined) ||
        O.matches(options::OPT_O_Group) ||
        O.matches(options::OPT_clang_ignored_gcc_optimization_f_Group) ||
        O.matches(options::OPT__param);
    if (llvm::any_of(OfAnotherProgram,
                     [&](unsigned Id) { return O.matches(Id); }))
      continue;
    if (auto Ours = MayBeGccs ? fromGcc(**At) : std::nullopt) {
      for (const std::string &Word : *Ours)
        Result.push_back(Saver.save(Word).data());
      continue;
    }
    if (isUnknown(**At)) {
      Unknown += std::string(" ") + Words[Begin];
      continue;
    }
    for (size_t I = Begin; I < std::max(End, Begin + 1); ++I)
      Result.push_back(Words[I]);
  }
  if (!Unknown.empty())
    llvm::errs() << Words.front()
                 << ": warning: unknown and left out:" << Unknown << '\n';
  return Result;
}

/// A job of Clang's driver, done in this process.
class OwnCommand : public driver::Command {
public:
  OwnCommand(const driver::Command &Planned, const CompileCommand &Compile)
      : driver::Command(Planned), Compile(Compile) {}

  int Execute(llvm::ArrayRef<std::optional<StringRef>> Redirects,
              std::string *Message, bool *Failed) const override {
    const llvm::opt::ArgStringList &Arguments = getArguments();
    *Failed = false;
    const StringRef First = Arguments.empty() ? "" : Arguments.front();
    if (First == "-cc1")
      return Compile.run(llvm::ArrayRef(Arguments).drop_front());
    if (getCreator().isLinkJob()) {
      std::vector<const char *> Words = {"ld"};
      Words.insert(Words.end(), Arguments.begin(), Arguments.end());
      return link(Words);
    }
    if (First == "-cc1as")
      return assemble(llvm::ArrayRef(Arguments).drop_front());
    return driver::Command::Execute(Redirects, Message, Failed);
  }

private:
  const CompileCommand &Compile;
};

/// The folders that the headers of C++ were in where Clinch was built.
std::vector<std::string> standardFolders(const HeaderArchive &Baked) {
  llvm::SmallVector<StringRef, 64> Lines;
  StringRef(Baked.text(prefixPaths(Language::CXX).Arguments))
      .split(Lines, '\n');
  std::vector<std::string> Result;
  for (StringRef Line : Lines)
    if (Line.starts_with("/") && Line.contains("/c++/"))
      Result.push_back(Line.str());
  return Result;
}

/// Lets a file in C++ find the carried headers where the driver has found no
/// gcc, with which those on disk are.
void addStandardHeaders(driver::Command &Job,
                        const std::vector<std::string> &Folders) {
  llvm::opt::ArgStringList Words = Job.getArguments();
  bool IsCXX = false;
  for (size_t I = 0; I + 1 < Words.size(); ++I) {
    const StringRef Word(Words[I]), Next(Words[I + 1]);
    IsCXX |= Word == "-x" && Next.starts_with("c++");
    if (Word.starts_with("-nostd") ||
        (Word == "-internal-isystem" && Next.contains("/c++/")))
      return;
  }
  if (!IsCXX || Words.empty() || StringRef(Words.front()) != "-cc1")
    return;
  llvm::opt::ArgStringList More;
  for (const std::string &Folder : Folders) {
    More.push_back("-internal-isystem");
    More.push_back(Folder.c_str());
  }
  auto At = llvm::find_if(Words, [](const char *Word) {
    return StringRef(Word) == "-internal-isystem";
  });
  Words.insert(At, More.begin(), More.end());
  Job.replaceArguments(std::move(Words));
}

/// Lets a file find Clang's own headers, which are carried. Debian's driver
/// names the folder of Debian's package for them, and no other.
void addBuiltinHeaders(driver::Command &Job, const std::string &Folder) {
  llvm::opt::ArgStringList Words = Job.getArguments();
  if (Words.empty() || StringRef(Words.front()) != "-cc1" ||
      llvm::any_of(Words, [&](const char *Word) {
        return Word == Folder || StringRef(Word) == "-nobuiltininc" ||
               StringRef(Word) == "-nostdsysteminc";
      }))
    return;
  for (auto At = Words.begin(); At + 1 < Words.end(); ++At)
    if (StringRef(*At) == "-internal-isystem" &&
        !StringRef(At[1]).contains("/c++/")) {
      const char *More[] = {"-internal-isystem", Folder.c_str()};
      Words.insert(At, std::begin(More), std::end(More));
      break;
    }
  Job.replaceArguments(std::move(Words));
}

std::string resourceFolder(const HeaderArchive &Baked) {
  llvm::SmallVector<StringRef, 64> Lines;
  StringRef(Baked.text(prefixPaths(Language::C).Arguments)).split(Lines, '\n');
  for (size_t I = 1; I < Lines.size(); ++I)
    if (Lines[I - 1] == "-resource-dir")
      return Lines[I].str();
  return {};
}

std::string ownFile() {
  Dl_info Info;
  return dladdr(reinterpret_cast<void *>(&runGccDriver), &Info) ? Info.dli_fname
                                                                : "clinch";
}

/// Returns the options for the C library's and the host's headers and the files
/// to link with, which a wheel has beside the engine, where this system has
/// none.
std::vector<std::string> sysrootOptions() {
  const std::string Folder = carriedSysroot();
  if (llvm::sys::fs::exists("/usr/include/stdio.h") ||
      !llvm::sys::fs::exists(Folder))
    return {};
  return {"--sysroot=" + Folder, "-idirafter" + Folder + "/usr/include/host"};
}

/// Prints to standard error, as gcc does.
struct Diagnostics {
  clang::DiagnosticOptions Options;
  std::unique_ptr<clang::DiagnosticsEngine> Engine;

  explicit Diagnostics(const char *Name) {
    auto Printer =
        std::make_unique<clang::TextDiagnosticPrinter>(llvm::errs(), Options);
    Printer->setPrefix(Name);
    Engine = std::make_unique<clang::DiagnosticsEngine>(
        clang::DiagnosticIDs::create(), Options, Printer.release());
  }
};

} // namespace

int clinch::engine::runGccDriver(llvm::ArrayRef<const char *> Arguments,
                                 const ObjectStore &Store) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  const HeaderArchive Baked(
      std::string_view(ClinchPrefixBegin, ClinchPrefixEnd - ClinchPrefixBegin));
  const FileSources Files{{Baked}, {}, /*DiskFirst=*/true};
  auto FS = llvm::makeIntrusiveRefCnt<EngineFileSystem>(Files);
  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Saver(Allocator);
  llvm::SmallVector<const char *, 256> Words(Arguments.begin(),
                                             Arguments.end());
  const bool IsCXX = StringRef(Words.front()) == "c++";
  if (llvm::Error Problem = driver::expandResponseFiles(
          Words, /*ClangCLMode=*/false, Allocator, FS.get())) {
    llvm::errs() << Words.front()
                 << ": error: " << llvm::toString(std::move(Problem)) << '\n';
    return 1;
  }
  std::vector<const char *> Known = withoutGccs(Words, Saver);
  Known.insert(Known.begin() + 1,
               IsCXX ? "--driver-mode=g++" : "--driver-mode=gcc");
  const std::vector<std::string> Sysroot = sysrootOptions();
  if (llvm::none_of(Known, [](const char *Word) {
        return StringRef(Word).starts_with("--sysroot");
      }))
    for (const std::string &Word : Sysroot)
      Known.push_back(Word.c_str());
  const Diagnostics Diags(IsCXX ? "c++" : "cc");
  driver::Driver Driver(ownFile(), llvm::sys::getDefaultTargetTriple(),
                        *Diags.Engine, "Clinch", FS);
  Driver.ResourceDir = resourceFolder(Baked);
  const std::unique_ptr<driver::Compilation> Plan(
      Driver.BuildCompilation(Known));
  if (!Plan)
    return 1;
  const CompileCommand Compile(Files, Store);
  const std::vector<std::string> Folders = standardFolders(Baked);
  const std::string Builtin = Driver.ResourceDir + "/include";
  std::vector<std::unique_ptr<driver::Command>> Own;
  for (const driver::Command &Job : Plan->getJobs()) {
    Own.push_back(std::make_unique<OwnCommand>(Job, Compile));
    addBuiltinHeaders(*Own.back(), Builtin);
    addStandardHeaders(*Own.back(), Folders);
  }
  for (const char *File : Plan->getTempFiles())
    llvm::sys::RemoveFileOnSignal(File);
  Plan->getJobs().clear();
  for (std::unique_ptr<driver::Command> &Job : Own)
    Plan->addCommand(std::move(Job));
  llvm::SmallVector<std::pair<int, const driver::Command *>, 4> Failing;
  const int Status = Driver.ExecuteCompilation(*Plan, Failing);
  return Failing.empty() ? Status : 1;
}
